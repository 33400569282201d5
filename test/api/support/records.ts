import { begin, conclude } from '../../../db/lifecycle.js';
import { findOrCreatePlaybook } from '../../../db/playbooks.js';
import type { AlertListItem } from '../../../domain/alert.js';
import type { EvidenceDraft } from '../../../domain/case.js';
import { planFor } from '../../../domain/planner.js';
import { concludeFrom } from '../../../domain/verdict.js';
import type { TestService } from '../../support/service.js';

export const FINDING: EvidenceDraft = {
  step: 'look',
  kind: 'finding',
  source: { connector: 'threat-intelligence', connection: 'main', skill_id: 'Get Enrichment' },
  title: 'Known address',
  points: 80,
  reason: 'It is on a list.',
  techniques: ['T1078'],
};

export async function createOrganization(service: TestService, code: string): Promise<string> {
  const reply = await service.request<{ organization_uuid: string }>('POST', '/platformapi/organizations', {
    body: { organization_code: code, name: `${code} Ltd` },
  });
  if (reply.status !== 201) throw new Error(`organization ${code} was answered ${reply.status}`);
  return reply.body.organization_uuid;
}

/** What a worker would have done: the alert's case, opened and (unless told otherwise) concluded. */
export async function investigate(
  service: TestService,
  alert: AlertListItem,
  options: { evidence?: EvidenceDraft[]; concluded?: boolean } = {},
): Promise<string> {
  const { sql } = service.database;
  const playbook = await findOrCreatePlaybook(sql, alert.organization_uuid, alert.alert_type, (type) => planFor(type, []));
  const ref = { alertId: alert.alert_id, investigationNo: 1 };
  await begin(sql, ref, { attempt: 1, playbookUuid: playbook.playbookUuid, entities: [{ kind: 'ip', value: '203.0.113.9' }] });
  const evidence = options.evidence ?? [FINDING];
  if (options.concluded !== false) await conclude(sql, ref, { attempt: 1, evidence, conclusion: concludeFrom(evidence) });
  const [row] = await sql<
    { case_id: string }[]
  >`select case_id from cases join case_alerts using (case_uuid) where case_alerts.alert_uuid = ${alert.alert_uuid}`;
  if (!row) throw new Error(`${alert.alert_id} has no case`);
  return row.case_id;
}

export async function countRows(service: TestService, table: string): Promise<number> {
  const [row] = await service.database.sql<{ count: number }[]>`select count(*)::int as count from ${service.database.sql(table)}`;
  return row?.count ?? 0;
}

/** Changes that somebody made; what the service does by itself (a playbook for a new type) may come at any moment. */
export async function countChanges(service: TestService): Promise<number> {
  const [row] = await service.database.sql<
    { count: number }[]
  >`select count(*)::int as count from audit_log where principal_uuid is not null`;
  return row?.count ?? 0;
}
