import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseDetail, CaseSummary } from '../../domain/case/case.js';
import type { Proposal } from '../../domain/response/proposal.js';
import type { ProtectedAsset, ResponseRules } from '../../domain/response/response-rules.js';
import type { Attachment } from '../../services/attachments/wire.js';
import type { CaseTask, CaseTasks } from '../../services/case-tasks/wire.js';
import type { CaseChangeResult } from '../../services/cases/wire.js';
import type { InboxEntry, Rule } from '../../services/notifications/wire.js';
import type { PlanVersion, PlaybookSummary } from '../../services/playbooks/wire.js';
import type { SkillRun } from '../../services/skill-runs/wire.js';
import { changeUsers } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { unreachableEndpoints } from '../support/unreachable-endpoints.js';
import { createConnection } from '../support/with-third-parties.js';
import type { List } from './support/http.js';
import { investigate, proposeIsolation } from './support/records.js';

let service: TestService;
let caseId: string;
let alertId: string;
let dana: Awaited<ReturnType<TestService['createPerson']>>;
let count = 0;
const OTHER_NAME = 'Ines Okafor';

beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());
beforeEach(async () => {
  count += 1;
  dana = await service.createPerson('analyst', 'DEMO', `Dana Vries ${count}`);
  const alert = await service.sendAlert();
  alertId = alert.alert_id;
  caseId = await investigate(service, alert);
  await service.request('PATCH', `/platformapi/cases/${caseId}`, { key: dana.api_key, body: { assignee: dana.name, comment: 'Mine.' } });
});

