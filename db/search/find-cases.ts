import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { CASE_TITLE_LENGTH } from '../../domain/case/case-title.js';
import { cutSnippet, HITS_PER_GROUP, type SearchHit } from '../../domain/search/search.js';
import type { Db } from '../client.js';
import { MAX_READ, readByIndex } from '../read-by-index.js';
import { alerts, caseAlerts, cases, organizations } from '../schema/index.js';
import type { FoundAlert } from './find-alerts.js';
import { canUseIndex, contains, type Question } from './question.js';

/** The case with this id, then cases with the text in their title. */
export async function findCasesByTitle(db: Db, question: Question): Promise<SearchHit[]> {
  const [named, titled] = await Promise.all([
    readCases(db, question, eq(cases.caseId, question.text.trim().toUpperCase())),
    canUseIndex(question) ? readTitled(db, question) : [],
  ]);
  return [...named, ...titled];
}

export async function findCasesOfAlerts(db: Db, question: Question, found: readonly FoundAlert[]): Promise<SearchHit[]> {
  if (found.length === 0) return [];
  const alertUuids = found.map(({ alertUuid }) => alertUuid);
  const ofAlerts = db.select({ caseUuid: caseAlerts.caseUuid }).from(caseAlerts).where(inArray(caseAlerts.alertUuid, alertUuids));
  return readCases(db, question, inArray(cases.caseUuid, ofAlerts));
}

/** With so many of the newest cases, a title that is frequent now is found without the index. */
const NEWEST_CASES = 1000;

async function readTitled(db: Db, question: Question): Promise<SearchHit[]> {
  const isInScope = question.organizationUuid === null ? undefined : eq(cases.organizationUuid, question.organizationUuid);
  const newest = db
    .select({ key: cases.caseUuid, title: cases.title })
    .from(cases)
    .where(isInScope)
    .orderBy(desc(cases.caseUuid))
    .limit(NEWEST_CASES)
    .as('newest');
  const recent = await db
    .select({ key: newest.key })
    .from(newest)
    .where(contains(question, newest.title))
    .orderBy(desc(newest.key))
    .limit(HITS_PER_GROUP);
  const others =
    recent.length === HITS_PER_GROUP
      ? []
      : await readByIndex(db, (tx) =>
          tx
            .select({ key: cases.caseUuid })
            .from(cases)
            .where(and(isInScope, contains(question, cases.title)))
            .limit(MAX_READ),
        );
  const keys = [...new Set([...recent, ...others].map(({ key }) => key))].sort().reverse().slice(0, HITS_PER_GROUP);
  return keys.length === 0 ? [] : readCases(db, question, inArray(cases.caseUuid, keys));
}

async function readCases(db: Db, { organizationUuid, terms }: Question, matches: SQL | undefined): Promise<SearchHit[]> {
  const rows = await db
    .select({
      id: cases.caseId,
      title: sql<string>`coalesce(nullif(${cases.title}, ''), left(${alerts.alertType}, ${CASE_TITLE_LENGTH}))`,
      summary: cases.summary,
      organization_code: organizations.organizationCode,
      at: cases.openedAt,
      verdict: cases.verdict,
      severity: cases.severity,
    })
    .from(cases)
    .innerJoin(organizations, eq(organizations.organizationUuid, cases.organizationUuid))
    .innerJoin(alerts, eq(alerts.alertUuid, cases.alertUuid))
    .where(and(organizationUuid === null ? undefined : eq(cases.organizationUuid, organizationUuid), matches))
    .orderBy(desc(cases.caseUuid))
    .limit(HITS_PER_GROUP);
  return rows.map(({ summary, ...row }) => ({
    ...row,
    snippet: cutSnippet(summary, terms),
    page: `/cases/${encodeURIComponent(row.id)}`,
  }));
}
