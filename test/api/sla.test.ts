import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTimekeeper } from '../../api/sla/timekeeper.js';
import { lockCaseRow } from '../../db/cases/case-rows.js';
import { connectDatabase, type Db } from '../../db/client.js';
import type { CaseDetail } from '../../domain/case/case.js';
import type { Overview } from '../../domain/case/overview.js';
import { type NotificationEvent, parseEvent } from '../../domain/notification/event.js';
import { AROUND_THE_CLOCK } from '../../domain/sla/calendar.js';
import type { ClockKind } from '../../domain/sla/clock.js';
import type { Severity } from '../../domain/verdict/evidence.js';
import { changeCaseRow } from '../../services/cases/change-case-row.js';
import { mergeCase } from '../../services/cases/merge.js';
import { updateCase } from '../../services/cases/update.js';
import { asService, type Context, inTransaction } from '../../services/context.js';
import type { SlaPolicy } from '../../services/sla/wire.js';
import { adminPrincipal } from '../support/principal.js';
import { ago, backdateCaseClocks, changeCaseClocks, changeCases, changeSlaPolicies, restartCaseClocks } from '../support/rows.js';
import { log, startTestService, type TestService, waitFor } from '../support/service.js';
import { idleContext } from '../support/service-context.js';
import type { ProblemBody } from './support/http.js';
import { createOrganization, FINDING, investigate } from './support/records.js';

const MINUTE = 60;
const HOUR = 3600;
const SEVERITIES = ['informational', 'low', 'medium', 'high', 'critical'];
const POLICY = {
  time_zone: 'UTC',
  hours: AROUND_THE_CLOCK,
  holidays: [],
  warn_percent: 80,
  targets: SEVERITIES.map((severity) => ({ severity, acknowledge_minutes: 30, close_minutes: 240 })),
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service?.stop());

const savePolicy = (code: string, policy: object = POLICY) =>
  service.request<SlaPolicy & ProblemBody>('PUT', `/platformapi/organizations/${code}/sla`, { body: policy });

/** A policy from before the histories of the test, which are in the past. */
async function createOrganizationWithSla(code: string, policy: object = POLICY): Promise<void> {
  const uuid = await createOrganization(service, code);
  expect(await savePolicy(code, policy)).toMatchObject({ status: 200 });
  await changeSlaPolicies(service, { organizationUuid: uuid }, { modifiedAt: ago({ days: 10 }) });
}

async function openCase(code: string, evidence = [FINDING]): Promise<string> {
  const { alert_id: alertId } = await service.sendAlert({ organization_code: code });
  return investigate(service, await service.waitForStatus(alertId, 5), { evidence });
}

