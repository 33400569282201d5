import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../client.js';
import { alertTexts } from '../schema/index.js';

/** These characters separate words, as in `alert_words` of the database. */
const SEPARATORS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** A shorter beginning of a term would match too many words. */
const SHORTEST_BEGINNING = 3;

/** Up to this number, fetching all matches costs less than scanning back from the newest alert. */
const FEW_MATCHES = 1500;
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** So many of the newest alerts show how frequent words are, which no statistics of Postgres do. */
const SAMPLED_ALERTS = 500;
/** With so many matches in the sample, the page of an organization, or of all, is full sooner than the index finds the matches of a block. */
const FREQUENT_FROM = { organization: 25, all: 100 };

interface WordSearch {
  readonly search: string;
  /** null: all organizations. */
  readonly organizationUuid: string | null;
}

/**
 * Reads alerts whose words match a search, newest first: every term, where the last word of a term may be a beginning; "a phrase" of whole
 * words; -excluded. `read` adds the other conditions and returns at most `limit` rows. Frequent words are compared alert by alert from the
 * newest back. The others come from the index block by block, so that a beginning of many words, all of them old, costs one block.
 */
export async function readNewestWithWords<Row>(
  db: Db,
  words: WordSearch & { readonly alertUuid: PgColumn; readonly before: string | null; readonly limit: number },
  read: (matches: SQL) => Promise<Row[]>,
): Promise<Row[]> {
  const queries = await prepareQueries(db, words);
  if (queries.areFrequent) return read(containsWords(sql`${words.alertUuid}`, queries.query));
  const rows: Row[] = [];
  let before = words.before ?? LAST_UUID;
  // Other filters may leave out some of the matches.
  for (let wanted = words.limit; ; wanted *= 4) {
    const keys = await findNewest(db, queries, before, wanted);
    if (keys.length > 0) rows.push(...(await read(isOneOf(words.alertUuid, keys))));
    if (rows.length >= words.limit || keys.length < wanted) return rows.slice(0, words.limit);
    before = keys.at(-1) ?? before;
  }
}

/** The same matches as a condition, for other orders. */
export async function matchWords(db: Db, alertUuid: PgColumn, words: WordSearch): Promise<SQL> {
  const queries = await prepareQueries(db, words);
  if (queries.areFrequent) return containsWords(sql`${alertUuid}`, queries.query);
  const keys = await findNewest(db, queries, LAST_UUID, FEW_MATCHES + 1);
  return keys.length > FEW_MATCHES
    ? sql`${alertUuid} in (select find_words(${queries.indexed}, ${queries.query}, ${words.organizationUuid}, ${LAST_UUID}, null))`
    : isOneOf(alertUuid, keys);
}

interface Queries {
  readonly query: SQL;
  /** The index finds the alerts that match this, and `query` filters them. */
  readonly indexed: SQL;
  readonly organizationUuid: string | null;
  readonly areFrequent: boolean;
}

async function prepareQueries(db: Db, { search, organizationUuid }: WordSearch): Promise<Queries> {
  const query = toQuery(search, writeQuery(search));
  const ends = writeQuery(search, 'ends');
  const sample = await sampleNewest(db, organizationUuid, { query, ends: sql`to_tsquery('simple', ${ends})` });
  // Nearly all alerts may have the end of a name, such as "exam" in "ws-014.exam", so the index finds the other words of it.
  const areEndsFrequent = ends !== '' && sample.withEnds >= SAMPLED_ALERTS / 2;
  const indexed = areEndsFrequent ? toQuery(search, writeQuery(search, 'beforeEnds')) : query;
  const frequentFrom = FREQUENT_FROM[organizationUuid === null ? 'all' : 'organization'];
  return { query, indexed, organizationUuid, areFrequent: sample.matches >= frequentFrom };
}

async function findNewest(db: Db, { query, indexed, organizationUuid }: Queries, before: string, wanted: number): Promise<string[]> {
  const rows = await db.execute<{ key: string }>(
    sql`select find_words(${indexed}, ${query}, ${organizationUuid}, ${before}, ${wanted}) as key`,
  );
  return rows.map(({ key }) => key);
}

function isOneOf(alertUuid: PgColumn, keys: readonly string[]): SQL {
  return sql`${alertUuid} = any(${`{${keys.join(',')}}`}::uuid[])`;
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
