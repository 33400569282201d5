import { expect, it } from 'vitest';
import { readAlertContent } from '../../../domain/alert/alert-content.js';
import { findExposure } from '../../../domain/alert/exposure.js';

const find = (content: string | object) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return findExposure(text, readAlertContent(text).activity);
};

it.each([
  ['CVE-2024-3094 with CVSS 10 in liblzma on web-01', 10],
  ['CVE-2024-3094 (CVSS score: 10.0)', 10],
  ['CVSS v3.1 base score of 9.8', 9.8],
  ['cvss=7.5 host=web-01', 7.5],
  [{ cve: 'CVE-2024-3094', cvss: 10 }, 10],
  [{ cve: 'CVE-2024-3094', cvssScore: 9.8, cvssV2: 4.3 }, 9.8],
  [{ vulnerability: { cvss_v3: { base_score: 8.1 } } }, 8.1],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', null],
  ['The CVSS of 2024 rates 17 properties', null],
  ['nothing', null],
])('reads the CVSS score of %j', (content, cvss) => {
  expect(find(content).cvss).toBe(cvss);
});

it.each([
  ['EPSS 0.94', 0.94],
  ['EPSS score: 87 %', 0.87],
  [{ epss: 0.5 }, 0.5],
  ['EPSS is missing', null],
])('reads the EPSS score of %j', (content, epss) => {
  expect(find(content).epss).toBe(epss);
});

it('reads whether the vulnerability is known to be exploited from a field only', () => {
  expect(find({ cve: 'CVE-2024-3094', kev: true }).isExploited).toBe(true);
  expect(find({ cve: 'CVE-2024-3094', known_exploited: 'no' }).isExploited).toBe(false);
  expect(find('Our digest: what the KEV list of known exploited vulnerabilities is').isExploited).toBe(false);
});
