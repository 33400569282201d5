import { z } from 'zod';
import { SkillKeyText } from '../skill-key.js';
import { clip } from '../text.js';

const CARD_KINDS = ['device', 'person', 'trips', 'reputation', 'vulnerability'] as const;

/** A part of a stored answer in the words of an analyst. */
export const EntityCard = z.object({
  card: z.enum(CARD_KINDS),
  result_id: z.uuid(),
  connection: z.string(),
  skill_id: z.string(),
  skill_key: SkillKeyText,
  at: z.int().describe('When the third party gave the answer.'),
  entries: z
    .array(z.object({ title: z.string(), fields: z.array(z.object({ name: z.string(), value: z.string() })) }))
    .describe('Such as one device or one trip each; at most 10. Empty: the third party knows none.'),
});
export type EntityCard = z.infer<typeof EntityCard>;

/** How the answer of a skill becomes a card. A connector declares it in its folder. */
export interface CardRule {
  readonly card: EntityCard['card'];
  /** The field of the answer with a list of entries. Without it the answer is the entry. */
  readonly list?: string;
  /** The first of these fields with a value is the title. */
  readonly titles: readonly string[];
  /** The label of each field, in the order of the card. A `[]` takes the field of each element. */
  readonly fields: Readonly<Record<string, string>>;
}

const MAX_ENTRIES = 10;
const VALUE_LENGTH = 300;

interface StoredAnswer {
  readonly result_id: string;
  readonly connection: string;
  readonly skill_id: string;
  readonly skill_key: string;
  readonly at: number;
  readonly output: unknown;
}

/** null where the answer is no object. */
export function makeCard(rule: CardRule, { output, ...answer }: StoredAnswer): EntityCard | null {
  if (!isRecord(output)) return null;
  const items = rule.list === undefined ? [output] : readPath(output, `${rule.list}[]`);
  const entries = items.filter(isRecord).slice(0, MAX_ENTRIES);
  const { result_id, connection, skill_id, skill_key, at } = answer;
  return { card: rule.card, result_id, connection, skill_id, skill_key, at, entries: entries.map((entry) => describeEntry(entry, rule)) };
}

function describeEntry(entry: Readonly<Record<string, unknown>>, { titles, fields }: CardRule): EntityCard['entries'][number] {
  const shown = Object.entries(fields).flatMap(([path, name]) => {
    const value = showValues(readPath(entry, path));
    return value === '' ? [] : [{ name, value }];
  });
  const title = titles.map((path) => showValues(readPath(entry, path))).find((value) => value !== '');
  return { title: title ?? 'Unnamed', fields: shown };
}

function showValues(values: readonly unknown[]): string {
  const texts = values.flatMap((value) => {
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || [] : [];
  });
  return clip([...new Set(texts)].join(', '), VALUE_LENGTH);
}

/** `places[].city` → the city of each place. */
function readPath(value: unknown, path: string): unknown[] {
  let found: unknown[] = [value];
  for (const part of path.split('.')) {
    const name = part.replace(/\[\]$/, '');
    const next = found.flatMap((each) => (isRecord(each) && each[name] != null ? [each[name]] : []));
    found = part.endsWith('[]') ? next.flatMap((each) => (Array.isArray(each) ? each : [])) : next;
  }
  return found;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
