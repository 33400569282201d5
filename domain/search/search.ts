import { z } from 'zod';
import { Severity, Verdict } from '../verdict/evidence.js';

export const SEARCH_GROUPS = ['entities', 'cases', 'alerts', 'comments', 'evidence', 'connections'] as const;
export type SearchGroup = (typeof SEARCH_GROUPS)[number];

/** One result of the search over all records. */
export const SearchHit = z.object({
  id: z.string().describe('The id of the record; the kind of an entity.'),
  title: z.string(),
  snippet: z.string().describe('The text around the match; empty where the title shows it.'),
  organization_code: z.string(),
  at: z.int().nullable().describe('When the record was created; null where that says nothing.'),
  verdict: Verdict.nullable(),
  severity: Severity.nullable(),
  page: z.string().describe('The page of the dashboard that shows the record.'),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const HITS_PER_GROUP = 8;

const Hits = z.array(SearchHit).max(HITS_PER_GROUP);

export const SearchResult = z.object({
  entities: Hits.describe('Values of alerts that contain the text.'),
  cases: Hits.describe('Cases with the text in their title or in their alert, and the case with this id.'),
  alerts: Hits.describe('Alerts with the words, with an entity that contains the text, and the alert with this id.'),
  comments: Hits,
  evidence: Hits.describe('Findings that changed a score.'),
  connections: Hits,
});
export type SearchResult = z.infer<typeof SearchResult>;

/** The longest part of a record that a result shows. */
const SNIPPET_LENGTH = 160;

/** The part of a text around the first of the terms, on one line. */
export function cutSnippet(text: string, terms: readonly string[]): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const lower = line.toLowerCase();
  const found = terms.map((term) => lower.indexOf(term.toLowerCase())).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...(found.length === 0 ? [0] : found)) - SNIPPET_LENGTH / 4);
  const part = line.slice(start, start + SNIPPET_LENGTH).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}${start + SNIPPET_LENGTH < line.length ? '…' : ''}`;
}
