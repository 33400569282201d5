import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOldEvents, insertEvent } from '../../db/notifications/events.js';
import { type InboxPreferences, MAX_INBOXES } from '../../domain/notification/inbox.js';
import type { InboxEntry } from '../../services/notifications/wire.js';
import { ago, changeEvents, storeAnalysts } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { writeEvent } from '../support/webhook-receiver.js';
import { type List, watch } from './support/http.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
let caseId: string;
type Person = Awaited<ReturnType<TestService['createPerson']>>;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  await createOrganization(service, 'OTHER');
  caseId = await investigate(service, await service.sendAlert());
});
afterAll(() => service.stop());

const call = <Body>({ api_key: key }: Pick<Person, 'api_key'>, method: string, path: string, body?: unknown) =>
  service.request<Body>(method, `/platformapi/${path}`, { key, ...(body === undefined ? {} : { body }) });
const listEntries = async (person: Person, query = '') => (await call<List<InboxEntry>>(person, 'GET', `inbox?${query}`)).body.items;
const countUnread = async (person: Person) => (await call<{ unread: number }>(person, 'GET', 'inbox/unread-count')).body.unread;
const updateCase = (person: Person, change: object) => call(person, 'PATCH', `cases/${caseId}`, change);
const waitForEntries = (person: Person, count: number) =>
  waitFor(`${count} entries of ${person.name}`, async () => {
    const entries = await listEntries(person);
    return entries.length === count ? entries : null;
  });
const waitUntilRouted = () =>
  waitFor('the router', async () => {
    const [row] = await service.database.pg<{ open: number }[]>`
      select count(*)::int as open from notification_events where routed_at is null`;
    return row?.open === 0;
  });
const prefer = (person: Person, groups: object) => call(person, 'PUT', 'inbox/preferences', { groups });

describe('an inbox', () => {
  it('gets assignments, comments and mentions of others, but not the own ones', async () => {
    const [dana, ines, rui] = [
      await service.createPerson('analyst'),
      await service.createPerson('analyst'),
      await service.createPerson('analyst'),
    ];
    await updateCase(dana, { assignee: dana.name });
    await updateCase(ines, { assignee: null });
    await updateCase(ines, { assignee: dana.name });
    await updateCase(ines, { comment: `Ask @${rui.name} too.` });
    await updateCase(dana, { comment: 'I ask.' });
    const entries = await waitForEntries(dana, 2);
    expect(entries).toMatchObject([
      {
        event: 'case.commented',
        title: `New comment on case ${caseId}`,
        path: `/cases/${caseId}`,
        organization_code: 'DEMO',
        read_at: null,
      },
      { event: 'case.assigned', title: `Case ${caseId} is assigned to ${dana.name}` },
    ]);
    expect(await waitForEntries(rui, 1)).toMatchObject([{ event: 'case.commented', event_id: entries[0]?.event_id }]);
    await waitUntilRouted();
    expect(await listEntries(dana)).toHaveLength(2);
    expect(await listEntries(ines)).toEqual([]);
  });

  it('gets actions that need approval, and broken connections for admins, of the own organization only', async () => {
    const people = {
      analyst: await service.createPerson('analyst'),
      admin: await service.createPerson('admin'),
      everywhere: await service.createPerson('admin', null),
      other: await service.createPerson('admin', 'OTHER'),
      sender: await service.createPerson('sender'),
    };
    const connection = { connection_id: randomUUID(), connector: 'endpoint-detection', instance_name: 'Endpoints' };
    await writeEvent(service, 'connection.broken', connection.connection_id, connection);
    const facts = { case_id: caseId, alert_id: 'DEMO-SIEM-1', proposal_id: randomUUID(), skill_id: 'Isolate machine' };
    await writeEvent(service, 'proposal.waiting', randomUUID(), { ...facts, severity: null, verdict: null, assignee: null });
    await waitUntilRouted();
    const events = async (person: Person) => (await listEntries(person)).map(({ event }) => event);
    expect(await events(people.analyst)).toEqual(['proposal.waiting']);
    expect(await events(people.admin)).toEqual(['proposal.waiting', 'connection.broken']);
    expect(await events(people.everywhere)).toEqual(['proposal.waiting', 'connection.broken']);
    expect(await events(people.other)).toEqual([]);
    expect(await call(people.sender, 'GET', 'inbox')).toMatchObject({ status: 403 });
  });

  it('is paged, counts unread entries, and marks one or all of them', async () => {
    const [dana, ines] = [await service.createPerson('analyst'), await service.createPerson('analyst')];
    await updateCase(ines, { assignee: dana.name });
    for (const comment of ['one', 'two', 'three']) await updateCase(ines, { comment });
    const [newest, second, third, oldest] = await waitForEntries(dana, 4);
    expect(await countUnread(dana)).toBe(4);
    const first = await call<List<InboxEntry>>(dana, 'GET', 'inbox?limit=3');
    const rest = await call<List<InboxEntry>>(dana, 'GET', `inbox?limit=3&cursor=${first.body.next_cursor}`);
    expect([...first.body.items, ...rest.body.items]).toEqual([newest, second, third, oldest]);
    expect(rest.body.next_cursor).toBeNull();

    const path = `inbox/${second?.entry_id}/read`;
    expect(await call(ines, 'POST', path)).toMatchObject({ status: 404 });
    expect(await call(dana, 'POST', path)).toMatchObject({ status: 204 });
    const [read] = (await listEntries(dana)).filter(({ read_at }) => read_at !== null);
    expect(read).toMatchObject({ entry_id: second?.entry_id, read_at: expect.any(Number) });
    expect(await call(dana, 'POST', path)).toMatchObject({ status: 204 });
    expect(await listEntries(dana, 'unread=true')).toMatchObject([newest, third, oldest]);

    expect(await call(dana, 'POST', 'inbox/read', { through: third?.entry_id })).toMatchObject({ status: 204 });
    expect(await listEntries(dana, 'unread=true')).toEqual([newest]);
    expect(await call(dana, 'POST', 'inbox/read', {})).toMatchObject({ status: 204 });
    expect(await countUnread(dana)).toBe(0);
  });

  it('belongs to a user: the key of a service has none', async () => {
    const key = await service.createKey('admin');
    for (const [method, path, body] of [
      ['GET', 'inbox'],
      ['GET', 'inbox/unread-count'],
      ['GET', 'inbox/preferences'],
      ['POST', 'inbox/read', {}],
      ['POST', `inbox/${randomUUID()}/read`],
      ['PUT', 'inbox/preferences', { groups: {} }],
    ] as const)
      expect(await call(key, method, path, body)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('key of a service') },
      });
  });

  it('stays small: a common event reaches a limited number of people, and those whom it names before others', async () => {
    const code = `BIG-${randomUUID().slice(0, 8)}`;
    const organizationUuid = await createOrganization(service, code);
    const { pg } = service.database;
    // They signed in later than the person whom the event names.
    const names = Array.from({ length: MAX_INBOXES * 3 }, (_, index) => `${code}${index}`);
    await storeAnalysts(service, organizationUuid, names);
    const named = await service.createPerson('analyst', code);
    const data = {
      case_id: 'x',
      alert_id: 'x',
      proposal_id: randomUUID(),
      skill_id: 'x',
      severity: null,
      verdict: null,
      assignee: named.name,
    };
    const event = { name: 'proposal.waiting', organizationUuid, subjectUuid: randomUUID(), data } as const;
    await service.database.db.transaction((transaction) => insertEvent(transaction, event));
    await waitForEntries(named, 1);
    const [row] = await pg<{ entries: number }[]>`
      select count(*)::int as entries from inbox_entries where organization_uuid = ${organizationUuid}`;
    expect(row?.entries).toBe(MAX_INBOXES);
  });

  it('is emptied with its events after 30 days', async () => {
    const [dana, ines] = [await service.createPerson('analyst'), await service.createPerson('analyst')];
    await updateCase(ines, { assignee: dana.name });
    const [entry] = await waitForEntries(dana, 1);
    const { pg } = service.database;
    await changeEvents(service, { eventUuid: entry?.event_id ?? '' }, { at: ago({ days: 31 }) });
    await deleteOldEvents(pg);
    expect(await listEntries(dana)).toEqual([]);
  });
});

