import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid, uuidFloor } from '../../db/ids.js';
import type { RetentionRule } from '../../domain/organization/retention.js';
import type { CaseTasks } from '../../services/case-tasks/wire.js';
import type { CreatedCredentialLink } from '../../services/credential-links/wire.js';
import type { CreatedInvitation } from '../../services/invitations/wire.js';
import type { Retention, RetentionCount } from '../../services/retention/wire.js';
import {
  ago,
  backdateAuditLog,
  changeAlerts,
  changeCases,
  changeCredentialLinks,
  changeInvitations,
  changeRetentionRules,
  fromNow,
  storeProposal,
  storeRecord,
  storeSkillResult,
  storeSkillRun,
  storeStreamEvent,
} from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { testbedSkills } from '../support/testbed.js';
import { writeEvent } from '../support/webhook-receiver.js';

const PATH = '/platformapi/organizations/DEMO/retention';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ skills: testbedSkills(async (question) => (question.includes('bad') ? 90 : 1)) });
});
afterAll(() => service.stop());

const keep = (rules: Partial<RetentionRule>[]) => service.request<Retention>('PUT', PATH, { body: { rules } });
const dryRun = async (rules?: Partial<RetentionRule>[]) =>
  (await service.request<{ items: RetentionCount[] }>('POST', `${PATH}/dry-run`, { body: rules === undefined ? {} : { rules } })).body
    .items;
const applyRules = () =>
  service.temporal.workflow.execute('retention', {
    taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
    workflowId: `retention-${newUuid()}`,
  });

/** An investigated alert whose case was closed so many days ago. */
async function closedAlert(daysAgo: number, given: { type?: string; content?: string; isOpen?: boolean } = {}) {
  const alert = await service.sendAlert({ alert_type: given.type ?? 'Testbed', alert_content: given.content ?? 'a quiet one' });
  await service.waitForStatus(alert.alert_id, 15);
  const caseId = (await service.readCase(alert.alert_id)).case_id;
  if (!given.isOpen) {
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { body: { status: 'closed' } });
    await changeCases(service, { caseId }, { closedAt: ago({ days: daysAgo }) });
  }
  await changeAlerts(service, { alertId: alert.alert_id }, { createdAt: ago({ days: daysAgo + 1 }) });
  return { alertId: alert.alert_id, alertUuid: alert.alert_uuid, caseId };
}

const exists = async (alertId: string) => (await service.request('GET', `/platformapi/alerts/${alertId}`)).status === 200;
const hasHistory = (workflowId: string) =>
  service.temporal.workflow
    .getHandle(workflowId)
    .describe()
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      },
    );
/** Temporal's visibility store, which finds the runs of a case, is some seconds behind. */
const untilListed = (alertId: string) =>
  waitFor('the run to be listed', async () => (await service.temporal.workflow.count(`WorkflowId = '${alertId}'`)).count > 0);

