import { findSkillKey } from '../../../connectors/skill-index.js';
import { newUuid } from '../../../db/ids.js';
import type { AlertListItem } from '../../../domain/alert/alert.js';
import { writeCaseTitle } from '../../../domain/case/case-title.js';
import type { Entity } from '../../../domain/entity/entity.js';
import type { ProvenName } from '../../../domain/entity/names.js';
import type { EvidenceDraft } from '../../../domain/verdict/evidence.js';
import { concludeFrom } from '../../../domain/verdict/verdict.js';
import { beginInvestigation } from '../../../services/investigations/begin.js';
import { concludeInvestigation } from '../../../services/investigations/conclude.js';
import { asInvestigator } from '../../../services/investigations/context.js';
import { findOrCreatePlaybook } from '../../../services/playbooks/find-or-create.js';
import { planner } from '../../../services/playbooks/planner.js';
import { propose } from '../../../services/proposals/propose.js';
import { storeSkillResult } from '../../support/rows.js';
import type { TestService } from '../../support/service.js';
import { idleContext } from '../../support/service-context.js';
import { storeConnection } from '../../support/stored-connection.js';

export const FINDING: EvidenceDraft = {
  step: 'look',
  kind: 'finding',
  source: {
    connector: 'threat-intelligence',
    connection: 'main',
    skill_id: 'Get Enrichment',
    skill_key: findSkillKey('Get Enrichment'),
  },
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

/** Does the work of a worker: opens the case of the alert and, by default, concludes it. */
export async function investigate(
  service: TestService,
  alert: AlertListItem,
  options: {
    evidence?: EvidenceDraft[];
    concluded?: boolean;
    investigationNo?: number;
    entities?: Entity[];
    names?: ProvenName[];
    planVersion?: number;
    build?: string;
  } = {},
): Promise<string> {
  const { pg } = service.database;
  const context = asInvestigator(service.database);
  const playbook = await findOrCreatePlaybook(pg, alert.organization_uuid, alert.alert_type, planner);
  const ref = { alertId: alert.alert_id, investigationNo: options.investigationNo ?? 1 };
  const { entities = [{ kind: 'ip', value: '203.0.113.9' }] } = options;
  await beginInvestigation(context, ref, {
    attempt: 1,
    playbookUuid: playbook.playbookUuid,
    planVersion: options.planVersion ?? null,
    build: options.build ?? null,
    entities,
    names: options.names ?? [],
    title: writeCaseTitle(alert.alert_type, entities),
  });
  const evidence = options.evidence ?? [FINDING];
  if (options.concluded !== false) await concludeInvestigation(context, ref, { attempt: 1, evidence, conclusion: concludeFrom(evidence) });
  const [row] = await pg<
    { case_id: string }[]
  >`select case_id from cases join case_alerts using (case_uuid) where case_alerts.alert_uuid = ${alert.alert_uuid}`;
  if (!row) throw new Error(`${alert.alert_id} has no case`);
  return row.case_id;
}

/** Stores the whole answer of a read about the alert. */
export async function storeRead(
  service: TestService,
  alert: AlertListItem,
  answer: { connectionId: string; connector: string; skillId: string; input: unknown; output: unknown },
): Promise<void> {
  const { connectionId, connector, skillId, input, output } = answer;
  await storeSkillResult(service, {
    organizationUuid: alert.organization_uuid,
    alertUuid: alert.alert_uuid,
    connectionUuid: connectionId,
    connectorKind: connector,
    skillId,
    input,
    output,
    durationMs: 5,
  });
}

/** Stores the answer of a skill, so long after the alert arrived, and returns evidence that refers to it. */
export async function recordAnswer(
  service: TestService,
  alert: AlertListItem,
  call: { connector: string; skillId: string; afterMs: number; tookMs: number; reused?: true; output?: object },
): Promise<EvidenceDraft> {
  const resultId = await storeSkillResult(service, {
    organizationUuid: alert.organization_uuid,
    alertUuid: alert.alert_uuid,
    connectorKind: call.connector,
    skillId: call.skillId,
    output: call.output ?? {},
    startedAt: alert.created_at + call.afterMs / 1000,
    durationMs: call.tookMs,
  });
  const named = { skill_id: call.skillId, skill_key: findSkillKey(call.skillId) };
  const source = { connector: call.connector, connection: 'main', ...named, result_id: resultId };
  return { ...FINDING, step: resultId, title: call.skillId, source: call.reused ? { ...source, reused: true } : source };
}

export async function countRows(service: TestService, table: string): Promise<number> {
  const [row] = await service.database.pg<{ count: number }[]>`select count(*)::int as count from ${service.database.pg(table)}`;
  return row?.count ?? 0;
}

/** Counts the changes of users. The service makes its own changes, such as a playbook for a new type, at any time. */
export async function countChanges(service: TestService): Promise<number> {
  const [row] = await service.database.pg<
    { count: number }[]
  >`select count(*)::int as count from audit_log where principal_uuid is not null`;
  return row?.count ?? 0;
}

/** Creates the proposal of a playbook for an alert that has a case, once per alert. */
export async function proposeIsolation(
  service: TestService,
  alertId: string,
  connectionId: string,
  given: Partial<Parameters<typeof propose>[1]> = {},
): Promise<string> {
  const { proposalId } = await propose(idleContext(service), {
    alertId,
    investigationNo: 1,
    connectionId,
    connector: 'endpointDetection',
    verb: 'isolateMachine',
    skillId: 'Isolate machine',
    input: { machine_id: `m of ${alertId}` },
    reason: 'It calls home.',
    assets: { hosts: ['files.north.example'], users: ['dana'], tags: ['office'] },
    releaseAfterHours: null,
    proposalKey: alertId,
    ...given,
  });
  return proposalId;
}

/** Stores the answer of a skill on a connection of the organization. */
export async function storeAnswer(service: TestService, organizationUuid: string, connector: string, output: object): Promise<void> {
  const connectionUuid = await storeConnection(service.database.db, { kind: connector, name: newUuid(), organizationUuid });
  await storeSkillResult(service, { organizationUuid, connectionUuid, connectorKind: connector, output });
}
