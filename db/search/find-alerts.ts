import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { cutSnippet, HITS_PER_GROUP, type SearchHit } from '../../domain/search/search.js';
import { readNewestWithWords } from '../alerts/alert-search.js';
import type { Db } from '../client.js';
import { newestCarriers } from '../entities/entities.js';
import { alerts, caseAlerts, cases, organizations } from '../schema/index.js';
import type { FoundEntity } from './find-entities.js';
import type { Question } from './question.js';

export interface FoundAlert {
  readonly alertUuid: string;
  readonly hit: SearchHit;
}

interface AlertKeys {
  readonly keys: readonly string[];
  /** The text is the id of the alert. */
  readonly isNamed: boolean;
}

/** The alert with this id; otherwise the newest alerts with the words. */
export async function findAlertKeys(db: Db, question: Question): Promise<AlertKeys> {
  const named = await readKeys(db, question, eq(alerts.alertId, question.text.trim()));
  if (named.length > 0) return { keys: named, isNamed: true };
  const words = { search: question.text, organizationUuid: question.organizationUuid, alertUuid: alerts.alertUuid, before: null };
  const keys = await readNewestWithWords(db, { ...words, limit: HITS_PER_GROUP }, (matches) => readKeys(db, question, matches));
  return { keys, isNamed: false };
}

/** These alerts, and alerts with one of the entities, newest first. */
export async function describeAlerts(
  db: Db,
  question: Question,
  { keys, isNamed }: AlertKeys,
  entities: readonly FoundEntity[],
): Promise<FoundAlert[]> {
  const byEntity = isNamed ? [] : await readKeysByEntity(db, entities);
  return readAlerts(db, question, [...new Set([...keys, ...byEntity])].sort().reverse().slice(0, HITS_PER_GROUP));
}

async function readKeys(db: Db, { organizationUuid }: Question, matches: SQL): Promise<string[]> {
  const rows = await db
    .select({ key: alerts.alertUuid })
    .from(alerts)
    .where(and(organizationUuid === null ? undefined : eq(alerts.organizationUuid, organizationUuid), matches))
    .orderBy(desc(alerts.alertUuid))
    .limit(HITS_PER_GROUP);
  return rows.map(({ key }) => key);
}

/** Short ranges of the index for each entity. */
async function readKeysByEntity(db: Db, entities: readonly FoundEntity[]): Promise<string[]> {
  const pages = await Promise.all(
    entities.map(({ entity }) =>
      db.execute<{ key: string }>(sql`select alert_uuid as key from ${newestCarriers(entity, HITS_PER_GROUP)} as newest`),
    ),
  );
  return pages.flat().map(({ key }) => key);
}

/** The words of so many characters are findable, see `alert_words`. */
const SEARCHED_CHARACTERS = 20_000;

async function readAlerts(db: Db, { terms }: Question, keys: readonly string[]): Promise<FoundAlert[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .select({
      alertUuid: alerts.alertUuid,
      id: alerts.alertId,
      title: alerts.alertType,
      content: sql<string>`left(${alerts.alertContent}, ${SEARCHED_CHARACTERS})`,
      organization_code: organizations.organizationCode,
      at: alerts.createdAt,
      verdict: cases.verdict,
      severity: cases.severity,
    })
    .from(alerts)
    .innerJoin(organizations, eq(organizations.organizationUuid, alerts.organizationUuid))
    .leftJoin(caseAlerts, eq(caseAlerts.alertUuid, alerts.alertUuid))
    .leftJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .where(inArray(alerts.alertUuid, [...keys]))
    .orderBy(desc(alerts.alertUuid));
  return rows.map(({ alertUuid, content, ...row }) => ({
    alertUuid,
    hit: { ...row, snippet: cutSnippet(content, terms), page: `/alerts/${encodeURIComponent(row.id)}` },
  }));
}
