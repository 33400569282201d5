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
  const written = writeQuery(search);
  const query = sql`to_tsquery('simple', ${written})`;
  // Alerts from before words were split at punctuation are found by whole words.
  const either = EXCLUSION.test(search) ? query : sql`(${query} || websearch_to_tsquery('simple', ${search}))`;
  const found = sql`select alert_uuid from ${alertTexts} where words @@ ${either}`;
  const isFrequent = written.includes(BEGINNING) && (await countInSample(db, either, organizationUuid)) >= FREQUENT_FROM;
  if (isFrequent) return containsWords(sql`${alertUuid}`, either);
  const isFew = (await estimateRows(db, found)) <= FEW_MATCHES;
  return isFew ? sql`${alertUuid} = any(array(${found}))` : sql`${alertUuid} in (${found})`;
}

/** The matches among the newest alerts that are findable, of one organization or of all. */
async function countInSample(db: Db, query: SQL, organizationUuid: string | null): Promise<number> {
  const isInScope = organizationUuid === null ? sql`true` : sql`organization_uuid = ${organizationUuid}`;
  const [row] = await db.execute<{ matches: number }>(sql`
    select count(*) filter (where ${containsWords(sql`newest.alert_uuid`, query)})::int as matches
    from (select alert_uuid from alerts where ${isInScope} order by alert_uuid desc limit ${SAMPLED_ALERTS}) as newest`);
  return row?.matches ?? 0;
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

/** `hr-ws-014 -test` → `('hr' <-> 'ws' <-> '014':*) & !('test':*)` */
function writeQuery(search: string): string {
  const terms = [...search.matchAll(TERM)].flatMap(({ groups = {} }) => {
    const { excluded, phrase, plain = '' } = groups;
    const words = splitWords(phrase ?? plain);
    const last = words.length - 1;
    const isBeginning = phrase === undefined && plain.length >= SHORTEST_BEGINNING;
    const lexemes = words.map((word, at) => `'${word}'${isBeginning && at === last ? BEGINNING : ''}`);
    return lexemes.length === 0 ? [] : [`${excluded === '-' ? '!' : ''}(${lexemes.join(' <-> ')})`];
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
