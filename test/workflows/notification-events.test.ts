import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import { markAgentSeen } from '../../db/agents/remote-agents.js';
import { lockCaseRow } from '../../db/cases/case-rows.js';
import { deleteOldEvents } from '../../db/notifications/events.js';
import { tryLockRouter } from '../../db/notifications/routing.js';
import { describeEvent, parseEvent } from '../../domain/notification/event.js';
import { announceSilentAgents } from '../../services/agents/announce-silent.js';
import { changeCaseRow } from '../../services/cases/change-case-row.js';
import { announceExpiringSecrets } from '../../services/connections/announce-expiring-secrets.js';
import { asService, inTransaction } from '../../services/context.js';
import type { SkillRun } from '../../services/skill-runs/wire.js';
import { ago, changeAgents, changeConnections, changeEvents, inDays } from '../support/rows.js';
import { waitFor } from '../support/service.js';
import { type ProposalKit, startProposalKit } from './proposals/support.js';

const [DANA_PC, RUI_PC] = COMPUTERS;
let kit: ProposalKit;

beforeAll(async () => {
  kit = await startProposalKit();
});
afterAll(() => kit?.stop());

interface StoredEvent {
  readonly id: string;
  readonly name: string;
  readonly organization: string;
  readonly sequence: number;
  readonly at: number;
  readonly data: Record<string, unknown>;
}

/** The events of a case, connection or agent, in their order. Each matches its schema and has a headline. */
async function listEvents(subject: string) {
  const stored = await kit.service.database.pg<StoredEvent[]>`
    select event_uuid as id, notification_events.name, organization_code as organization, sequence::int, extract(epoch from at)::int as at, data
    from notification_events join organizations using (organization_uuid)
    where subject_uuid::text = ${subject} or data->>'case_id' = ${subject} order by event_no`;
  const events = stored.map(parseEvent);
  for (const event of events) expect(describeEvent(event).path).toMatch(/^\/[a-z]/);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  return events.map(({ name, data }) => ({ ...data, event: name }));
}

const patchCase = (caseId: string, body: object) => kit.service.request('PATCH', `/platformapi/cases/${caseId}`, { body });

