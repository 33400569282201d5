import { type Exposure, NO_EXPOSURE } from './severity.js';

/** The base score of version 3 or of any version, and the EPSS score, as the third parties name them. */
const CVSS_FIELDS = ['cvssV3', 'cvss_v3_score', 'cvss_score'];
const EPSS_FIELDS = ['epss'];
const MAX_ITEMS = 200;

interface Answer {
  readonly input: unknown;
  readonly output: unknown;
}

/** What the third parties answered about the danger of these vulnerabilities: the highest of each. */
export function findAnsweredExposure(answers: readonly Answer[], cves: readonly string[]): Exposure {
  if (cves.length === 0) return NO_EXPOSURE;
  const names = (value: unknown) => {
    const text = JSON.stringify(value)?.toUpperCase() ?? '';
    return cves.some((cve) => text.includes(cve));
  };
  const records = answers.flatMap(({ input, output }) => {
    if (!isRecord(output)) return [];
    const { items } = output;
    if (Array.isArray(items)) return items.slice(0, MAX_ITEMS).filter(isRecord).filter(names);
    return names(input) || names(output) ? [output] : [];
  });
  return { ...NO_EXPOSURE, cvss: highest(records, CVSS_FIELDS, 10), epss: highest(records, EPSS_FIELDS, 1) };
}

/** Of two statements about the same vulnerabilities, the more dangerous one. */
export function combineExposures(one: Exposure, other: Exposure): Exposure {
  const higher = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));
  return { cvss: higher(one.cvss, other.cvss), epss: higher(one.epss, other.epss), isExploited: one.isExploited || other.isExploited };
}

function highest(records: readonly Record<string, unknown>[], fields: readonly string[], most: number): number | null {
  const found = records
    .flatMap((record) => fields.map((field) => record[field]))
    .filter((value) => typeof value === 'number')
    .filter((value) => value > 0 && value <= most);
  return found.length === 0 ? null : Math.max(...found);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
