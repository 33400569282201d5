import { afterEach, expect, it, vi } from 'vitest';
import { announceSystemChange } from '../../local/system-changes.js';
import { StartError } from '../../platform/start-error.js';

const CHANGE = { change: 'create the user postgres', instead: 'Create the user yourself.' };

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('prints a change before it is made, and how to forbid it', () => {
  vi.stubEnv('ALERT_INVESTIGATOR_NO_SYSTEM_CHANGES', '');
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  announceSystemChange(CHANGE);
  expect(write).toHaveBeenCalledExactlyOnceWith(
    'alert-investigator will create the user postgres. To forbid this, set ALERT_INVESTIGATOR_NO_SYSTEM_CHANGES=1.\n',
  );
});

it('refuses a forbidden change and says what to do instead', () => {
  vi.stubEnv('ALERT_INVESTIGATOR_NO_SYSTEM_CHANGES', '1');
  expect(() => announceSystemChange(CHANGE)).toThrow(StartError);
  expect(() => announceSystemChange(CHANGE)).toThrow(/does not create the user postgres\. Create the user yourself\./);
});
