import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../support/service.js';
import {
  agent,
  caFile,
  claimAs,
  connectionId,
  expireHeartbeat,
  ISOLATE,
  listCalls,
  listIsolations,
  MACHINE,
  readRun,
  runSkill,
  service,
  setUpAgents,
  standIn,
  startAgent,
  switchWrites,
} from './support/agents.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

setUpAgents();

describe('after an agent dies', () => {
  it('exactly one isolation exists if it died during the isolate', async () => {
    standIn.requests.length = 0;
    standIn.faults.next({ match: ({ url }) => url.endsWith('/isolate'), performed: true, drip: true });
    const child = spawn(process.execPath, ['bin/alert-investigator', 'agent'], {
      cwd: ROOT,
      env: {
        ...process.env,
        AGENT_API_URL: service.url,
        AGENT_TOKEN: agent.token,
        EGRESS_ALLOW: standIn.address,
        EGRESS_CA_FILE: caFile,
        LOG_LEVEL: 'silent',
      },
      stdio: 'inherit',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const run = runSkill('isolate-machine', ISOLATE);
    await waitFor('the isolate to reach the third party', async () => listIsolations().length === 1);
    child.kill('SIGKILL');
    await ended;
    await expireHeartbeat();
    startAgent();
    const outcome = await run;
    expect([200, 202]).toContain(outcome.status);
    await waitFor('the isolate to be found', async () => {
      const [result] = await service.database.pg`select status from skill_results where connection_uuid = ${connectionId}`;
      return result?.['status'] === 'done';
    });
    expect(listIsolations()).toHaveLength(1);
    expect(standIn.requests.filter(({ url }) => url.endsWith('/isolate'))).toHaveLength(1);
  });

  it('the next agent looks up an unsent isolate while writes are stopped, and performs it afterwards', async () => {
    const run = runSkill('isolate-machine', ISOLATE);
    expect((await claimAs(agent.token)).mode).toBe('perform');
    await expireHeartbeat();
    await switchWrites('stop');
    standIn.requests.length = 0;
    startAgent();
    await waitFor('the write to be held', async () => (await readRun()).problem?.code === 'WritesHeld');
    expect(listCalls()).toEqual(['GET /api/machineactions']);
    await switchWrites('resume');
    await waitFor('the write to complete', async () => (await readRun()).state === 'done');
    expect(listCalls()).toEqual(['GET /api/machineactions', 'GET /api/machineactions', `POST /api/machines/${MACHINE}/isolate`]);
    expect(listIsolations()).toHaveLength(1);
    await run;
  });

  it('the next agent finds a sent isolate while writes are stopped', async () => {
    standIn.requests.length = 0;
    const run = runSkill('isolate-machine', ISOLATE);
    const dying = await claimAs(agent.token);
    // As the agent does shortly before it dies.
    standIn.state.actions.push({
      id: 'sent before it died',
      type: 'Isolate',
      status: 'Pending',
      machineId: MACHINE,
      requestorComment: `Contain it [alert-investigator ${dying.operation_key}]`,
      creationDateTimeUtc: new Date().toISOString(),
      lastUpdateDateTimeUtc: new Date().toISOString(),
    });
    await expireHeartbeat();
    await switchWrites('stop');
    onTestFinished(async () => void (await switchWrites('resume')));
    startAgent();
    expect(await run).toMatchObject({ status: 200, body: { output: { type: 'Isolate' } } });
    expect(listCalls()).toEqual(['GET /api/machineactions']);
    expect(listIsolations()).toHaveLength(1);
  });
});
