import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { EvidenceDraft } from '../../domain/case/evidence.js';
import { concludeFrom } from '../../domain/investigation/verdict.js';

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

it('docs/authoring-playbooks.md states the limits of the verdict rule', () => {
  const malicious = numberIn(/\| (\d+) or more \| `malicious` \|/);
  const suspicious = numberIn(/\| (\d+) to \d+ \| `suspicious` \|/);
  expect(conclude(malicious).verdict).toBe('malicious');
  expect(conclude(malicious - 1).verdict).toBe('suspicious');
  expect(conclude(suspicious).verdict).toBe('suspicious');
  expect(conclude(suspicious - 1).verdict).toBe('inconclusive');

  const serious = numberIn(/If one finding has (\d+) points or more/);
  expect(conclude(serious, -100)).toMatchObject({ verdict: 'suspicious', score: suspicious });
  expect(conclude(serious - 1, -100).verdict).toBe('benign');

  const decisive = numberIn(/if one finding has −(\d+) points or fewer/);
  expect(conclude(-decisive).verdict).toBe('benign');
  expect(conclude(1 - decisive).verdict).toBe('inconclusive');

  const lostPerGap = numberIn(/minus (\d+) for each gap/);
  expect(concludeFrom([entry({ points: 50 }), entry({ step: 'gap', kind: 'gap' })]).confidence).toBe(50 - lostPerGap);
  const critical = numberIn(/malicious with a score of (\d+) or more/);
  expect([conclude(critical).severity, conclude(critical - 1).severity]).toEqual(['critical', 'high']);
});
