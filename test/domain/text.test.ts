import { describe, expect, it } from 'vitest';
import { planFor } from '../../domain/playbook/planner.js';
import { Plan } from '../../domain/playbook/playbook.js';
import { clip, escapeMarkdown, escapeMarkdownLines, isStorable, slug, storable, text } from '../../domain/text.js';
import { evidenceId } from '../../domain/verdict/evidence.js';

describe('text', () => {
  it.each(['', ' ', '\t\n\u00a0', 'a\u0000', '\ud800', 'x\udc00', '123456'])('refuses %j', (value) => {
    expect(text(5).safeParse(value).success).toBe(false);
  });

  it.each([' a ', '🙂🙂', 'é\u0301', '12345'])('accepts %j unchanged', (value) => {
    expect(text(5).parse(value)).toBe(value);
  });

  it('may be empty when it is only compared, but must be storable', () => {
    expect(storable(5).safeParse('').success).toBe(true);
    expect(storable(5).safeParse('\u0000').success).toBe(false);
    expect(isStorable('\ud83d\ude42')).toBe(true);
    expect(isStorable('\ud83d')).toBe(false);
  });
});

describe('clip', () => {
  it('keeps short text and marks the end of truncated text', () => {
    expect(clip('short', 5)).toBe('short');
    expect(clip('longer', 5)).toBe('long…');
  });

  it('always returns storable text within its limit', () => {
    for (const value of ['🙂'.repeat(50), 'a\u0000b\ud800c', `${'x'.repeat(8)}🙂🙂`]) {
      for (const length of [1, 9, 10, 11]) {
        expect(clip(value, length).length).toBeLessThanOrEqual(length);
        expect(isStorable(clip(value, length))).toBe(true);
      }
    }
  });
});

describe('slug', () => {
  it.each([
    ['Known address', 'known-address'],
    ['  A/B & C!  ', 'a-b-c'],
    ['日本', 'step'],
    ['', 'step'],
  ])('of %j is %s', (title, expected) => {
    expect(slug(title)).toBe(expected);
  });
});

it('evidenceId derives the id from the position only', () => {
  const place = { alertId: 'DEMO-SIEM-1', investigationNo: 2, attempt: 3, step: 'look' };
  expect(evidenceId(place)).toBe('DEMO-SIEM-1/2/3/look');
  expect(evidenceId({ ...place, attempt: 4 })).not.toBe(evidenceId(place));
});

it('planFor creates a valid and deterministic plan without third parties', () => {
  for (const alertType of ['Odd sign-in', 't'.repeat(200), '"quoted"']) {
    expect(Plan.parse(planFor(alertType, []))).toEqual(planFor(alertType, []));
    expect(planFor(alertType, []).steps.map((step) => step.do)).toEqual(['extract-indicators', 'search-records', 'correlate', 'summarise']);
  }
});

it.each([
  ['[click](https://evil.example)', '\\[click\\](https\\://evil.example)'],
  ['![](//x) <b>*bold*</b> `code`', '\\!\\[\\](//x) \\<b\\>\\*bold\\*\\</b\\> \\`code\\`'],
  ['a\n\n# Heading | x', 'a \\# Heading \\| x'],
  ['www.evil.example, me@evil.example', 'www\\.evil.example, me\\@evil.example'],
  ['Impossible travel', 'Impossible travel'],
])('escapeMarkdown shows %j as text', (given, expected) => {
  expect(escapeMarkdown(given)).toBe(expected);
});

it('keeps the line breaks of Markdown', () => {
  expect(escapeMarkdownLines('Malicious (score 90).\n+60 Known   malware: a_b')).toBe(
    'Malicious (score 90).  \n+60 Known malware\\: a\\_b',
  );
});