describe('closed cases', () => {
  it('go with all their data and histories, and everything in use stays', async () => {
    const { pg } = service.database;
    const old = await closedAlert(40, { content: 'a quiet one from 203.0.113.40 and 203.0.113.41' });
    const others = {
      young: await closedAlert(20, { content: 'a quiet one from 203.0.113.41' }),
      open: await closedAlert(40, { isOpen: true }),
      grave: await closedAlert(40, { content: 'a bad one' }),
      followed: await closedAlert(40, { type: 'Testbed in turn', content: 'watch it' }),
      running: await closedAlert(40),
      proposing: await closedAlert(40),
      written: await closedAlert(40),
      held: await closedAlert(40),
    };
    const { alertId } = others.running;
    await changeAlerts(service, { alertId }, { investigationStatus: 10, modifiedAt: fromNow({ hours: 1 }) });
    await storeProposal(service, { alertUuid: others.proposing.alertUuid, proposedAt: fromNow({ hours: 1 }) });
    const { alertUuid } = others.written;
    await storeSkillResult(service, { alertUuid, operationKey: 'reserved', status: 'started', startedAt: ago({ days: 40 }) });
    const hold = `/platformapi/cases/${others.held.caseId}/legal-hold`;
    expect((await service.request('POST', hold, { body: { reason: 'A court asked.' } })).status).toBe(204);
    expect((await service.request('POST', hold, { body: { reason: 'Again.' } })).status).toBe(409);
    expect((await service.readCase(others.held.alertId)).legal_hold).toMatchObject({ reason: 'A court asked.' });

    const rules = [
      { kind: 'alerts', severity: null, days: 30 },
      { kind: 'alerts', severity: 'critical', days: 300 },
      { kind: 'alerts', severity: 'high', days: 300 },
    ] as const;
    const [counted] = await dryRun([...rules]);
    expect(counted).toMatchObject({ would_delete: 1, held: 1 });
    expect(await exists(old.alertId)).toBe(true);

    await keep([...rules]);
    const settings = { api_host: 'https://intelligence.example' };
    const body = { organization_code: 'DEMO', connector: 'threat-intelligence', instance_name: 'By link', settings };
    const { link_id: linkUuid } = (await service.request<CreatedCredentialLink>('POST', '/platformapi/credential-links', { body })).body;
    await changeCredentialLinks(service, { linkUuid }, { expiresAt: ago({ days: 31 }) });
    await untilListed(old.alertId);
    await applyRules();
    expect(await pg`select from credential_links where link_uuid = ${linkUuid}`).toHaveLength(0);
    expect(await exists(old.alertId)).toBe(false);
    for (const table of ['alerts', 'alert_texts', 'alert_entities', 'investigations', 'evidence', 'skill_results', 'case_alerts'])
      expect(await pg`select 1 from ${pg(table)} where alert_uuid = ${old.alertUuid}`, table).toHaveLength(0);
    expect(await pg`select 1 from cases where case_id = ${old.caseId}`).toHaveLength(0);
    expect(await pg`select value from entity_values where value like '203.0.113.4%'`).toEqual([{ value: '203.0.113.41' }]);
    await waitFor('the history to be deleted', async () => !(await hasHistory(old.alertId)));
    for (const [name, { alertId }] of Object.entries(others)) expect(await exists(alertId), name).toBe(true);
    expect(await hasHistory(others.young.alertId)).toBe(true);
    const { body: audit } = await service.request<{ items: unknown[] }>('GET', '/platformapi/audit?action=retention.delete');
    expect(audit.items).toMatchObject([{ details: { kind: 'alerts', deleted: 1 } }]);

    const { api_key: analyst } = await service.createKey('analyst');
    const release = { body: { reason: 'The court is done.' } };
    expect((await service.request('POST', `${hold}/release`, { ...release, key: analyst })).status).toBe(403);
    expect((await service.request('POST', `${hold}/release`, release)).status).toBe(204);
    expect((await service.request('POST', `${hold}/release`, release)).status).toBe(409);
    await applyRules();
    expect(await exists(others.held.alertId)).toBe(false);
    await keep([]);
    await changeAlerts(service, { alertId }, { investigationStatus: 15 });
  });

  it('stay while the organization has a legal hold', async () => {
    const { alertId } = await closedAlert(40);
    await keep([{ kind: 'alerts', days: 30 }]);
    const hold = '/platformapi/organizations/DEMO/legal-hold';
    const body = { reason: 'An audit.' };
    expect((await service.request('POST', hold, { body })).body).toMatchObject({ legal_hold: { reason: 'An audit.' } });
    await applyRules();
    expect(await exists(alertId)).toBe(true);
    expect((await service.request('POST', `${hold}/release`, { body })).body).toMatchObject({ legal_hold: null });
    await applyRules();
    expect(await exists(alertId)).toBe(false);
    await keep([]);
  });
});

