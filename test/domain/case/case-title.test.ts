import { describe, expect, it } from 'vitest';
import { CASE_TITLE_LENGTH, writeCaseTitle } from '../../../domain/case/case-title.js';
import type { Entity } from '../../../domain/entity/entity.js';

const HOST: Entity = { kind: 'host', value: 'hr-ws-014.harbour.example' };
const USER: Entity = { kind: 'user', value: 'dana.vries' };

describe('the title of a case', () => {
  it.each<[string, Entity[], string]>([
    ['Malware', [HOST, USER], 'Malware on hr-ws-014 · dana.vries'],
    ['Malware on host', [USER, HOST], 'Malware on hr-ws-014 · dana.vries'],
    ['Detection on an endpoint', [HOST], 'Detection on hr-ws-014'],
    ['Impossible travel', [USER, { kind: 'ip', value: '203.0.113.9' }], 'Impossible travel · dana.vries'],
    ['Reported phishing', [{ kind: 'url', value: 'https://evil.example/x' }], 'Reported phishing · https://evil.example/x'],
    [
      'Exploit attempt',
      [
        { kind: 'ip', value: '203.0.113.9' },
        { kind: 'cve', value: 'CVE-2024-3400' },
      ],
      'Exploit attempt · CVE-2024-3400',
    ],
    ['Sign-in', [{ kind: 'user', value: 'dana.vries@harbour.example' }], 'Sign-in · dana.vries'],
    ['Sign-in', [{ kind: 'user', value: 'HARBOUR\\dana.vries' }], 'Sign-in · dana.vries'],
    ['Anything', [], 'Anything'],
  ])('of %s', (alertType, entities, title) => {
    expect(writeCaseTitle(alertType, entities)).toBe(title);
  });

  it('names the victim before other hosts and accounts', () => {
    const victim: Entity = { kind: 'host', value: 'web-1', role: 'victim' };
    expect(writeCaseTitle('Scan', [HOST, victim])).toBe('Scan on web-1');
  });

  it('is short, whatever the alert contains', () => {
    const title = writeCaseTitle('x'.repeat(1000), [{ kind: 'host', value: 'h'.repeat(2000) }]);
    expect(title.length).toBeLessThanOrEqual(CASE_TITLE_LENGTH);
    expect(writeCaseTitle('Visit', [{ kind: 'url', value: `https://a.example/${'y'.repeat(500)}` }]).length).toBeLessThan(80);
  });
});