const rename = async ({ user_uuid: userUuid } = dana, name = `Dana Jansen ${count}`) => {
  await changeUsers(service, { userUuid }, { name });
  return name;
};
const readCase = async () => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`)).body;
const listAssigned = async (name: string) => {
  const query = new URLSearchParams({ assignee: name });
  return (await service.request<List<CaseSummary>>('GET', `/platformapi/cases?${query}`)).body.items.map((item) => item.case_id);
};

type Person = Pick<typeof dana, 'api_key'>;
const createAdmin = () => service.createPerson('admin', 'DEMO', `Sam Ortega ${count}`);
async function call<Body>({ api_key: key }: Person, method: string, path: string, body?: object): Promise<Body> {
  const reply = await service.request<Body>(method, `/platformapi/${path}`, { key, ...(body === undefined ? {} : { body }) });
  expect(reply.status, `${method} ${path}`).toBeLessThan(300);
  return reply.body;
}
/** Writes of the connection need a second person. */
const createEndpoints = () =>
  createConnection(service, {
    ...unreachableEndpoints(`Endpoints ${count}`),
    needs_second_person: true,
  });

describe('a renamed user', () => {
  it('stays the assignee, under the new name', async () => {
    expect(await listAssigned(dana.name)).toEqual([caseId]);
    const name = await rename();
    expect((await readCase()).assignee).toBe(name);
    expect(await listAssigned(name)).toEqual([caseId]);
    expect(await listAssigned(dana.name)).toEqual([]);
  });

  it('does not leave the cases to a new user with the old name', async () => {
    await rename();
    await rename(await service.createPerson('analyst'), dana.name);
    expect(await listAssigned(dana.name)).toEqual([]);
  });

  it('gets the case back when another assignment is undone', async () => {
    const name = await rename();
    const other = await service.createPerson('analyst');
    const { body } = await service.request<{ results: CaseChangeResult[] }>('POST', '/platformapi/cases/bulk', {
      body: { changes: [{ case_id: caseId, update: { assignee: other.name } }] },
    });
    expect(body.results[0]?.undo).toEqual({ assignee: name });
  });

  it('is the author of timeline entries, tasks and files, and of found comments', async () => {
    const path = `/platformapi/cases/${caseId}`;
    const by = { key: dana.api_key };
    const { body: added } = await service.request<CaseTasks>('POST', `${path}/tasks`, { ...by, body: { titles: ['Call the owner'] } });
    const task = `${path}/tasks/${added.items[0]?.task_id}`;
    await service.request<CaseTask>('PATCH', task, { ...by, body: { done: true } });
    await fetch(`${service.url}${path}/attachments?name=note.txt`, {
      method: 'POST',
      headers: { cookie: `Session=${dana.api_key}`, 'content-type': 'application/octet-stream' },
      body: 'a note',
    });
    const name = await rename();
    const tasks = await service.request<CaseTasks>('GET', `${path}/tasks`);
    expect(tasks.body.items).toMatchObject([{ created_by: name, done_by: name }]);
    const files = await service.request<List<Attachment>>('GET', `${path}/attachments`);
    expect(files.body.items).toMatchObject([{ added_by: name }]);
    const authors = (await readCase()).timeline.flatMap((entry) => (entry.by === null ? [] : [entry.by]));
    expect(authors).toEqual(authors.map(() => name));
    expect(authors.length).toBeGreaterThanOrEqual(4);
  });

  it('decided on proposals, requested writes and asked for rule changes', async () => {
    const admin = await createAdmin();
    const connectionId = await createEndpoints();
    const proposalId = await proposeIsolation(service, alertId, connectionId);
    await call(admin, 'POST', `proposals/${proposalId}/refuse`, { reason: 'No.' });
    const write = { input: { machine_id: 'm1', comment: 'Now.' }, confirm: true };
    const { run_id: runId } = await call<SkillRun>(dana, 'POST', `connections/${connectionId}/skills/isolate-machine`, write);
    await call(admin, 'POST', `proposals/${runId}/refuse`, { reason: 'No.' });
    const asset = await call<ProtectedAsset>(admin, 'POST', 'protected-assets', { kind: 'host', value: `pc ${count}`, reason: 'Ours.' });
    await call(admin, 'DELETE', `protected-assets/${asset.asset_id}`);
    await call(admin, 'POST', 'response/stop', { organization_code: 'DEMO', reason: 'Halt.' });

    const [name, requester] = [await rename(admin, `Sam Jansen ${count}`), await rename()];
    expect((await readCase()).proposals).toMatchObject([{ decisions: [{ by: name }] }]);
    const manual = await call<Proposal>(admin, 'GET', `proposals/${runId}`);
    expect(manual).toMatchObject({ requested_by: requester, decisions: [{ by: requester }, { by: name }] });
    expect(await call<SkillRun>(admin, 'GET', `skill-runs/${runId}`)).toMatchObject({ asked_by: requester, decided_by: name });
    expect(await call<ResponseRules>(admin, 'GET', 'response')).toMatchObject({ stopped_by: name, pending_changes: [{ asked_by: name }] });
    const assets = await call<List<ProtectedAsset>>(admin, 'GET', 'protected-assets');
    expect(assets.items.find(({ asset_id: id }) => id === asset.asset_id)?.created_by).toBe(name);
  });

  it('is told about the decision on a write that the person requested before', async () => {
    const admin = await createAdmin();
    const write = { input: { machine_id: 'm1', comment: 'Now.' }, confirm: true };
    const { run_id: runId } = await call<SkillRun>(dana, 'POST', `connections/${await createEndpoints()}/skills/isolate-machine`, write);
    const name = await rename();
    await call(admin, 'POST', `proposals/${runId}/refuse`, { reason: 'No.' });
    const [event] = await service.database.pg`
      select data->>'requested_by' as name from notification_events where name = 'run.decided' and subject_uuid = ${runId}`;
    expect(event).toEqual({ name });
  });

  it('made holds, templates, entries, links, invitations and plans', async () => {
    const admin = await createAdmin();
    await call(admin, 'POST', `cases/${caseId}/legal-hold`, { reason: 'Court.' });
    const organization = 'organizations/DEMO';
    await call(admin, 'PUT', `${organization}/task-templates`, { alert_type: `Type ${count}`, tasks: ['Call the owner'] });
    await call(admin, 'POST', `${organization}/knowledge`, { kind: 'domain', value: `own${count}.example`, note: 'Ours.' });
    await call(admin, 'POST', `connections/${await createEndpoints()}/credential-links`, {});
    await call(admin, 'POST', 'invitations', { email: `new${count}@demo.example`, role: 'analyst', organization_code: 'DEMO' });
    const { items: playbooks } = await call<List<PlaybookSummary>>(admin, 'GET', 'playbooks');
    const edited = playbooks.find(({ origin }) => origin === 'generated') ?? expect.fail('there is no generated playbook');
    const versions = `playbooks/${edited.playbook_id}/plan`;
    const { plan } = await call<PlanVersion>(admin, 'GET', versions);
    await call(admin, 'PUT', versions, { made_from: edited.version, plan });

    const name = await rename(admin, `Sam Jansen ${count}`);
    const newest = async (path: string) => (await call<List<object>>(admin, 'GET', path)).items.at(-1);
    expect(await readCase()).toMatchObject({ legal_hold: { placed_by: name } });
    expect(await newest(`${organization}/task-templates`)).toMatchObject({ changed_by: name });
    expect(await newest(`${organization}/knowledge`)).toMatchObject({ created_by: name });
    expect(await newest('credential-links')).toMatchObject({ created_by: name });
    expect(await newest('invitations')).toMatchObject({ invited_by: name });
    expect(await call(admin, 'GET', versions)).toMatchObject({ author: name });
    expect((await call<List<object>>(admin, 'GET', `${versions}/versions`)).items[0]).toMatchObject({ author: name });
  });

  it('still gets events of the case, and rules for the person still match', async () => {
    const ines = await service.createPerson('analyst', 'DEMO', `${OTHER_NAME} ${count}`);
    const channel = { organization_code: 'DEMO', kind: 'webhook', name: `hook ${count}`, settings: { url: 'https://hook.example/x' } };
    const { body: created } = await service.request<{ channel_id: string }>('POST', '/platformapi/notification-channels', {
      body: channel,
    });
    const rule = { organization_code: 'DEMO', name: `mine ${count}`, channel_id: created.channel_id, events: ['case.commented'] };
    const { body: saved } = await service.request<Rule>('POST', '/platformapi/notification-rules', {
      body: { ...rule, assignee: dana.name },
    });
    const name = await rename();
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { key: ines.api_key, body: { comment: 'Any news?' } });
    await waitFor('the entry in the inbox', async () => {
      const { body } = await service.request<List<InboxEntry>>('GET', '/platformapi/inbox', { key: dana.api_key });
      return body.items.find(({ event }) => event === 'case.commented');
    });
    const rules = await service.request<List<Rule>>('GET', '/platformapi/notification-rules');
    expect(rules.body.items.find(({ rule_id: id }) => id === saved.rule_id)?.assignee).toBe(name);
    const [delivery] = await service.database.pg`
      select from notification_deliveries where channel_uuid = ${created.channel_id}`;
    expect(delivery).toBeDefined();
  });
});

describe('a key of a service', () => {
  it('keeps its name', async () => {
    const name = `automation ${count}`;
    const { api_key: key } = await service.createKey('analyst', 'DEMO', { name });
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { key, body: { assignee: name, comment: 'Automated.' } });
    expect(await listAssigned(name)).toEqual([caseId]);
    expect(await readCase()).toMatchObject({ assignee: name, timeline: expect.arrayContaining([expect.objectContaining({ by: name })]) });
  });
});
