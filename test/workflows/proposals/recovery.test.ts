import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { findTemporalCli } from '../../../local/temporal/cli.js';
import { startTemporal } from '../../../local/temporal/server.js';
import { log, replayAll, startTestService, waitFor } from '../../support/service.js';
import { type ProposalKit, proposalKit, startProposalKit } from './support.js';

const [DANA_PC, RUI_PC, FILE_SERVER, INES_MAC] = COMPUTERS;
let kit: ProposalKit;

beforeAll(async () => {
  kit = await startProposalKit();
});
afterAll(() => kit?.stop());

it('waits for a reconnect when its credentials are rejected', async () => {
  const { alertId, proposal } = await kit.investigated(INES_MAC.machineId);
  const before = kit.actionsOn(INES_MAC.machineId, 'Isolate').length;
  // The client retries a 401 once with a new token.
  kit.endpoints.faults.next({ match: ({ url }) => url.endsWith('/isolate'), status: 401, times: 2, body: {} });
  await kit.decide(proposal.proposal_id, 'approve', {});
  await waitFor('the proposal to wait', async () =>
    (await kit.service.readCase(alertId)).waiting_on.some(({ skill_id }) => skill_id === 'Isolate machine'),
  );
  expect(kit.actionsOn(INES_MAC.machineId, 'Isolate')).toHaveLength(before);
  expect(await kit.service.request('POST', `/platformapi/connections/${kit.connectionId}/test`)).toMatchObject({ body: { ok: true } });
  await kit.reach(proposal.proposal_id, 'done');
  expect(kit.actionsOn(INES_MAC.machineId, 'Isolate')).toHaveLength(before + 1);
});

describe('a lost run', () => {
  it('starts again with the decisions that were made in the meantime', async () => {
    // Not isolated before: a lost proposal looks older than an isolation of this file.
    const { proposal } = await kit.investigated(RUI_PC.machineId);
    await kit.lose(proposal.proposal_id);
    expect(await kit.decide(proposal.proposal_id, 'approve', {})).toMatchObject({ status: 200, body: { state: 'approved' } });
    await kit.reconcile();
    await kit.reach(proposal.proposal_id, 'done');
  });

  it('starts again with the approval of the second person', async () => {
    await kit.protect('host', INES_MAC.name);
    const asked = await kit.run('run-antivirus-scan', INES_MAC.machineId);
    expect(asked.body.state).toBe('proposed');
    // As if the API died between the decision and the start.
    await kit.service.database.pg`update skill_runs set state = 'running', decided_by = 'second', asked_at = now() - interval '1 hour'
      where run_uuid = ${asked.body.run_id}`;
    await kit.reconcile();
    await waitFor('the run', async () => (await kit.readRun(asked.body.run_id)).state === 'done');
  });

  it('fails if a person terminated it', async () => {
    const { alertId, proposal } = await kit.investigated(INES_MAC.machineId);
    await kit.proposalHandle(proposal.proposal_id).terminate();
    await kit.age(proposal.proposal_id);
    await kit.reconcile();
    expect(await kit.read(proposal.proposal_id)).toMatchObject({ state: 'failed', outcome: 'The run ended in Temporal (terminated).' });
    expect(await kit.readTimeline(alertId)).toContainEqual(expect.stringContaining('The run ended in Temporal'));
  });
});

