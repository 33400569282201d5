import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../client.js';
import { alertTexts } from '../schema/index.js';

/** These characters separate words, as in `alert_words` of the database. */
const SEPARATORS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** A shorter beginning of a term would match too many words. */
const SHORTEST_BEGINNING = 3;

/** Up to about this number, fetching all matches costs less than scanning back from the newest alert. */
const FEW_MATCHES = 1500;

/**
 * The condition that the words of an alert match a search: every term, where the last word of a term may be a beginning; "a phrase" of
 * whole words; -excluded. For a rare word Postgres would scan all alerts from the newest back, so a small set of matches is fetched first.
 */
export async function matchWords(db: Db, alertUuid: PgColumn, search: string): Promise<SQL> {
  const query = sql`to_tsquery('simple', ${writeQuery(search)})`;
  // Alerts from before words were split at punctuation are found by whole words.
  const either = EXCLUSION.test(search) ? query : sql`(${query} || websearch_to_tsquery('simple', ${search}))`;
  const found = sql`select alert_uuid from ${alertTexts} where words @@ ${either}`;
  const isFew = (await estimateRows(db, found)) <= FEW_MATCHES;
  return isFew ? sql`${alertUuid} = any(array(${found}))` : sql`${alertUuid} in (${found})`;
}

/** The number of matches that Postgres estimates from its word statistics. */
async function estimateRows(db: Db, query: SQL): Promise<number> {
  const [row] = await db.execute<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(sql`explain (format json) ${query}`);
  return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}

const EXCLUSION = /(?:^|\s)-/;
const TERM = /(?<excluded>-?)(?:"(?<phrase>[^"]*)"?|(?<plain>[^\s"]+))/g;

/** `hr-ws-014 -test` → `('hr' <-> 'ws' <-> '014':*) & !('test':*)` */
function writeQuery(search: string): string {
  const terms = [...search.matchAll(TERM)].flatMap(({ groups = {} }) => {
    const { excluded, phrase, plain = '' } = groups;
    const words = splitWords(phrase ?? plain);
    const last = words.length - 1;
    const isBeginning = phrase === undefined && plain.length >= SHORTEST_BEGINNING;
    const lexemes = words.map((word, at) => `'${word}'${isBeginning && at === last ? ':*' : ''}`);
    return lexemes.length === 0 ? [] : [`${excluded === '-' ? '!' : ''}(${lexemes.join(' <-> ')})`];
  });
  return terms.join(' & ');
}

function splitWords(text: string): string[] {
  const spaced = [...text].map((character) => (SEPARATORS.includes(character) ? ' ' : character)).join('');
  return spaced.split(/\s+/).filter((word) => word !== '');
}
