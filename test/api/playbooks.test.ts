import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../domain/playbook/playbook.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import type { PlanVersion, PlanVersionSummary, Playbook, PlaybookSummary } from '../../services/playbooks/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import { readAllPages } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
let north: string;
let south: string;
beforeAll(async () => {
  service = await startTestService();
  for (const code of ['NORTH', 'SOUTH']) await createOrganization(service, code);
  north = (await service.createKey('admin', 'NORTH')).api_key;
  south = (await service.createKey('admin', 'SOUTH')).api_key;
});
afterAll(() => service.stop());

let made = 0;
/** Creates a generated playbook of NORTH that no other test uses. */
async function newPlaybook(): Promise<Playbook> {
  made += 1;
  const alertType = `Never seen ${made}`;
  const { alert_id } = await service.sendAlert({ organization_code: 'NORTH', alert_type: alertType });
  await service.waitForStatus(alert_id, 15);
  const body = { organization_code: 'NORTH', alert_type: alertType };
  const { status, body: created } = await service.request<Playbook>('POST', '/platformapi/playbooks', { body, key: north });
  expect(status).toBe(201);
  return created;
}

const place = ({ playbook_id }: Pick<Playbook, 'playbook_id'>, part = '') => `/platformapi/playbooks/${playbook_id}${part}`;
const get = <Body>(path: string, key = north) => service.request<Body>('GET', path, { key });
const put = <Body = { detail: string; errors?: { pointer: string; detail: string }[] }>(path: string, body: unknown, key = north) =>
  service.request<Body>('PUT', path, { key, body });
const requirePlan = (playbook: Playbook): Plan => playbook.plan ?? expect.fail('it has no plan');
/** The plan without one of its steps. */
function removeStep(playbook: Playbook): Plan {
  const { steps } = requirePlan(playbook);
  const asked = steps.findLastIndex((step) => step.do === 'ask');
  const rest = steps.filter((step, index) => index !== asked && step.do !== 'propose');
  return { steps: rest };
}

describe('a plan', () => {
  it('is returned with its version, and each version stays readable', async () => {
    const playbook = await newPlaybook();
    expect((await get<Playbook>(place(playbook))).body).toEqual(playbook);
    const first = await get<PlanVersion>(place(playbook, '/plan'));
    expect(first).toMatchObject({
      status: 200,
      body: { version: 1, newest_version: 1, pinned_version: null, author: null, made_from: null },
    });
    expect(first.body.plan.steps.every(({ why }) => why.length > 20)).toBe(true);
    const edited = await put<PlanVersion>(place(playbook, '/plan'), { made_from: 1, plan: removeStep(playbook) });
    expect(edited).toMatchObject({
      status: 200,
      body: { version: 2, newest_version: 2, author: expect.stringContaining('admin'), made_from: 1 },
    });
    expect((await get<PlanVersion>(place(playbook, '/plan'))).body).toEqual(edited.body);
    expect((await get<PlanVersion>(place(playbook, '/plan?version=1'))).body.plan).toEqual(first.body.plan);
    expect((await get<Playbook>(place(playbook))).body).toMatchObject({ version: 2, plan: edited.body.plan });
    const versions = await readAllPages<PlanVersionSummary>(service, place(playbook, '/plan/versions'), { limit: 1, key: north });
    expect(versions).toEqual([
      { version: 2, author: edited.body.author, made_from: 1, created_at: expect.any(Number) },
      { version: 1, author: null, made_from: null, created_at: expect.any(Number) },
    ]);
  });

  it('returns 409 when it is edited from an older version', async () => {
    const playbook = await newPlaybook();
    const edit = { made_from: 1, plan: removeStep(playbook) };
    expect(await put(place(playbook, '/plan'), edit)).toMatchObject({ status: 200 });
    const late = await put(place(playbook, '/plan'), edit);
    expect(late).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Version 2 is newer') } });
    expect(await put(place(playbook, '/plan'), { ...edit, made_from: 7 })).toMatchObject({ status: 409 });
  });

  it('is refused with pointer and reason when it cannot run', async () => {
    const playbook = await newPlaybook();
    const steps = requirePlan(playbook).steps.map((step) => (step.do === 'ask' ? { ...step, skill: 'endpointDetection.reboot' } : step));
    const wrong = steps.findIndex((step) => step.do === 'ask');
    const refused = await put(place(playbook, '/plan'), { made_from: 1, plan: { steps } });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toContainEqual({
      pointer: `#/plan/steps/${wrong}/skill`,
      detail: expect.stringContaining('The skill endpointDetection.reboot does not exist'),
    });
    const odd = await put(place(playbook, '/plan'), { made_from: 1, plan: { steps: [{ do: 'explode', why: 'x' }] } });
    expect(odd.status).toBe(422);
    const many = { steps: Array.from({ length: 121 }, () => ({ do: 'summarise', why: 'Again.' })) };
    expect(await put(place(playbook, '/plan'), { made_from: 1, plan: many })).toMatchObject({ status: 422 });
    expect((await get<Playbook>(place(playbook))).body.version).toBe(1);
  });

  it('is pinned to one version and unpinned', async () => {
    const playbook = await newPlaybook();
    await put(place(playbook, '/plan'), { made_from: 1, plan: removeStep(playbook) });
    const pinned = await put<Playbook>(place(playbook, '/pin'), { version: 1 });
    expect(pinned).toMatchObject({ status: 200, body: { version: 2, pinned_version: 1, plan: requirePlan(playbook) } });
    expect((await get<PlanVersion>(place(playbook, '/plan'))).body).toMatchObject({ version: 1, newest_version: 2, pinned_version: 1 });
    expect(await put<Playbook>(place(playbook, '/pin'), { version: null })).toMatchObject({
      body: { pinned_version: null, plan: removeStep(playbook) },
    });
    const unknown = await put(place(playbook, '/pin'), { version: 3 });
    expect(unknown).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/version', detail: expect.stringContaining('newest version is 2') }] },
    });
  });

  it('has no version beyond the newest', async () => {
    const playbook = await newPlaybook();
    for (const version of [0, 2, 999_999_999_999_999])
      expect(await get(place(playbook, `/plan?version=${version}`))).toMatchObject({
        status: 404,
        body: { detail: `The plan has no version ${version}. The newest version is 1.` },
      });
    const cursor = Buffer.from('999999999999999', 'latin1').toString('base64url');
    expect(await get(place(playbook, `/plan/versions?cursor=${cursor}`))).toMatchObject({ status: 200, body: { items: [{ version: 1 }] } });
  });
});

