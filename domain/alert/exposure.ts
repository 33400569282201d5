import { type Exposure, NO_EXPOSURE } from '../verdict/severity.js';
import type { Activity } from './activity.js';

const MAX_TEXT = 256 * 1024;
/** `CVSS 10`, `CVSS v3.1 base score: 9.8`, `"cvssScore": 9.8`. Not the version of a vector, `CVSS:3.1/AV:N`. */
const CVSS =
  /\bcvss(?:[ _-]?v?[234](?:\.[01])?(?=[\s_":)a-z]))?(?:["' _(-]{0,3}(?:base|score|rating|of|is|basisscore)){0,4}["')\s:=]{0,6}(10(?:\.0)?|\d\.\d|\d)(?![\w./]|\.\d)/gi;
const EPSS = /\bepss(?:["' _-]{0,3}(?:score|probability|of|is)){0,3}["'\s:=]{0,6}(0?\.\d{1,6}|1(?:\.0)?|\d{1,3}(?:\.\d{1,3})?\s?%)/gi;
const EXPLOITED_FIELDS = [
  'kev',
  'cisakev',
  'iskev',
  'inkev',
  'knownexploited',
  'isknownexploited',
  'exploitedinthewild',
  'isexploited',
  'vulnerabilitykev',
];

/** What the content states about the danger of a vulnerability: the highest of each. */
export function findExposure(content: string, { fields }: Activity): Exposure {
  const text = content.slice(0, MAX_TEXT);
  if (!/cvss|epss|kev|exploited/i.test(text)) return NO_EXPOSURE;
  const cvss = [...text.matchAll(CVSS)].map(([, score]) => Number(score));
  const base = [...(fields.get('cvssbasescore') ?? []), ...(fields.get('cvssv3basescore') ?? []), ...(fields.get('cvss3basescore') ?? [])];
  const epss = [...text.matchAll(EPSS)].map(([, score = '']) => (score.endsWith('%') ? Number.parseFloat(score) / 100 : Number(score)));
  const isExploited = EXPLOITED_FIELDS.some((name) => fields.get(name)?.some((value) => /^(?:true|yes|1)$/.test(value)));
  return {
    cvss: highest([...cvss, ...base.map(Number)], 10),
    epss: highest(epss, 1),
    isExploited,
  };
}

function highest(values: readonly number[], most: number): number | null {
  const valid = values.filter((value) => value >= 0 && value <= most);
  return valid.length === 0 ? null : Math.max(...valid);
}
