import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../client.js';
import { readByIndex } from '../read-by-index.js';
import { alertTexts } from '../schema/index.js';

/** These characters separate words, as in `alert_words` of the database. */
const SEPARATORS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** A shorter beginning of a term would match too many words. */
const SHORTEST_BEGINNING = 3;

/** Up to about this number, fetching all matches costs less than scanning back from the newest alert. */
const FEW_MATCHES = 1500;

/** So many of the newest alerts show how frequent the beginning of a word is, which no statistics of Postgres do. */
const SAMPLED_ALERTS = 500;
/** With so many matches in the sample, a page is full after some thousand alerts. */
const FREQUENT_FROM = 5;

/**
 * The condition that the words of an alert match a search: every term, where the last word of a term may be a beginning; "a phrase" of
 * whole words; -excluded. For a rare word Postgres would scan all alerts from the newest back, so a small set of matches is fetched first.
 * For a frequent beginning it would fetch all matches, so each alert is looked at from the newest back.
 */
export async function matchWords(db: Db, alertUuid: PgColumn, search: string, organizationUuid: string | null): Promise<SQL> {
  const query = toQuery(search, writeQuery(search));
  const find = (indexed: SQL) => sql`select alert_uuid as key from ${alertTexts} where words @@ ${indexed}`;
  if (!hasBeginning(search)) {
    const isFew = (await estimateRows(db, find(query))) <= FEW_MATCHES;
    return isFew ? sql`${alertUuid} = any(array(${find(query)}))` : sql`${alertUuid} in (${find(query)})`;
  }
  const ends = writeQuery(search, 'ends');
  const sample = await sampleNewest(db, organizationUuid, { query, ends: sql`to_tsquery('simple', ${ends})` });
  if (sample.matches >= FREQUENT_FROM) return containsWords(sql`${alertUuid}`, query);
  // Nearly all alerts may have the end of a name, such as "exam" in "ws-014.exam", so the index finds the other words of it.
  const isEndFrequent = ends !== '' && sample.withEnds >= SAMPLED_ALERTS / 2;
  const found = isEndFrequent
    ? sql`${find(toQuery(search, writeQuery(search, 'beforeEnds')))} and ts_match_vq(words, ${query})`
    : find(query);
  const keys = await readByIndex(db, (tx) => tx.execute<{ key: string }>(sql`${found} limit ${FEW_MATCHES + 1}`));
  if (keys.length > FEW_MATCHES) return sql`${alertUuid} in (${found})`;
  return sql`${alertUuid} = any(${`{${keys.map(({ key }) => key).join(',')}}`}::uuid[])`;
}

/** Alerts from before words were split at punctuation are found by whole words. */
function toQuery(search: string, written: string): SQL {
  const query = sql`to_tsquery('simple', ${written})`;
  return EXCLUSION.test(search) ? query : sql`(${query} || websearch_to_tsquery('simple', ${search}))`;
}

/** The matches among the newest alerts that are findable, of one organization or of all. */
async function sampleNewest(db: Db, organizationUuid: string | null, { query, ends }: { query: SQL; ends: SQL }) {
  const isInScope = organizationUuid === null ? sql`true` : sql`organization_uuid = ${organizationUuid}`;
  const count = (condition: SQL) => sql`count(*) filter (where ${containsWords(sql`newest.alert_uuid`, condition)})::int`;
  const [row] = await db.execute<{ matches: number; with_ends: number }>(sql`
    select ${count(query)} as matches, ${count(ends)} as with_ends
    from (select alert_uuid from alerts where ${isInScope} order by alert_uuid desc limit ${SAMPLED_ALERTS}) as newest`);
  return { matches: row?.matches ?? 0, withEnds: row?.with_ends ?? 0 };
}

/** Looks at one alert after the other. The offset keeps Postgres from turning the condition into a join. */
function containsWords(alertUuid: SQL, query: SQL): SQL {
  return sql`(select words @@ ${query} from ${alertTexts} where ${alertTexts.alertUuid} = ${alertUuid} offset 0)`;
}

/** The number of matches that Postgres estimates from its word statistics. */
async function estimateRows(db: Db, query: SQL): Promise<number> {
  const [row] = await db.execute<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(sql`explain (format json) ${query}`);
  return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}

const EXCLUSION = /(?:^|\s)-/;
/** The mark of a beginning in a query. */
const BEGINNING = ':*';
const TERM = /(?<excluded>-?)(?:"(?<phrase>[^"]*)"?|(?<plain>[^\s"]+))/g;

interface Term {
  readonly isExcluded: boolean;
  readonly words: readonly string[];
  /** The last word may be the beginning of a longer one. */
  readonly isOpen: boolean;
}

function readTerms(search: string): Term[] {
  return [...search.matchAll(TERM)].flatMap(({ groups = {} }) => {
    const { excluded, phrase, plain = '' } = groups;
    const words = splitWords(phrase ?? plain);
    const isOpen = phrase === undefined && plain.length >= SHORTEST_BEGINNING;
    return words.length === 0 ? [] : [{ isExcluded: excluded === '-', words, isOpen }];
  });
}

function hasBeginning(search: string): boolean {
  return readTerms(search).some(({ isOpen }) => isOpen);
}

/**
 * `hr-ws-014 -test` → `('hr' <-> 'ws' <-> '014':*) & !('test':*)`. The parts of it for names of several words: `ends` → `('014':*)`,
 * `beforeEnds` → `('hr' <-> 'ws')`.
 */
function writeQuery(search: string, part: 'all' | 'ends' | 'beforeEnds' = 'all'): string {
  const terms = readTerms(search).flatMap(({ isExcluded, words, isOpen }) => {
    const lexemes = words.map((word, at) => `'${word}'${isOpen && at === words.length - 1 ? BEGINNING : ''}`);
    const isName = isOpen && words.length > 1 && !isExcluded;
    if (part === 'ends') return isName ? lexemes.slice(-1) : [];
    return [`${isExcluded ? '!' : ''}(${(part === 'beforeEnds' && isName ? lexemes.slice(0, -1) : lexemes).join(' <-> ')})`];
  });
  return terms.join(' & ');
}

/** The texts that a search looks for, without the excluded ones. */
export function listTerms(search: string): string[] {
  return [...search.matchAll(TERM)].flatMap(({ groups = {} }) => {
    const { excluded, phrase, plain = '' } = groups;
    const term = (phrase ?? plain).trim();
    return excluded === '-' || term === '' ? [] : [term];
  });
}

function splitWords(text: string): string[] {
  const spaced = [...text].map((character) => (SEPARATORS.includes(character) ? ' ' : character)).join('');
  return spaced.split(/\s+/).filter((word) => word !== '');
}
