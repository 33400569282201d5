import { expect, it } from 'vitest';
import { recordHistories } from '../../../dev/playbooks/record-histories.js';

it('starts no server for a misspelled playbook', async () => {
  await expect(recordHistories(['imposibleTravel'])).rejects.toThrow(
    'There is no playbook imposibleTravel in workflows/playbooks. Did you mean impossibleTravel?',
  );
});