describe('other data', () => {
  it('goes by its own rule: answers, records, stream events', async () => {
    const { pg } = service.database;
    const [connection] = await pg<{ uuid: string }[]>`select connection_uuid as uuid from connections limit 1`;
    const { uuid } = connection ?? expect.fail('there is no connection');
    const young = (await closedAlert(0)).alertUuid;
    // The answer of a manual run that a second person approved.
    const then = Date.parse('2020-01-01') / 1000;
    const runId = await storeSkillRun(service, { connectionUuid: uuid, state: 'done', askedAt: then, endedAt: then });
    const facts = { connection_id: uuid, connector: 'x', instance_name: 'x', skill_id: 'x', requested_by: 'dana' };
    await writeEvent(service, 'run.decided', runId, { ...facts, run_id: runId, decision: 'approved' });
    await storeSkillResult(service, { resultUuid: uuidFloor(then), connectionUuid: uuid, runUuid: runId, startedAt: then });
    for (const [id, days] of [
      ['old', 20],
      ['new', 1],
    ] as const) {
      await storeRecord(service, uuid, { recordId: id, copiedAt: ago({ days }) });
      await storeStreamEvent(service, uuid, { eventKey: id, at: ago({ days }) });
    }
    // The evidence of a held case cites the answer of a question that another alert asked.
    const held = await closedAlert(0);
    await service.request('POST', `/platformapi/cases/${held.caseId}/legal-hold`, { body: { reason: 'Keep it.' } });
    const later = Date.parse('2022-01-01') / 1000;
    const cited = uuidFloor(later);
    await storeSkillResult(service, { resultUuid: cited, connectionUuid: uuid, startedAt: later });
    const citing = await pg`
      update evidence set source = coalesce(source, '{}') || jsonb_build_object('result_id', ${cited}::text) where alert_uuid = ${held.alertUuid}
      returning 1`;
    expect(citing.length).toBeGreaterThan(0);
    const rules = [
      { kind: 'answers', days: 10 },
      { kind: 'records', days: 10 },
      { kind: 'stream-events', days: 10 },
    ] as const;
    const counted = await dryRun([...rules]);
    expect(counted.map(({ kind, would_delete }) => [kind, would_delete])).toEqual([
      ['answers', 1],
      ['records', 1],
      ['stream-events', 1],
    ]);
    await keep([...rules]);
    await applyRules();
    expect(await pg`select record_id from third_party_records`).toEqual([{ record_id: 'new' }]);
    expect(await pg`select record_id from record_values`).toEqual([{ record_id: 'new' }]);
    expect(await pg`select event_key from stream_events`).toEqual([{ event_key: 'new' }]);
    expect(await pg`select 1 from skill_results where started_at < '2021-01-01'`).toHaveLength(0);
    expect(await pg`select 1 from skill_results where result_uuid = ${cited}`).toHaveLength(1);
    expect(await pg`select 1 from skill_runs where run_uuid = ${runId}`).toHaveLength(0);
    expect(await pg`select 1 from notification_subjects where subject_uuid = ${runId}`).toHaveLength(0);
    expect((await pg`select 1 from skill_results where alert_uuid = ${young}`).length).toBeGreaterThan(0);
    await keep([]);
  });

  it('includes the histories of ended runs, but not those of a held case', async () => {
    const [gone, held] = [await closedAlert(0), await closedAlert(0)];
    await service.request('POST', `/platformapi/cases/${held.caseId}/legal-hold`, { body: { reason: 'Keep it.' } });
    for (const { alertId } of [gone, held]) {
      await waitFor(
        'the run to end',
        async () => (await service.temporal.workflow.getHandle(alertId).describe()).status.name === 'COMPLETED',
      );
      await untilListed(alertId);
    }
    await keep([{ kind: 'histories', days: 1 }]);
    await applyRules();
    expect(await hasHistory(gone.alertId)).toBe(true);
    // Temporal does not let a test change the end of a run, so the rule gets a day that is not over yet.
    await service.database.pg`alter table retention_rules drop constraint retention_rules_days`;
    await changeRetentionRules(service, {}, { days: -1 });
    onTestFinished(async () => {
      await keep([]);
      await service.database
        .pg`alter table retention_rules add constraint retention_rules_days check (days >= case kind when 'audit' then 90 else 1 end)`;
    });
    await applyRules();
    await waitFor('the history to be deleted', async () => !(await hasHistory(gone.alertId)));
    expect(await exists(gone.alertId)).toBe(true);
    expect(await hasHistory(held.alertId)).toBe(true);
  });

  it('includes old entries of the audit log, which nothing else can delete', async () => {
    const { pg } = service.database;
    const [organization] = await pg<
      { uuid: string }[]
    >`select organization_uuid as uuid from organizations where organization_code = 'DEMO'`;
    const uuid = organization?.uuid ?? '';
    const [heldCase] = await pg<{ id: string }[]>`select case_id as id from cases join legal_holds using (case_uuid) limit 1`;
    const tasks = `/platformapi/cases/${heldCase?.id}/tasks`;
    const added = await service.request<CaseTasks>('POST', tasks, { body: { titles: ['Call Dana'] } });
    await service.request('PATCH', `${tasks}/${added.body.items[0]?.task_id}`, { body: { done: true } });
    // The case into which a held one is merged has the hold, too.
    const { caseId: homeId } = await closedAlert(0, { isOpen: true });
    expect(
      (await service.request('POST', `/platformapi/cases/${heldCase?.id}/merge`, { body: { into: homeId, reason: 'The same.' } })).status,
    ).toBe(200);
    await service.request('POST', `/platformapi/cases/${homeId}/tasks`, { body: { titles: ['Call Rui'] } });
    const listHome = () => pg`select action from audit_log where target = ${homeId} or details->>'case_id' = ${homeId} order by entry_no`;
    const ofHome = await listHome();
    expect(ofHome.length).toBeGreaterThan(0);
    await backdateAuditLog(service, 200);
    const count = async () =>
      (await pg`select 1 from audit_log where organization_uuid = ${uuid} and at < now() - interval '100 days'`).length;
    const before = await count();
    expect(before).toBeGreaterThan(3);
    for (const change of [
      pg`delete from audit_log where organization_uuid is null`,
      pg`update audit_log set target = 'x' where organization_uuid = ${uuid}`,
      pg`truncate audit_log`,
    ])
      await expect(change).rejects.toThrow('append-only');
    await keep([{ kind: 'audit', days: 100 }]);
    await expect(pg`delete from audit_log where organization_uuid = ${uuid}`).rejects.toThrow('append-only');
    expect(await count()).toBe(before);
    await applyRules();
    const held =
      await pg`select 1 from audit_log where target in (select alert_id from alerts join case_alerts using (alert_uuid) join legal_holds using (case_uuid))`;
    expect(held.length).toBeGreaterThan(0);
    expect(await pg`select 1 from audit_log where action = 'task.update' and details->>'case_id' = ${heldCase?.id ?? ''}`).toHaveLength(1);
    expect(await listHome()).toEqual(ofHome);
    expect(await count()).toBeLessThan(before);
    expect((await dryRun()).map(({ would_delete }) => would_delete)).toEqual([0]);
    await keep([]);
  });

  it('includes entries and invitations without an organization, after the days of the setting', async () => {
    const { db, pg } = service.database;
    const { caseId } = await closedAlert(0);
    await service.request('POST', `/platformapi/cases/${caseId}/legal-hold`, { body: { reason: 'Keep it.' } });
    await db.transaction(async (transaction) => {
      for (const target of ['cases of all', caseId])
        await recordAudit(transaction, { by: null, organizationUuid: null, action: 'case.export', target });
    });
    const invite = async (email: string) => {
      const body = { email, role: 'analyst', organization_code: null };
      return (await service.request<CreatedInvitation>('POST', '/platformapi/invitations', { body })).body.invitation_uuid;
    };
    await invite('young@demo.example');
    await changeInvitations(service, { invitationUuid: await invite('old@demo.example') }, { expiresAt: ago({ days: 731 }) });
    await backdateAuditLog(service, 731);
    const countOfDemo = async () =>
      (await pg`select 1 from audit_log where organization_uuid is not null and at < now() - interval '1 year'`).length;
    const listShared = async () =>
      (await pg`select target from audit_log where organization_uuid is null and at < now() - interval '1 year'`).map(
        ({ target }) => target,
      );
    const ofDemo = await countOfDemo();
    const before = await listShared();
    expect(before).toContain('cases of all');

    // An entry without an organization can be about any of them.
    const hold = '/platformapi/organizations/DEMO/legal-hold';
    await service.request('POST', hold, { body: { reason: 'An audit.' } });
    await applyRules();
    expect(await listShared()).toEqual(before);
    expect(await pg`select email from invitations where organization_uuid is null`).toHaveLength(2);
    await service.request('POST', `${hold}/release`, { body: { reason: 'It ended.' } });

    await applyRules();
    expect(await listShared()).toEqual([caseId]);
    expect(await countOfDemo()).toBe(ofDemo);
    expect(await pg`select email from invitations where organization_uuid is null`).toEqual([{ email: 'young@demo.example' }]);
    const { body } = await service.request<{ items: object[] }>('GET', '/platformapi/audit?action=retention.delete&target=shared');
    expect(body.items.map((item) => ('details' in item ? item.details : null))).toEqual([
      { kind: 'invitations', days: 730, deleted: 1 },
      { kind: 'audit', days: 730, deleted: before.length - 1 },
    ]);
  });
});
