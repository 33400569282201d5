import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erase } from '../../cli/erase-person.js';
import { recordAudit } from '../../db/identity/audit.js';
import { PERSONAL_TABLES, TABLES_WITHOUT_PERSONAL_DATA } from '../../db/lifecycle/personal-data.js';
import { createMatcher, readIdentifiers } from '../../services/erasure/person-matcher.js';
import type { CreatedInvitation } from '../../services/invitations/wire.js';
import { changeAlerts, changeInvitations, fromNow, storeRecord, storeStreamEvent } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { testbedSkills } from '../support/testbed.js';

const PERSON = ['mira.olsén@north.example', 'NORTH\\mira.o', 'Mira Olsén-Quist'];
const COLLEAGUE = 'ole.vik@north.example';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ skills: testbedSkills(async () => 1) });
});
afterAll(() => service.stop());

/** Each place of the bytes in the given data: as text, as UTF-16, escaped as JSON, and in base64 text of any alignment. */
function searchBytes(data: Buffer): string[] {
  const found: string[] = [];
  const search = (bytes: Buffer, place: string) => {
    const lower = Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1');
    for (const [index, identifier] of PERSON.entries()) {
      const forms = [
        identifier,
        identifier.normalize('NFD'),
        JSON.stringify(identifier).slice(1, -1),
        identifier.replaceAll('é', '\\u00e9'),
      ];
      for (const form of forms) {
        for (const encoding of ['utf8', 'utf16le'] as const) {
          const needle = Buffer.from(Buffer.from(form, encoding).toString('latin1').toLowerCase(), 'latin1');
          const at = lower.indexOf(needle);
          if (at >= 0)
            found.push(
              `identifier ${index} as ${encoding} in ${place}: ${lower.subarray(Math.max(0, at - 60), at + 20).toString('latin1')}`,
            );
        }
      }
    }
  };
  search(data, 'text');
  for (const [text] of data.toString('latin1').matchAll(/[A-Za-z0-9+/_-]{12,}/g))
    for (const skip of [0, 1, 2, 3]) search(Buffer.from(text.slice(skip), 'base64'), 'base64');
  return found;
}