it('shows a written playbook to all organizations, without a plan', async () => {
  const all = await readAllPages<PlaybookSummary>(service, '/platformapi/playbooks', { limit: 200, key: north });
  const written = all.find(({ origin }) => origin === 'written') ?? expect.fail('no written playbook');
  expect((await get<Playbook>(place(written))).body).toEqual({ ...written, plan: null });
  for (const part of ['/plan', '/plan/versions'])
    expect(await get(place(written, part))).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('written in TypeScript') },
    });
  const plan = { steps: [{ do: 'summarise', why: 'Nothing else.' }] };
  for (const [part, body] of [
    ['/plan', { made_from: 1, plan }],
    ['/pin', { version: 1 }],
  ] as const)
    expect(await put(place(written, part), body)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('written in TypeScript') },
    });
});

it('has its plan only on its own, so that a list stays small', async () => {
  const { plan, ...summary } = await newPlaybook();
  const listed = await readAllPages<PlaybookSummary>(service, '/platformapi/playbooks', { limit: 200, key: north });
  expect(listed.find(({ playbook_id }) => playbook_id === summary.playbook_id)).toEqual({ ...summary, runs: expect.any(Object) });
  expect((await get<Playbook>(place(summary))).body.plan).toEqual(plan);
});

it('returns 404 for a generated playbook of another organization', async () => {
  const playbook = await newPlaybook();
  for (const part of ['', '/plan', '/plan?version=1', '/plan/versions']) expect((await get(place(playbook, part), south)).status).toBe(404);
  expect((await put(place(playbook, '/plan'), { made_from: 1, plan: removeStep(playbook) }, south)).status).toBe(404);
  expect((await put(place(playbook, '/pin'), { version: 1 }, south)).status).toBe(404);
  expect((await get<Playbook>(place(playbook))).body).toEqual(playbook);
});

it('records every change of a plan in the audit log', async () => {
  const playbook = await newPlaybook();
  await put(place(playbook, '/plan'), { made_from: 1, plan: removeStep(playbook) });
  await put(place(playbook, '/pin'), { version: 1 });
  await put(place(playbook, '/plan'), { made_from: 1, plan: removeStep(playbook) });
  const all = await readAllPages<AuditEntry>(service, '/platformapi/audit', { limit: 200, key: north });
  const ours = all.filter(({ target, principal_uuid }) => target === playbook.playbook_id && principal_uuid !== null);
  expect(ours.map(({ action, details }) => [action, details])).toEqual([
    ['playbook.pin', { version: 1 }],
    ['playbook.edit', { version: 2, made_from: 1 }],
    ['playbook.create', { alert_type: expect.stringContaining('Never seen') }],
  ]);
});

describe('a deleted playbook', () => {
  const remove = (playbook: PlaybookSummary, key = north) => service.request<{ detail: string }>('DELETE', place(playbook), { key });

  it('leaves the list but stays readable, and the next alert of its type gets another one', async () => {
    const playbook = await newPlaybook();
    expect(await remove(playbook, south)).toMatchObject({ status: 404 });
    expect(await remove(playbook)).toMatchObject({ status: 204 });
    expect((await get<Playbook>(place(playbook))).body).toMatchObject({ deleted_at: expect.any(Number), alert_types: [] });
    const listed = await readAllPages<PlaybookSummary>(service, '/platformapi/playbooks', { limit: 200, key: north });
    expect(listed.map(({ playbook_id }) => playbook_id)).not.toContain(playbook.playbook_id);
    expect(await remove(playbook)).toMatchObject({ status: 404 });
    expect(await put(place(playbook, '/pin'), { version: 1 })).toMatchObject({ status: 404 });
    const { alert_id } = await service.sendAlert({ organization_code: 'NORTH', alert_type: playbook.name });
    expect(await service.waitForStatus(alert_id, 15)).toMatchObject({ playbook: playbook.name });
  });

  it('is never a written one', async () => {
    const written = (await get<{ items: PlaybookSummary[] }>('/platformapi/playbooks?limit=200')).body.items.find(
      ({ origin }) => origin === 'written',
    );
    expect(await remove(written ?? expect.fail('no written playbook'), service.adminKey)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('workflows/playbooks') },
    });
  });
});

describe('a playbook of its own', () => {
  const create = (alert_type: string) =>
    service.request<{ detail: string }>('POST', '/platformapi/playbooks', { body: { organization_code: 'NORTH', alert_type }, key: north });

  it('is refused with a reason for a type that has one, that is written, or that is unknown', async () => {
    const playbook = await newPlaybook();
    expect(await create(playbook.name)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Edit its plan') } });
    expect(await create('Malware detected')).toMatchObject({ status: 409, body: { detail: expect.stringContaining('TypeScript') } });
    expect(await create('No alert of this type')).toMatchObject({ status: 404, body: { detail: expect.stringContaining('first alert') } });
  });
});
