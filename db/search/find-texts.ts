import { and, desc, eq, ne } from 'drizzle-orm';
import { cutSnippet, HITS_PER_GROUP, type SearchHit } from '../../domain/search/search.js';
import type { Db } from '../client.js';
import { currentName } from '../identity/people.js';
import { alerts, caseAlerts, cases, caseTimeline, connections, evidence, organizations } from '../schema/index.js';
import { canUseIndex, contains, type Question } from './question.js';

/** Comments of people, newest first. */
export async function findComments(db: Db, question: Question): Promise<SearchHit[]> {
  if (!canUseIndex(question)) return [];
  const rows = await db
    .select({
      id: cases.caseId,
      by: currentName(caseTimeline.byUuid, caseTimeline.by),
      text: caseTimeline.text,
      organization_code: organizations.organizationCode,
      at: caseTimeline.at,
    })
    .from(caseTimeline)
    .innerJoin(cases, eq(cases.caseUuid, caseTimeline.caseUuid))
    .innerJoin(organizations, eq(organizations.organizationUuid, cases.organizationUuid))
    .where(and(belongsTo(question, cases), eq(caseTimeline.kind, 'comment'), contains(question, caseTimeline.text)))
    .orderBy(desc(caseTimeline.entryNo))
    .limit(HITS_PER_GROUP);
  return rows.map(({ by, text, ...row }) => ({
    ...row,
    title: `${by ?? 'Service'} on ${row.id}`,
    snippet: cutSnippet(text, question.terms),
    verdict: null,
    severity: null,
    page: `/cases/${encodeURIComponent(row.id)}?tab=timeline`,
  }));
}

/** Findings that changed a score, newest first. */
export async function findEvidence(db: Db, question: Question): Promise<SearchHit[]> {
  if (!canUseIndex(question)) return [];
  const rows = await db
    .select({
      id: cases.caseId,
      title: evidence.title,
      reason: evidence.reason,
      organization_code: organizations.organizationCode,
      at: evidence.at,
      verdict: cases.verdict,
      severity: cases.severity,
    })
    .from(evidence)
    .innerJoin(alerts, eq(alerts.alertUuid, evidence.alertUuid))
    .innerJoin(caseAlerts, eq(caseAlerts.alertUuid, evidence.alertUuid))
    .innerJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .innerJoin(organizations, eq(organizations.organizationUuid, alerts.organizationUuid))
    .where(and(belongsTo(question, alerts), ne(evidence.points, 0), contains(question, evidence.reason, evidence.title)))
    .orderBy(desc(evidence.alertUuid))
    .limit(HITS_PER_GROUP);
  return rows.map(({ reason, ...row }) => ({
    ...row,
    snippet: cutSnippet(reason, question.terms),
    page: `/cases/${encodeURIComponent(row.id)}?tab=evidence`,
  }));
}

/** An organization has few connections, so no index is needed. */
export async function findConnections(db: Db, question: Question): Promise<SearchHit[]> {
  const rows = await db
    .select({
      id: connections.connectionUuid,
      title: connections.instanceName,
      description: connections.description,
      connector: connections.connectorKind,
      organization_code: organizations.organizationCode,
    })
    .from(connections)
    .innerJoin(organizations, eq(organizations.organizationUuid, connections.organizationUuid))
    .where(
      and(
        belongsTo(question, connections),
        contains(question, connections.instanceName, connections.connectorKind, connections.description),
      ),
    )
    .orderBy(connections.instanceName)
    .limit(HITS_PER_GROUP);
  return rows.map(({ connector, description, ...row }) => ({
    ...row,
    snippet: cutSnippet(description === '' ? connector : `${connector}: ${description}`, question.terms),
    at: null,
    verdict: null,
    severity: null,
    page: `/integrations/${connector}?tab=connections&connection=${row.id}`,
  }));
}

function belongsTo({ organizationUuid }: Question, table: typeof cases | typeof alerts | typeof connections) {
  return organizationUuid === null ? undefined : eq(table.organizationUuid, organizationUuid);
}