describe('while Temporal is unavailable', () => {
  it('decisions are stored, and take effect when it is available', { timeout: 300_000 }, async () => {
    const cli = await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log });
    const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-proposals-'));
    const temporal = { cli, folder, uiPort: 0, namespaces: ['default'], log };
    let server = await startTemporal(temporal);
    const port = Number(server.address.split(':')[1]);
    const service = await startTestService({
      env: { ...kit.egress, TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default' },
      reconcile: { everySeconds: 1, untouchedForSeconds: 0 },
    });
    onTestFinished(async () => {
      await service.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const { investigated, decide, reach, listProposals, actionsOn, proposalHandle, readStatus, listEvents } = await proposalKit(
      service,
      kit.endpoints,
    );
    const released = (machineId: string) => actionsOn(machineId, 'Unisolate').length;
    const before = COMPUTERS.map(({ machineId }) => released(machineId));
    const isolated = async (machineId: string) => {
      const { alertId, proposal } = await investigated(machineId);
      await decide(proposal.proposal_id, 'approve', {});
      await reach(proposal.proposal_id, 'done');
      const undo = (await listProposals(alertId)).find(({ undo_of }) => undo_of !== null) ?? expect.fail('there is no undo');
      return { proposalId: proposal.proposal_id, undoId: undo.proposal_id };
    };
    const dueIn = (undoId: string, seconds: number) =>
      service.database.pg`update proposals set run_at = now() + make_interval(secs => ${seconds}) where proposal_uuid = ${undoId}`;
    const beginsIn = async (undoId: string) => {
      const { executionTime } = await proposalHandle(undoId).describe();
      return ((executionTime?.getTime() ?? 0) - Date.now()) / 1000;
    };

    const [sooner, later, forGood] = [
      await isolated(DANA_PC.machineId),
      await isolated(RUI_PC.machineId),
      await isolated(FILE_SERVER.machineId),
    ];
    const { alertId, proposal: waiting } = await investigated(INES_MAC.machineId);
    for (const { undoId } of [later, forGood]) await dueIn(undoId, 30);
    for (const { undoId } of [later, forGood]) await waitFor('its run to be rescheduled', async () => (await beginsIn(undoId)) < 60);

    await server.stop();
    const reconfirmed = (hours: number | null) => ({ hours, reason: 'As long as it takes.' });
    const approval = { release_after_hours: 2 };
    expect(await decide(sooner.proposalId, 'reconfirm', reconfirmed(1))).toMatchObject({ status: 200 });
    expect(await decide(later.proposalId, 'reconfirm', reconfirmed(48))).toMatchObject({ status: 200 });
    expect(await decide(forGood.proposalId, 'reconfirm', reconfirmed(null))).toMatchObject({ status: 200 });
    expect(await decide(waiting.proposal_id, 'approve', approval)).toMatchObject({ status: 200, body: { state: 'approved' } });
    server = await startTemporal({ ...temporal, port });

    await waitFor('the sooner run to be rescheduled', async () => (await beginsIn(sooner.undoId)) < 3600);
    expect(await beginsIn(sooner.undoId)).toBeGreaterThan(3000);
    await reach(waiting.proposal_id, 'done');
    const undo = (await listProposals(alertId)).find(({ undo_of }) => undo_of !== null);
    expect(undo?.run_at).toBeLessThan(Date.now() / 1000 + 2 * 3600 + 60);
    // Runs that missed the change begin at the old time and read the decision then.
    await waitFor('the withdrawn run to end', async () => (await readStatus(forGood.undoId)) === 'COMPLETED');
    const timers = async (undoId: string) =>
      (await listEvents(undoId)).flatMap(({ timerStartedEventAttributes: timer }) =>
        timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
      );
    await waitFor('the later run to continue waiting', async () => (await timers(later.undoId)).length > 0);
    expect((await timers(later.undoId))[0]).toBeGreaterThan(47 * 3600);
    expect(COMPUTERS.map(({ machineId }) => released(machineId))).toEqual(before);

    // A run that waits resumes when it is due. A run with a delayed start begins on time.
    for (const { undoId } of [sooner, later]) await dueIn(undoId, 1);
    for (const { undoId } of [sooner, later]) await reach(undoId, 'done');
    expect(released(DANA_PC.machineId) + released(RUI_PC.machineId)).toBe((before[0] ?? 0) + (before[1] ?? 0) + 2);
  });
});

it('leaves histories that replay', async () => {
  expect(await replayAll(kit.service)).toBeGreaterThan(8);
});
