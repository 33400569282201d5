import { and, ilike, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { containing } from '../entities/containing.js';

export interface Question {
  readonly text: string;
  /** The texts that a record must contain, all of them. */
  readonly terms: readonly string[];
  /** null: all organizations. */
  readonly organizationUuid: string | null;
}

/** The index has the sequences of three characters of each text, so a shorter term alone would read all rows. */
const SHORTEST_TERM = 3;

export function canUseIndex({ terms }: Question): boolean {
  return terms.some((term) => term.length >= SHORTEST_TERM);
}

/** Every term is in one of the columns. */
export function contains({ terms }: Question, ...columns: readonly PgColumn[]): SQL | undefined {
  return and(...terms.map((term) => or(...columns.map((column) => containsTerm(column, term)))));
}

/** A word with a digit, and the separator after it, which tells where the word ends. */
const RARE = /(?=\p{L}*\p{N})[\p{L}\p{N}]{4,}[^\p{L}\p{N}]?/gu;

/** Of `ws-0144.harbour.example`, the index finds `0144.`, because few values have it, and the rest filters. */
function containsTerm(column: PgColumn, term: string): SQL | undefined {
  // Not the column itself, so that Postgres does not use the index.
  const filter = ilike(sql`(${column} || '')`, containing(term));
  if (term.length < SHORTEST_TERM) return filter;
  const rare = findRare(term) ?? term;
  return rare === term ? ilike(column, containing(term)) : and(ilike(column, containing(rare)), filter);
}

/** The longest one, because few values have it; of several, the last, because years and sites come first. */
function findRare(term: string): string | undefined {
  return (term.match(RARE) ?? []).reduce<string | undefined>((best, part) => (part.length >= (best?.length ?? 0) ? part : best), undefined);
}