const readCase = async (caseId: string) => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`)).body;
const patchCase = (caseId: string, body: object) => service.request('PATCH', `/platformapi/cases/${caseId}`, { body });

/** The due time of the clock, when the timekeeper has computed it. */
async function waitForDue(caseId: string, kind: ClockKind): Promise<number> {
  return waitFor(`${caseId} to have a due time`, async () => (await readCase(caseId)).sla[kind]?.due_at ?? null);
}

/** Commands of a person without Temporal. */
function asInes(db: Db): Context {
  return { ...idleContext({ database: { db } }), by: adminPrincipal('ines') };
}

interface History {
  readonly openedAt: number;
  readonly acknowledgedAt?: number;
  /** Closed, reopened, closed and so on. */
  readonly changes?: readonly number[];
  readonly mergedInto?: string;
}

/** Gives a case a history in the past. The transaction hides the steps from the timekeeper, which would see an old open case. */
async function rewrite(caseId: string, { openedAt, acknowledgedAt, changes = [], mergedInto }: History): Promise<void> {
  await inTransaction(asInes(service.database.db), async (inside) => {
    await changeCases({ database: inside }, { caseId }, { openedAt });
    await restartCaseClocks({ database: inside }, caseId, openedAt);
    const at = (seconds: number) => ({ ...inside, now: () => seconds });
    if (acknowledgedAt !== undefined) await updateCase(at(acknowledgedAt), caseId, { comment: 'I look.' });
    for (const [index, seconds] of changes.entries())
      await updateCase(at(seconds), caseId, { status: index % 2 === 0 ? 'closed' : 'open' });
    if (mergedInto !== undefined) await mergeCase(inside, caseId, { into: mergedInto, reason: 'The same.' });
  });
}

async function changeSeverity(caseId: string, severity: Severity): Promise<void> {
  await inTransaction(asService(service.database.db), async (inside) => {
    const found = (await lockCaseRow(inside.db, null, caseId)) ?? expect.fail(`${caseId} is missing`);
    await changeCaseRow(inside, found, { severity });
  });
}

/** The events of the clocks of a case, in their order. Each matches its schema. */
async function listEvents(caseId: string) {
  const stored = await service.database.pg<(Omit<NotificationEvent, 'name' | 'data'> & { name: string; data: unknown })[]>`
    select event_uuid as id, notification_events.name, organization_code as organization, sequence::int, extract(epoch from at)::int as at, data
    from notification_events join organizations using (organization_uuid)
    where data->>'case_id' = ${caseId} and notification_events.name like 'sla.%' order by event_no`;
  return stored.map((row) => {
    const { name, data } = parseEvent(row);
    if (name !== 'sla.due_soon' && name !== 'sla.breached') throw new Error(`${name} is no event of a clock`);
    return { name, clock: data.clock, due_at: data.due_at };
  });
}

async function untilComputed(code: string): Promise<void> {
  await waitFor(`the clocks of ${code} to be computed and marked`, async () => {
    const [left] = await service.database.pg`
      select 1 from case_clocks join organizations using (organization_uuid) where organization_code = ${code} and (is_stale
        or (stopped_at is null and breached_at is null and due_at < now() - interval '1 second')) limit 1`;
    return left === undefined;
  });
}

describe('the policy of an organization', () => {
  it('is none at first, and is saved, audited and visible to analysts of the organization only', async () => {
    await createOrganization(service, 'POLICY');
    const path = '/platformapi/organizations/POLICY/sla';
    const { api_key: key } = await service.createKey('analyst', 'POLICY');
    expect((await service.request('GET', path, { key })).body).toMatchObject({ targets: [], time_zone: 'UTC', modified_at: null });
    const given = { ...POLICY, time_zone: 'Europe/Berlin', holidays: ['2026-12-25'] };
    expect((await savePolicy('POLICY', given)).status).toBe(200);
    expect((await service.request('GET', path, { key })).body).toMatchObject({ ...given, modified_at: expect.any(Number) });
    const { api_key: stranger } = await service.createKey('analyst', 'DEMO');
    expect((await service.request('GET', path, { key: stranger })).status).toBe(404);
    const audit = await service.request<{ items: { details: object }[] }>('GET', '/platformapi/audit?action=sla.update');
    expect(audit.body.items[0]?.details).toMatchObject({ time_zone: 'Europe/Berlin' });
  });

  it.each([
    ['an unknown zone', { time_zone: 'Europe/Atlantis' }, '#/time_zone'],
    ['hours that overlap', { hours: [...AROUND_THE_CLOCK, { day: 'friday', from: '09:00', to: '10:00' }] }, '#/hours/7'],
    ['a wrong date', { holidays: ['2026-13-01'] }, '#/holidays/0'],
    ['an unknown severity', { targets: [{ severity: 'urgent', acknowledge_minutes: 5, close_minutes: 5 }] }, '#/targets/0/severity'],
    ['an unknown field', { minutes: 5 }, '#/minutes'],
  ])('is refused for %s', async (_, changed, pointer) => {
    const { status, body } = await savePolicy('DEMO', { ...POLICY, ...changed });
    expect(status).toBe(422);
    expect(body.errors?.map((each) => each.pointer)).toContain(pointer);
  });
});

describe('the clocks of a case', () => {
  it('run from the opening, and stop at the first entry of a person and at the closing', async () => {
    await createOrganizationWithSla('CLOCKS');
    const caseId = await openCase('CLOCKS');
    const due = await waitForDue(caseId, 'close');
    const { opened_at: openedAt, sla } = await readCase(caseId);
    expect(due).toBe(openedAt + 4 * HOUR);
    expect(sla.acknowledge).toEqual({ due_at: openedAt + 30 * MINUTE, done_at: null, is_due_soon: false, is_breached: false });
    await patchCase(caseId, { comment: 'I look.' });
    expect((await readCase(caseId)).sla).toMatchObject({
      acknowledge: { done_at: expect.any(Number), is_breached: false },
      close: { done_at: null },
    });
    await patchCase(caseId, { status: 'closed' });
    expect((await readCase(caseId)).sla.close).toMatchObject({ done_at: expect.any(Number), is_breached: false });
    await patchCase(caseId, { status: 'open' });
    expect((await readCase(caseId)).sla).toMatchObject({ acknowledge: { done_at: expect.any(Number) }, close: { done_at: null } });
    expect(await listEvents(caseId)).toEqual([]);
  });

  it('have no limit without a policy, and get one when it is saved, without an event for those that are late at once', async () => {
    const organizationUuid = await createOrganization(service, 'LATER');
    const [old, young] = [await openCase('LATER'), await openCase('LATER')];
    await rewrite(old, { openedAt: Math.floor(Date.now() / 1000) - HOUR });
    await changeCaseClocks(service, { organizationUuid }, { isStale: false });
    expect((await readCase(old)).sla.acknowledge).toMatchObject({ due_at: null, done_at: null });
    await savePolicy('LATER');
    await waitForDue(young, 'acknowledge');
    await untilComputed('LATER');
    expect((await readCase(old)).sla).toMatchObject({ acknowledge: { is_breached: true }, close: { is_breached: false } });
    expect((await readCase(young)).sla).toMatchObject({ acknowledge: { is_breached: false } });
    expect(await listEvents(old)).toEqual([]);
  });

  it('get another limit when the severity changes, until they breach', async () => {
    const targets = SEVERITIES.map((severity, index) => ({ severity, acknowledge_minutes: 100 - index, close_minutes: null }));
    await createOrganizationWithSla('SEVERE', { ...POLICY, targets });
    const caseId = await openCase('SEVERE');
    await waitForDue(caseId, 'acknowledge');
    const { opened_at: openedAt } = await readCase(caseId);
    await changeSeverity(caseId, 'low');
    await waitFor('the new due time', async () => (await waitForDue(caseId, 'acknowledge')) === openedAt + 99 * MINUTE);
    expect((await readCase(caseId)).sla.close?.due_at).toBeNull();
    const longAgo = openedAt - 5 * HOUR;
    await rewrite(caseId, { openedAt: longAgo });
    await untilComputed('SEVERE');
    await changeSeverity(caseId, 'informational');
    expect((await readCase(caseId)).sla.acknowledge).toMatchObject({ due_at: longAgo + 99 * MINUTE, is_breached: true });
  });

  it('are filtered in the list', async () => {
    await createOrganizationWithSla('LISTED');
    const now = Math.floor(Date.now() / 1000);
    const [late, soon, young] = [await openCase('LISTED'), await openCase('LISTED'), await openCase('LISTED')];
    await rewrite(late, { openedAt: now - 5 * HOUR });
    await rewrite(soon, { openedAt: now - 25 * MINUTE });
    await untilComputed('LISTED');
    await waitFor('the warning', async () => (await listEvents(soon)).length === 1);
    await patchCase(young, { assignee: null });
    const list = async (sla: string) => {
      const path = `/platformapi/cases?organization_code=LISTED&sla=${sla}`;
      return (await service.request<{ items: CaseDetail[] }>('GET', path)).body.items.map((item) => item.case_id);
    };
    expect([await list('breached'), await list('due_soon'), await list('acknowledged')]).toEqual([[late], [soon], [young]]);
    expect((await readCase(soon)).sla.acknowledge).toMatchObject({ is_due_soon: true, is_breached: false });
  });
});

describe('the events of the clocks', () => {
  it('warn and report a breach once, also with several timekeepers', async () => {
    await createOrganizationWithSla('TOLD');
    const now = Math.floor(Date.now() / 1000);
    const [warned, late] = [await openCase('TOLD'), await openCase('TOLD')];
    const keepers = Array.from({ length: 3 }, () => createTimekeeper({ database: service.database, log }));
    for (const keeper of keepers) keeper.start();
    await rewrite(warned, { openedAt: now - 25 * MINUTE });
    await rewrite(late, { openedAt: now - 31 * MINUTE });
    await waitFor('both events', async () => (await listEvents(warned)).length > 0 && (await listEvents(late)).length > 0);
    // Each timekeeper has made another pass when it is stopped.
    for (const keeper of keepers) await keeper.stop();
    expect(await listEvents(warned)).toEqual([{ name: 'sla.due_soon', clock: 'acknowledge', due_at: now + 5 * MINUTE }]);
    expect(await listEvents(late)).toEqual([{ name: 'sla.breached', clock: 'acknowledge', due_at: now - MINUTE }]);
  });

  it('are written after a restart for what happened while no process ran', async () => {
    const first = await startTestService({ worker: false });
    const url = first.settings.DATABASE_URL ?? '';
    const shared = service;
    service = first;
    try {
      await createOrganizationWithSla('AWAY');
      const [late, closedLate, closedInTime] = [await openCase('AWAY'), await openCase('AWAY'), await openCase('AWAY')];
      for (const caseId of [late, closedLate, closedInTime]) await patchCase(caseId, { comment: 'I look.' });
      for (const caseId of [late, closedLate, closedInTime]) await waitForDue(caseId, 'close');
      await first.stop();
      const database = connectDatabase(url, { poolSize: 2, name: 'test' });
      // Time passes: five hours.
      await backdateCaseClocks({ database }, 5);
      const close = (caseId: string, secondsAgo: number) =>
        updateCase({ ...asInes(database.db), now: () => Math.floor(Date.now() / 1000) - secondsAgo }, caseId, { status: 'closed' });
      await close(closedLate, 10 * MINUTE);
      await close(closedInTime, 2 * HOUR);
      await database.close();
      service = await startTestService({ worker: false, env: { DATABASE_URL: url } });
      await waitFor('the breach', async () => (await listEvents(late)).length > 0);
      await service.restartApi();
      await untilComputed('AWAY');
      expect(await listEvents(late)).toMatchObject([{ name: 'sla.breached', clock: 'close' }]);
      expect(await listEvents(closedLate)).toMatchObject([{ name: 'sla.breached', clock: 'close' }]);
      expect(await listEvents(closedInTime)).toEqual([]);
    } finally {
      if (service !== first) await service.stop();
      service = shared;
    }
  });
});

it('the overview has the mean times and the breach rate of a history computed by hand', async () => {
  await createOrganizationWithSla('FIGURES');
  const start = Math.floor(Date.now() / 1000) - 20 * HOUR;
  const inTime = await openCase('FIGURES');
  await rewrite(inTime, { openedAt: start, acknowledgedAt: start + 10 * MINUTE, changes: [start + 2 * HOUR] });
  const acknowledgedLate = await openCase('FIGURES');
  await rewrite(acknowledgedLate, { openedAt: start, acknowledgedAt: start + 50 * MINUTE, changes: [start + 3 * HOUR] });
  // Open for an hour and for two and a half hours.
  const reopened = await openCase('FIGURES');
  const changes = [start + HOUR, start + 2 * HOUR, start + 4.5 * HOUR];
  await rewrite(reopened, { openedAt: start, acknowledgedAt: start + 20 * MINUTE, changes });
  const untouched = await openCase('FIGURES');
  await rewrite(untouched, { openedAt: start });
  await rewrite(await openCase('FIGURES'), { openedAt: start, mergedInto: inTime });
  await openCase('FIGURES');
  await untilComputed('FIGURES');
  // Before the window of 24 hours.
  await rewrite(await openCase('FIGURES'), {
    openedAt: start - 80 * HOUR,
    acknowledgedAt: start - 79 * HOUR,
    changes: [start - 60 * HOUR],
  });
  await untilComputed('FIGURES');
  await rewrite(await openCase('DEMO'), { openedAt: start, acknowledgedAt: start + HOUR });

  const { api_key: key } = await service.createKey('analyst', 'FIGURES');
  const { body } = await service.request<Overview>('GET', '/platformapi/overview?hours=24', { key });
  expect(body.sla).toEqual({
    // (10 + 50 + 20) minutes ÷ 3
    acknowledged: { mean_seconds: 1600, cases: 3 },
    // (120 + 180 + 210) minutes ÷ 3
    closed: { mean_seconds: 10_200, cases: 3 },
    // Breached: one late acknowledgement, and both clocks of the untouched case. Met: two acknowledgements and three closings.
    breaches: { breached: 3, decided: 8 },
  });
  const names = async (caseId: string) => (await listEvents(caseId)).map(({ name, clock }) => `${name} ${clock}`).sort();
  expect(await names(inTime)).toEqual([]);
  expect(await names(reopened)).toEqual([]);
  expect(await names(acknowledgedLate)).toEqual(['sla.breached acknowledge']);
  expect(await names(untouched)).toEqual(['sla.breached acknowledge', 'sla.breached close']);
});
