import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Overview } from '../../domain/case/overview.js';
import type { Proposal } from '../../domain/response/proposal.js';
import type { Connection } from '../../services/connections/wire.js';
import type { SkillRun, SkillRunListItem } from '../../services/skill-runs/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import { unreachableEndpoints } from '../support/unreachable-endpoints.js';
import { readAllPages } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
const connections = new Map<string, string>();

beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const code of ['NORTH', 'SOUTH']) {
    await createOrganization(service, code);
    const body = {
      ...unreachableEndpoints(`Endpoints of ${code}`),
      organization_code: code,
      needs_second_person: true,
    };
    connections.set(code, (await service.request<Connection>('POST', '/platformapi/connections', { body })).body.connection_id);
  }
});
afterAll(() => service.stop());

async function propose(code: string): Promise<string> {
  const path = `/platformapi/connections/${connections.get(code)}/skills/isolate-machine`;
  const body = { input: { machine_id: 'a'.repeat(40), comment: code }, confirm: true };
  const reply = await service.request<SkillRun>('POST', path, { body });
  expect(reply.status).toBe(202);
  return reply.body.run_id;
}

const WAITING = '/platformapi/skill-runs?state=proposed';
const WAITING_WRITES = '/platformapi/proposals?state=waiting&manual=only';

it('lists the runs that need a second person, newest first, of the organization of the key, until a decision', async () => {
  const runs: string[] = [];
  for (const code of ['NORTH', 'SOUTH', 'NORTH', 'NORTH']) runs.push(await propose(code));
  const [first = '', south = '', second = '', third = ''] = runs;
  const { api_key: analyst } = await service.createKey('analyst', 'NORTH');
  const listed = async (path: string, key?: string) =>
    (await readAllPages<SkillRunListItem>(service, path, { limit: 1, ...(key === undefined ? {} : { key }) })).map(({ run_id }) => run_id);
  expect(await listed(WAITING)).toEqual([third, second, south, first]);
  expect(await listed(WAITING, analyst)).toEqual([third, second, first]);
  expect(await listed(`${WAITING}&connector=endpoint-detection`, analyst)).toEqual([third, second, first]);
  expect(await listed(`${WAITING}&connector=travel-booking`, analyst)).toEqual([]);
  const listWrites = async (connector: string) =>
    (await readAllPages<Proposal>(service, `${WAITING_WRITES}&connector=${connector}`, { limit: 1, key: analyst })).map(
      ({ proposal_id }) => proposal_id,
    );
  expect(await listWrites('endpoint-detection')).toEqual([third, second, first]);
  expect(await listWrites('travel-booking')).toEqual([]);
  const overview = async (hours: number) =>
    (await service.request<Overview>('GET', `/platformapi/overview?hours=${hours}`, { key: analyst })).body.skill_runs_waiting;
  expect(await overview(1)).toBe(3);

  await service.request('POST', `/platformapi/skill-runs/${second}/decision`, { key: analyst, body: { approve: false } });
  expect(await listed(WAITING, analyst)).toEqual([third, first]);
  expect(await listed('/platformapi/skill-runs?state=refused', analyst)).toEqual([second]);
  // Uses another time window, because the counts are cached.
  expect(await overview(2)).toBe(2);
});

it('refuses an input that the database cannot store', async () => {
  const path = `/platformapi/connections/${connections.get('NORTH')}/skills/isolate-machine`;
  const body = { input: { machine_id: 'a'.repeat(40), comment: 'a\u0000' }, confirm: true };
  expect(await service.request('POST', path, { body })).toMatchObject({ status: 422, body: { detail: expect.stringContaining('NUL') } });
});

it('shows the skill, input and connection of a listed run', async () => {
  const runId = await propose('SOUTH');
  const [run] = await readAllPages<SkillRunListItem>(service, WAITING, { limit: 50 });
  expect(run).toMatchObject({
    run_id: runId,
    skill_id: 'Isolate machine',
    organization_code: 'SOUTH',
    connector: 'endpoint-detection',
    instance_name: 'Endpoints of SOUTH',
    input: { comment: 'SOUTH' },
    state: 'proposed',
    problem: null,
  });
  expect(run).not.toHaveProperty('outcome');
});

it('returns 403 for a sender and 422 for an unknown state', async () => {
  const { api_key: sender } = await service.createKey('sender', 'NORTH');
  expect((await service.request('GET', WAITING, { key: sender })).status).toBe(403);
  expect((await service.request('GET', '/platformapi/skill-runs?state=odd')).status).toBe(422);
});
