import { expect, it } from 'vitest';
import { combineExposures, findAnsweredExposure } from '../../../domain/verdict/answered-exposure.js';

const CVE = 'CVE-2026-50001';
const answer = (output: unknown, input: unknown = {}) => ({ input, output });

it('reads the scores of the vulnerabilities of the alert in the answers, the highest of each', () => {
  const answers = [
    answer({
      items: [
        { id: CVE, cvssV3: 7.5, epss: 0.02 },
        { id: 'CVE-2020-1', cvssV3: 10, epss: 0.9 },
      ],
    }),
    answer({ cvss_score: 9.8 }, { kind: 'cve', value: CVE }),
    answer({ items: [{ cves: [CVE], cvss_score: null, cvss_v3_score: 8 }] }),
  ];
  expect(findAnsweredExposure(answers, [CVE])).toEqual({ cvss: 9.8, epss: 0.02, isExploited: false });
});

it.each([
  ['another vulnerability', [answer({ cvss_score: 9.8 }, { value: 'CVE-2020-1' })]],
  ['a score that is none', [answer({ cvss_score: 98 }, { value: CVE }), answer({ cvss_score: '9' }, { value: CVE }), answer(null)]],
  ['no score yet', [answer({ cvss_score: 0, epss: 0 }, { value: CVE })]],
])('reads nothing from %s', (_, answers) => {
  expect(findAnsweredExposure(answers, [CVE])).toEqual({ cvss: null, epss: null, isExploited: false });
});

it('keeps the more dangerous of two statements', () => {
  expect(combineExposures({ cvss: 5, epss: null, isExploited: true }, { cvss: 9, epss: 0.1, isExploited: false })).toEqual({
    cvss: 9,
    epss: 0.1,
    isExploited: true,
  });
});
