import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SAME_MOMENT_SECONDS, SAME_TIME_SECONDS } from '../../domain/record/record-facts.js';
import { type EvidenceDraft, Verdict } from '../../domain/verdict/evidence.js';
import { type Coverage, FACT_RULES, type Fact, type FactName } from '../../domain/verdict/fact.js';
import { NO_EXPOSURE, type Statements } from '../../domain/verdict/severity.js';
import { concludeFrom } from '../../domain/verdict/verdict.js';

const document = await readFile(new URL('../../docs/authoring-playbooks.md', import.meta.url), 'utf8');

function numberIn(pattern: RegExp): number {
  const found = pattern.exec(document)?.[1];
  if (found === undefined) throw new Error(`docs/authoring-playbooks.md has no text that matches ${pattern}.`);
  return Number(found);
}

function conclude(...points: number[]) {
  return concludeFrom(points.map((each, index) => entry({ step: `step-${index}`, points: each })));
}

function entry(given: Partial<EvidenceDraft>): EvidenceDraft {
  return { step: 'step', kind: 'finding', points: 0, title: 'Title', reason: 'Reason', source: null, techniques: [], ...given };
}

let steps = 0;
function fact(name: FactName, connector: string, more: Omit<Fact, 'name'> = {}): EvidenceDraft {
  steps += 1;
  const source = { connector, connection: 'main', skill_id: 'Ask' };
  return entry({ step: `fact-${steps}`, points: FACT_RULES[name].points, source, fact: { name, ...more } });
}

it('docs/authoring-playbooks.md states the limits of the verdict rule', () => {
  const malicious = numberIn(/\| (\d+) or more \| `malicious` \|/);
  const suspicious = numberIn(/\| (\d+) to \d+ \| `suspicious` \|/);
  expect(conclude(malicious).verdict).toBe('malicious');
  expect(conclude(malicious - 1).verdict).toBe('suspicious');
  expect(conclude(suspicious).verdict).toBe('suspicious');
  expect(conclude(suspicious - 1).verdict).toBe('inconclusive');

  const notable = numberIn(/If one finding has (\d+) points or more, findings with negative points do not count/);
  expect(conclude(notable, -100)).toMatchObject({ verdict: 'suspicious', score: notable });
  expect(conclude(notable - 1, -100).verdict).toBe('benign');

  const serious = numberIn(/Without a finding of (\d+) points or more/);
  const most = numberIn(/the total is at most (\d+)/);
  expect(conclude(serious - 1, serious - 1, serious - 1)).toMatchObject({ verdict: 'suspicious', score: most });
  expect(conclude(serious, serious - 1, serious - 1)).toMatchObject({ verdict: 'malicious', score: 100 });

  const decisive = numberIn(/if one finding has −(\d+) points or fewer/);
  expect(conclude(-decisive).verdict).toBe('benign');
  expect(conclude(1 - decisive).verdict).toBe('inconclusive');
  const explains = numberIn(/a finding of −(\d+) points or fewer, such as a/);
  const open = fact('open-record-medium', 'incident-source');
  expect(concludeFrom([open, entry({ points: -explains })]).verdict).toBe('benign');
  expect(concludeFrom([open, entry({ points: 1 - explains })]).verdict).toBe('suspicious');
});

it('docs/authoring-playbooks.md states the severities', () => {
  const cellsOf = (text: string) =>
    (document.split('\n').find((line) => line.startsWith(`| ${text}`)) ?? expect.fail(`no row ${text}`))
      .split('|')
      .slice(2, 5)
      .map((cell) => cell.trim());
  const verdicts = [[70], [30], [5]].map((points) => points.map((each) => entry({ points: each })));
  const severities = (statements: Statements, more: EvidenceDraft[] = []) =>
    verdicts.map((evidence) => `\`${concludeFrom([...evidence, ...more], statements).severity}\``);
  const plain = severities({});
  const expected = (text: string) => cellsOf(text).map((cell, index) => (cell === '–' ? plain[index] : cell));
  expect(plain).toEqual(cellsOf('The verdict'));
  expect(severities({ sourceSeverity: 'critical' })).toEqual(expected('The source says critical'));
  expect(severities({ sourceSeverity: 'high' })).toEqual(expected('The source says high'));
  expect(severities({}, [fact('important-asset', 'endpoint-detection')])).toEqual(expected('An important machine'));
  const cvss = numberIn(/\| CVSS of (\d+) or more, or EPSS of 0\.5 or more/);
  expect(severities({ exposure: { ...NO_EXPOSURE, cvss } })).toEqual(expected('CVSS of 9'));
  expect(severities({ exposure: { ...NO_EXPOSURE, epss: 0.5 } })).toEqual(expected('CVSS of 9'));
  expect(severities({ exposure: { ...NO_EXPOSURE, cvss: 7 } })).toEqual(expected('CVSS of 7'));
  expect(severities({ exposure: { ...NO_EXPOSURE, isExploited: true } })).toEqual(expected('An attacker uses'));
});