async function dump(): Promise<Buffer> {
  const { pg } = service.database;
  const tables = await pg<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'workflow_bundles'`;
  const parts: Buffer[] = [];
  for (const { name } of tables) for await (const part of await pg`copy ${pg(name)} to stdout`.readable()) parts.push(part);
  return Buffer.concat(parts);
}

async function readHistories(): Promise<Buffer> {
  const parts: Buffer[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') parts.push(Buffer.from(value));
    else if (value instanceof Uint8Array) parts.push(Buffer.from(value));
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) collect(each);
  };
  const { workflow } = service.temporal;
  for await (const { workflowId, runId } of workflow.list()) {
    const history = await workflow
      .getHandle(workflowId, runId)
      .fetchHistory()
      .catch(() => null);
    collect(history);
  }
  return Buffer.concat(parts);
}

async function runErasure(given: { confirm?: boolean; identifiers?: string[] } = {}): Promise<string[]> {
  const lines: string[] = [];
  await erase(service.settings, given.identifiers ?? PERSON, { organization: 'DEMO', ...given }, (line) => lines.push(line));
  return lines;
}

const [EMAIL = '', ACCOUNT = '', NAME = ''] = PERSON;

/** An investigated alert with a case, answers and a history that contain the person. */
async function investigated(content: string) {
  const alert = await service.sendAlert({ alert_type: 'Testbed', alert_content: content });
  await service.waitForStatus(alert.alert_id, 15);
  await waitFor(
    'its run to end',
    async () => (await service.temporal.workflow.getHandle(alert.alert_id).describe()).status.name === 'COMPLETED',
  );
  await waitFor('its run to be listed', async () => (await service.temporal.workflow.count(`WorkflowId = '${alert.alert_id}'`)).count > 0);
  return { alertId: alert.alert_id, caseId: (await service.readCase(alert.alert_id)).case_id, organizationUuid: alert.organization_uuid };
}

describe('an erasure', () => {
  it('finds the person in every spelling, and removes all bytes from the database and the histories', { timeout: 300_000 }, async () => {
    const { pg } = service.database;
    const command = Buffer.from(`net user ${NAME} /domain`, 'utf16le').toString('base64');
    const { alertId, caseId } = await investigated(
      JSON.stringify({
        user: EMAIL,
        account: ACCOUNT,
        text: `Seen:\n${EMAIL.toUpperCase()} and ${COLLEAGUE}`,
        command: `powershell -enc ${command}`,
      }),
    );
    await service.createKey('analyst', 'DEMO', { name: NAME });
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { body: { comment: `I called ${NAME}.`, assignee: NAME } });
    // Rows without an organization, as staff for all organizations leave them.
    await service.createKey('analyst', null, { name: `key of ${EMAIL}` });
    const view = { list: 'alerts', name: `Alerts of ${NAME}`, filters: { text: EMAIL } };
    expect((await service.request('POST', '/platformapi/saved-views', { body: view })).status).toBe(201);
    const invitation = { email: COLLEAGUE, role: 'analyst', organization_code: null };
    const invited = await service.request<CreatedInvitation>('POST', '/platformapi/invitations', { body: invitation });
    await service.request('DELETE', `/platformapi/invitations/${invited.body.invitation_uuid}`);
    await changeInvitations(service, { invitationUuid: invited.body.invitation_uuid }, { email: EMAIL });
    const asStaff = { by: { uuid: randomUUID(), name: NAME }, organizationUuid: null };
    await service.database.db.transaction((transaction) =>
      recordAudit(transaction, { ...asStaff, action: 'alert.export', target: 'alerts', details: { text: EMAIL } }),
    );
    const staff = await service.createPerson('analyst', null, `${NAME} of all`);
    expect((await service.request('POST', `/platformapi/users/${staff.user_uuid}/deactivate`)).status).toBe(204);
    const asFile = { 'content-type': 'application/octet-stream' };
    const upload = (name: string, body: string) =>
      service.request('POST', `/platformapi/cases/${caseId}/attachments?name=${name}`, { body, headers: asFile });
    expect(await upload('mail.eml', `From: ${EMAIL}`)).toMatchObject({ status: 201 });
    expect(await upload('other.eml', `From: ${COLLEAGUE}`)).toMatchObject({ status: 201 });
    await service.request('POST', `/platformapi/cases/${caseId}/tasks`, { body: { titles: [`Call ${NAME}`] } });
    const knowledge = { kind: 'test-account', value: EMAIL, note: 'x' };
    expect((await service.request('POST', '/platformapi/organizations/DEMO/knowledge', { body: knowledge })).status).toBe(201);
    const [connection] = await pg<{ uuid: string }[]>`select connection_uuid as uuid from connections limit 1`;
    const { uuid } = connection ?? expect.fail('there is no connection');
    await storeStreamEvent(service, uuid, { event: { who: ACCOUNT } });
    await storeRecord(service, uuid, { title: `About ${NAME}` });
    expect(searchBytes(await dump()).length).toBeGreaterThan(5);
    expect(searchBytes(await readHistories()).length).toBeGreaterThan(0);

    // The router of notifications marks the events of these changes.
    await waitFor('the events to be routed', async () => {
      const [{ open } = { open: 1 }] = await pg<{ open: number }[]>`
        select count(*)::int as open from notification_events where routed_at is null`;
      return open === 0;
    });
    const before = await dump();
    const planned = await runErasure();
    for (const table of ['audit_log', 'api_keys', 'saved_views', 'invitations', 'users'])
      expect(planned, table).toContainEqual(
        expect.stringMatching(new RegExp(`^${table}: \\d+, [1-9]\\d* of them without an organization`)),
      );
    expect(await dump()).toEqual(before);
    for (const table of [
      'alerts',
      'case_timeline',
      'case_tasks',
      'case_attachments',
      'cases',
      'skill_results',
      'organization_knowledge',
      'audit_log',
      'stream_events',
    ])
      expect(planned, table).toContainEqual(expect.stringMatching(new RegExp(`^${table}: [1-9]`)));
    expect(planned).toContainEqual(expect.stringMatching(/^histories in Temporal: [1-9]/));
    expect(searchBytes(Buffer.from(planned.join('\n')))).toEqual([]);

    const done = await runErasure({ confirm: true });
    expect(done.at(-1)).toContain('Done.');
    expect(searchBytes(await dump())).toEqual([]);
    expect(searchBytes(await readHistories())).toEqual([]);
    expect(
      searchBytes(
        Buffer.from(
          JSON.stringify(await pg`select most_common_vals::text, histogram_bounds::text from pg_stats where schemaname = 'public'`),
        ),
      ),
    ).toEqual([]);

    const files = await service.request<{ items: { name: string }[] }>('GET', `/platformapi/cases/${caseId}/attachments`);
    expect(files.body.items.map(({ name }) => name)).toEqual(['other.eml']);
    // The case still tells what happened, and another person stays.
    const alert = await service.request<{ alert_content: string }>('GET', `/platformapi/alerts/${alertId}`);
    expect(JSON.parse(alert.body.alert_content)).toMatchObject({
      user: '[erased 1]',
      account: '[erased 2]',
      text: expect.stringContaining(COLLEAGUE),
    });
    expect(await service.readCase(alertId)).toMatchObject({ assignee: '[erased 3]', verdict: expect.any(String) });
    expect((await service.request<{ items: unknown[] }>('GET', `/platformapi/alerts?text=${COLLEAGUE}`)).body.items).toHaveLength(1);
    const { body } = await service.request<{ items: object[] }>('GET', '/platformapi/audit?action=person.erase');
    expect(body.items).toMatchObject([{ target: 'DEMO', details: { histories: expect.any(Number) } }]);
    await expect(pg`update audit_log set target = 'x'`).rejects.toThrow('append-only');
    expect((await runErasure({ confirm: true })).filter((line) => /^\w+: \d/.test(line))).toEqual([]);
  });

  it('is refused while an investigation or a legal hold needs the data', async () => {
    const { alertId, caseId } = await investigated(`user=${EMAIL}`);
    await changeAlerts(service, { alertId }, { investigationStatus: 10, modifiedAt: fromNow({ hours: 1 }) });
    await expect(runErasure({ confirm: true })).rejects.toThrow('Unfinished work uses the data');
    await changeAlerts(service, { alertId }, { investigationStatus: 15 });
    const hold = `/platformapi/cases/${caseId}/legal-hold`;
    await service.request('POST', hold, { body: { reason: 'A court asked.' } });
    await expect(runErasure({ confirm: true })).rejects.toThrow('Legal holds on cases forbid');
    expect(searchBytes(await dump())).not.toEqual([]);
    await service.request('POST', `${hold}/release`, { body: { reason: 'It ended.' } });
    await runErasure({ confirm: true });
    expect(searchBytes(await dump())).toEqual([]);
  });

  it('covers every table', async () => {
    const tables = await service.database.pg<
      { name: string }[]
    >`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
    const known = [...PERSONAL_TABLES.map(({ name }) => name), ...TABLES_WITHOUT_PERSONAL_DATA].sort();
    expect(tables.map(({ name }) => name)).toEqual(known);
  });
});

describe('the identifiers', () => {
  it('leave other people and parts of words alone', () => {
    const { erase: remove } = createMatcher(['dana@x.example', 'dana.k']);
    const others = 'bandana@x.example, dana@x.examples, dana.kim, xdana.k';
    expect(remove(others)).toBe(others);
    expect(remove('<DANA@x.example>\\ndana.k%20dana.k')).toBe('<[erased 1]>\\n[erased 2]%20[erased 2]');
  });

  it('must be long enough to mean one person', () => {
    expect(() => readIdentifiers('mira.olsen\nmo\n')).toThrow('Identifier 2 is shorter than 4 characters');
    expect(() => readIdentifiers('\n')).toThrow('There are no identifiers');
    expect(readIdentifiers(' a.person \r\n\r\na.person\n')).toEqual(['a.person']);
  });
});
