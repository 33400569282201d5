import { describe, expect, it } from 'vitest';
import { malwareOnHost } from '../../../workflows/playbooks/malware-on-host.js';
import { expectVerdict, investigateWith, nothingAnswers } from '../../support/playbook-kit.js';

const knowledge = [
  { kind: 'scanner' as const, value: '10.9.0.4' },
  { kind: 'test-account' as const, value: 'soc-tester' },
];
const investigate = (content: string) =>
  investigateWith(malwareOnHost, { alert: { type: 'Malware detected', content }, skills: nothingAnswers, knowledge });

describe('what an approved scanner or a test account does', () => {
  it.each([
    ['src=10.9.0.4 dst=10.20.4.7', /scanner 10\.9\.0\.4/],
    ['user=soc-tester host=ws-014', /test account soc-tester/],
  ])('is benign, with the reason: %s', async (content, because) => {
    expectVerdict(await investigate(content), 'benign', { because });
  });

  it.each(['src=10.20.4.7 dst=10.9.0.4', 'src=10.9.0.4 dst=203.0.113.66', `user=soc-tester sha256=${'ab'.repeat(32)}`])(
    'is not benign if the scanner is attacked, or the alert names a foreign indicator: %s',
    async (content) => {
      expect((await investigate(content)).conclusion.verdict).toBe('inconclusive');
    },
  );
});
