import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findRunState } from '../../../db/skills/skill-runs.js';
import type { SkillRun } from '../../../domain/connection/connection.js';
import type { Connection } from '../../../services/connections/wire.js';
import type { Context } from '../../../services/context.js';
import { decideRun } from '../../../services/skill-runs/decide.js';
import { adminPrincipal } from '../../support/principal.js';
import { startTestService, type TestService } from '../../support/service.js';
import { idleContext } from '../../support/service-context.js';

let service: TestService;
let connectionId: string;
let runId: string;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  const body = {
    organization_code: 'DEMO',
    connector: 'endpoint-detection',
    instance_name: 'Endpoints',
    settings: { auth_url: 'https://login.invalid', api_host: 'https://api.invalid', scope_resource: 'https://api.invalid' },
    credentials: { tenant_id: 'tenant', client_id: 'client', client_secret: 'secret' },
    needs_second_person: true,
  };
  connectionId = (await service.request<Connection>('POST', '/platformapi/connections', { body })).body.connection_id;
});
afterAll(() => service.stop());

beforeEach(async () => {
  const body = { input: { machine_id: 'm1', comment: 'Stolen.' }, confirm: true };
  const path = `/platformapi/connections/${connectionId}/skills/isolate-machine`;
  runId = (await service.request<SkillRun>('POST', path, { body })).body.run_id;
});

const WAIT = { waitMs: 1000 };

/** `run` is the first, second … time that the command runs the workflow. */
function contextWith(run: (time: number) => Promise<{ ended: boolean }>): Context & { readonly times: () => number } {
  let times = 0;
  const idle = idleContext(service);
  const runner = {
    ...idle.runner,
    run: async () => {
      times += 1;
      const { ended } = await run(times);
      return ended ? { ended: true as const, result: null } : { ended: false as const };
    },
  };
  return { ...idle, by: adminPrincipal('second'), runner, times: () => times };
}

const storeState = (state: string) => service.database.pg`update skill_runs set state = ${state} where run_uuid = ${runId}`;

describe('an approved run', () => {
  it('starts again after the workflow that asked for the approval, which ends without sending the write', async () => {
    const context = contextWith(async (time) => {
      if (time === 2) await storeState('done');
      return { ended: true };
    });
    expect(await decideRun(context, runId, { approve: true, ...WAIT })).toMatchObject({ state: 'done', decidedBy: 'second' });
    expect(context.times()).toBe(2);
  });

  it('joins a workflow that is under way, and does not start a second one after the write', async () => {
    const open = contextWith(async () => ({ ended: false }));
    expect(await decideRun(open, runId, { approve: true, ...WAIT })).toMatchObject({ state: 'running' });
    expect(open.times()).toBe(1);
  });

  it('starts once if its workflow sends the write', async () => {
    const context = contextWith(async () => {
      await storeState('done');
      return { ended: true };
    });
    await decideRun(context, runId, { approve: true, ...WAIT });
    expect(context.times()).toBe(1);
  });

  it('starts after the commit, and never after a refused decision', async () => {
    const seen: unknown[] = [];
    const context = contextWith(async () => {
      seen.push(await findRunState(service.database.db, runId));
      return { ended: false };
    });
    await decideRun(context, runId, { approve: true, ...WAIT });
    expect(seen).toEqual(['running']);
    await expect(decideRun(context, runId, { approve: true, ...WAIT })).rejects.toMatchObject({ refusal: 'conflict' });
    expect(seen).toHaveLength(1);
  });
});