describe('preferences', () => {
  it('select the events of later entries', async () => {
    const [dana, ines] = [await service.createPerson('analyst'), await service.createPerson('analyst')];
    const defaults = await call<InboxPreferences>(dana, 'GET', 'inbox/preferences');
    expect(defaults.body).toMatchObject({
      browser_notifications: false,
      groups: { comments: { wanted: 'mine' }, cases: { wanted: 'none' } },
    });
    const saved = await prefer(dana, { comments: { wanted: 'all' }, assignments: { wanted: 'none' } });
    expect(saved).toMatchObject({
      status: 200,
      body: { groups: { comments: { wanted: 'all', min_severity: null }, approvals: { wanted: 'all' } } },
    });
    expect((await call(dana, 'GET', 'inbox/preferences')).body).toEqual(saved.body);
    await updateCase(ines, { assignee: dana.name });
    await updateCase(ines, { assignee: null, comment: 'For all.' });
    expect(await waitForEntries(dana, 1)).toMatchObject([{ event: 'case.commented' }]);
    await prefer(dana, { comments: { wanted: 'all', min_severity: 'critical' } });
    await updateCase(ines, { comment: 'For none.' });
    await waitUntilRouted();
    expect(await listEntries(dana)).toHaveLength(1);
  });

  it('that are wrong name the field', async () => {
    const dana = await service.createPerson('analyst');
    expect(await prefer(dana, { comments: { wanted: 'some' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/groups/comments/wanted' }] },
    });
    expect(await prefer(dana, { weather: { wanted: 'all' } })).toMatchObject({ status: 422 });
  });
});

it('only the pages of its user hear of an entry', async () => {
  const [dana, ines] = [await service.createPerson('analyst'), await service.createPerson('analyst')];
  const everywhere = await service.createPerson('admin', null);
  const pages = await Promise.all([dana, ines, everywhere].map(({ api_key }) => watch(service.url, api_key)));
  const [own, ...others] = pages;
  const heard = () => own?.topics().filter((topic) => topic === 'inbox').length ?? 0;
  await updateCase(ines, { assignee: dana.name });
  const [entry] = await waitForEntries(dana, 1);
  await waitFor('the new entry', async () => heard() === 1);
  await call(dana, 'POST', `inbox/${entry?.entry_id}/read`);
  await waitFor('the read entry', async () => heard() === 2);
  // The last change in the organization, which all of them hear.
  await updateCase(ines, { comment: 'Done.' });
  await waitFor('the comment', async () => others.every((page) => page.topics().includes('cases')));
  for (const page of others) expect(page.topics()).not.toContain('inbox');
  expect(pages.map((page) => page.heard()).join()).not.toContain(dana.user_uuid);
  await Promise.all(pages.map((page) => page.leave()));
});