it('docs/authoring-playbooks.md states the confidences', () => {
  const lostPerGap = numberIn(/minus (\d+) for each gap/);
  const rowOf = (text: string) => {
    const row = document.split('\n').find((line) => line.startsWith(`| ${text} |`));
    const [one, more] = (row ?? expect.fail(`no row ${text}`)).split('|').slice(2, 4).map(Number);
    return { one, more };
  };
  const bySources = (...points: number[]) =>
    [1, 2].map((count) => {
      const evidence = points.flatMap((each, index) =>
        Array.from({ length: count }, (_, n) =>
          entry({ step: `s-${index}-${n}`, points: each, source: { connector: `c-${n}`, connection: null, skill_id: 'Ask' } }),
        ),
      );
      return concludeFrom(evidence);
    });
  for (const [verdict, points] of [
    ['malicious', 80],
    ['suspicious', 30],
    ['benign', -40],
    ['inconclusive', 5],
  ] as const) {
    const [one, more] = bySources(points);
    expect([one?.verdict, more?.verdict]).toEqual([verdict, verdict]);
    expect({ one: one?.confidence, more: more?.confidence }, verdict).toEqual(rowOf(`\`${verdict}\``));
  }
  const person = (covers: Coverage) => concludeFrom([fact('confirmed-benign', 'incident-source', { covers })]).confidence;
  expect(person('activity')).toBe(rowOf('`malicious` or `benign` by a person, same activity').one);
  expect(person('entity')).toBe(rowOf('`malicious` or `benign` by a person, another occasion').one);
  const withGap = concludeFrom([entry({ points: 80 }), entry({ step: 'gap', kind: 'gap' })]);
  expect(withGap.confidence).toBe((rowOf('`malicious`').one ?? 0) - lostPerGap);
});

it('docs/authoring-playbooks.md states the times of records', () => {
  expect(document).toMatch(/on the same machine or account within twelve hours/);
  expect(SAME_MOMENT_SECONDS).toBe(12 * 3600);
  expect(document).toMatch(/A record of another time \(more than two days\)/);
  expect(SAME_TIME_SECONDS).toBe(2 * 24 * 3600);
});

/** Each row of the examples, by its first words, with the evidence that it describes. */
const DAY_SECONDS = 86_400;
const bad = (about = 'bad.example') => fact('malicious-reputation', 'threat-intelligence', { about: [about] });
const test = () => fact('confirmed-test', 'endpoint-detection', { covers: 'activity', about: ['bad.example'], at: 1000 });
const trip = () => fact('trip-explains', 'travel-booking');
const allowed = () => fact('allowed-indicator', 'endpoint-detection', { about: ['vendor.example'] });
const unknown = (about: string) => fact('unknown-reputation', 'threat-intelligence', { about: [about] });
const EXAMPLES: Readonly<Record<string, () => EvidenceDraft[]>> = {
  'Malicious reputation of a domain': () => [bad()],
  'Malicious reputation, and an own machine had contact': () => [bad(), fact('contact', 'endpoint-detection')],
  'Ten addresses with a malicious reputation': () => Array.from({ length: 10 }, (_, n) => bad(`203.0.113.${n}`)),
  'Malware detected and removed': () => [fact('malware-removed', 'malware-protection')],
  'Malware ran': () => [fact('malware-ran', 'malware-protection')],
  'Clean reputation, and no open record at the third parties': () => [
    fact('clean-reputation', 'threat-intelligence'),
    { ...fact('no-open-record', ''), source: null },
  ],
  'Clean reputation of one address, no reputation of another': () => [
    fact('clean-reputation', 'threat-intelligence'),
    fact('unknown-reputation', 'threat-intelligence'),
  ],
  'A booked trip explains the place': () => [trip()],
  'An approved scanner is the source, and the alert names no foreign indicator': () => [fact('approved-test', 'siem')],
  'A booked trip explains the place, and the address has a malicious reputation': () => [trip(), bad()],
  'The organization allows the domain, and no reputation of it is known': () => [allowed(), unknown('vendor.example')],
  'The organization allows the domain, and no reputation of another is known': () => [allowed(), unknown('new.example')],
  'Malicious reputation, and a person closed the alert about the same activity, which names the domain, as a test': () => [bad(), test()],
  "The same, and malware ran a day after the person's conclusion": () => [
    bad(),
    test(),
    fact('malware-ran', 'malware-protection', { at: 1000 + DAY_SECONDS }),
  ],
};

it('the examples of docs/authoring-playbooks.md have the verdict that the rule gives', () => {
  const section = document.split('### Examples')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| ([^|`]+) \| [^|]+ \| `(\w+)` \|$/gm)].map(([, text = '', verdict]) => ({
    text,
    verdict: Verdict.parse(verdict),
  }));
  expect(rows.map(({ text }) => text)).toEqual(Object.keys(EXAMPLES));
  for (const { text, verdict } of rows) expect(concludeFrom(EXAMPLES[text]?.() ?? []).verdict, text).toBe(verdict);
});