describe('each change writes its event in the same transaction', () => {
  it('for a case from its opening to the decision about a proposal', async () => {
    const { alertId, proposal } = await kit.investigated(DANA_PC.machineId);
    const { case_id: caseId, verdict, severity } = await kit.service.readCase(alertId);
    const { name: person } = (await kit.service.request<{ name: string }>('GET', '/platformapi/session')).body;
    expect(await patchCase(caseId, { assignee: person })).toMatchObject({ status: 200 });
    expect(await patchCase(caseId, { comment: `The owner is on leave, @${person}.` })).toMatchObject({ status: 200 });
    expect(await patchCase(caseId, { assignee: person })).toMatchObject({ status: 200 });
    await patchCase(caseId, { analyst_verdict: { verdict: 'malicious', reason: 'Seen before.' } });
    await kit.decide(proposal.proposal_id, 'refuse', { reason: 'It is a spare.' });

    const now = { case_id: caseId, verdict, severity, assignee: null };
    const named = { skill_id: 'Isolate machine', skill_key: 'endpointDetection.isolateMachine' };
    const its = { alert_id: alertId, proposal_id: proposal.proposal_id, ...named };
    expect(await listEvents(caseId)).toEqual([
      { event: 'case.opened', ...now, verdict: null, severity: null, alert_id: alertId },
      { event: 'proposal.waiting', ...now, verdict: null, severity: null, ...its },
      { event: 'case.verdict_changed', ...now, previous_verdict: null, previous_severity: null },
      { event: 'case.assigned', ...now, assignee: person, previous_assignee: null, assigned_by: person },
      { event: 'case.commented', ...now, assignee: person, author: person, mentions: [person] },
      {
        event: 'case.verdict_changed',
        ...now,
        assignee: person,
        verdict: 'malicious',
        previous_verdict: verdict,
        previous_severity: severity,
      },
      { event: 'proposal.decided', ...now, assignee: person, verdict: 'malicious', ...its, decision: 'refused' },
    ]);
  });

  it('for an action that fails', async () => {
    const { proposal } = await kit.investigated(RUI_PC.machineId);
    kit.endpoints.faults.next({ match: ({ url }) => url.endsWith('/isolate'), status: 400, body: { error: { code: 'BadRequest' } } });
    await kit.decide(proposal.proposal_id, 'approve', {});
    await kit.reach(proposal.proposal_id, 'failed');
    const events = await listEvents(proposal.case_id ?? '');
    expect(events.slice(-2)).toMatchObject([
      { event: 'proposal.decided', decision: 'approved' },
      { event: 'action.failed', proposal_id: proposal.proposal_id, skill_id: 'Isolate machine' },
    ]);
  });

  it('for a manual run that needs a second person, and its decision', async () => {
    const connection = { connectionUuid: kit.connectionId };
    await changeConnections(kit.service, connection, { needsSecondPerson: true });
    const { body: run } = await kit.service.request<SkillRun>(
      'POST',
      `/platformapi/connections/${kit.connectionId}/skills/isolate-machine`,
      { body: { input: { machine_id: DANA_PC.machineId, comment: 'Stolen.' }, confirm: true } },
    );
    const waiting = {
      run_id: run.run_id,
      skill_id: 'Isolate machine',
      skill_key: 'endpointDetection.isolateMachine',
      requested_by: run.asked_by,
      connection_id: kit.connectionId,
      connector: 'endpoint-detection',
      instance_name: 'Endpoints',
    };
    expect(await listEvents(run.run_id)).toEqual([{ event: 'run.waiting', ...waiting }]);
    await kit.service.request('POST', `/platformapi/skill-runs/${run.run_id}/decision`, { body: { approve: false } });
    expect(await listEvents(run.run_id)).toEqual([
      { event: 'run.waiting', ...waiting },
      { event: 'run.decided', ...waiting, decision: 'refused' },
    ]);
    await changeConnections(kit.service, connection, { needsSecondPerson: false });
  });

  it('for an investigation that fails', async () => {
    const { alert_id: alertId } = await kit.service.sendAlert({ alert_type: 'Testbed refusing' });
    await kit.service.waitForStatus(alertId, 20);
    const { case_id: caseId } = await kit.service.readCase(alertId);
    const events = await listEvents(caseId);
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['case.opened', 'alert.failed']));
    expect(events.find(({ event }) => event === 'alert.failed')).toMatchObject({
      alert_id: alertId,
      case_id: caseId,
      verdict: 'inconclusive',
    });
  });

  it('for a connection that breaks and works again', async () => {
    const { clientId: client_id, clientSecret } = kit.endpoints.state.identity;
    const reconnect = (client_secret: string) =>
      kit.service.request('POST', `/platformapi/connections/${kit.connectionId}/reconnect`, {
        body: { credentials: { tenant_id: kit.endpoints.state.identity.tenantId, client_id, client_secret } },
      });
    await reconnect('wrong');
    const connection = { connection_id: kit.connectionId, connector: 'endpoint-detection', instance_name: 'Endpoints' };
    expect(await listEvents(kit.connectionId)).toEqual([{ event: 'connection.broken', ...connection }]);
    // Announced once, and it does not hide that the connection was broken.
    const { db } = kit.service.database;
    await changeConnections(kit.service, { connectionUuid: kit.connectionId }, { secretExpiresOn: inDays(5) });
    for (const _ of [1, 2]) await announceExpiringSecrets(asService(db));
    await reconnect(clientSecret);
    expect(await listEvents(kit.connectionId)).toEqual([
      { event: 'connection.broken', ...connection },
      { event: 'secret.expiring', ...connection, expires_on: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) },
      { event: 'connection.restored', ...connection },
    ]);
  });

  it('for a remote agent that was there and does not respond, once', async () => {
    const { db, pg } = kit.service.database;
    const body = { organization_code: 'DEMO', name: 'plant' };
    const { agent_id, token } = (
      await kit.service.request<{ agent_id: string; token: string }>('POST', '/platformapi/remote-agents', { body })
    ).body;
    await announceSilentAgents(asService(db));
    expect(await listEvents(agent_id)).toEqual([]);
    const beSilent = () => changeAgents(kit.service, { agentUuid: agent_id }, { lastSeenAt: ago({ minutes: 10 }) });
    for (const _ of [1, 2]) {
      await markAgentSeen(pg, token);
      await beSilent();
      await announceSilentAgents(asService(db));
      await announceSilentAgents(asService(db));
    }
    const away = { event: 'agent.away', name: 'plant', agent_id, last_seen_at: expect.any(Number) };
    expect(await listEvents(agent_id)).toMatchObject([away, away]);
  });
});

async function anyCase(): Promise<string> {
  const { alert_id: alertId } = await kit.service.sendAlert({ alert_type: 'Odd sign-in' });
  await kit.service.waitForStatus(alertId, 15);
  return (await kit.service.readCase(alertId)).case_id;
}

it('a change that is rolled back has no event', async () => {
  const caseId = await anyCase();
  const before = await listEvents(caseId);
  const undone = inTransaction(asService(kit.service.database.db), async (inside) => {
    const found = (await lockCaseRow(inside.db, null, caseId)) ?? expect.fail(`${caseId} is missing`);
    await changeCaseRow(inside, found, { assignee: 'ines' });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await listEvents(caseId)).toEqual(before);
});

it('concurrent changes of one case keep the order of their commits and do not deadlock', async () => {
  const caseId = await anyCase();
  const count = (await listEvents(caseId)).length;
  const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => patchCase(caseId, { comment: `Comment ${index}` })));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await listEvents(caseId)).toHaveLength(count + 20);
});

it('old events are deleted, except those that wait for the router', async () => {
  const { db, pg } = kit.service.database;
  const caseId = await anyCase();
  const [event] = await pg<
    { subject: string }[]
  >`select subject_uuid as subject from notification_events where data->>'case_id' = ${caseId}`;
  const subjectUuid = event?.subject ?? '';
  await db.transaction(async (transaction) => {
    await waitFor('the lock that keeps the router away', async () => await tryLockRouter(transaction));
    await changeEvents(kit.service, { subjectUuid }, { at: ago({ days: 31 }), routedAt: null });
    await changeEvents(kit.service, { subjectUuid, sequence: 1 }, { routedAt: ago({}) });
    await deleteOldEvents(pg);
  });
  const left = await pg`select sequence::int from notification_events where data->>'case_id' = ${caseId} order by event_no`;
  expect(left.map((row) => row['sequence'])).toEqual([2]);
});
