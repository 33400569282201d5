import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { proposalWorkflowId } from '../../../domain/response/proposal.js';
import { findTemporalCli } from '../../../local/temporal/cli.js';
import { startTemporal } from '../../../local/temporal/server.js';
import { changeProposals, fromNow } from '../../support/rows.js';
import { log, startTestService, waitFor } from '../../support/service.js';
import { type ProposalKit, proposalKit, startProposalKit } from './support.js';

const [DANA_PC, RUI_PC, FILE_SERVER, INES_MAC] = COMPUTERS;
let kit: ProposalKit;

beforeAll(async () => {
  kit = await startProposalKit();
});
afterAll(() => kit?.stop());

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
    const dueIn = (undoId: string, seconds: number) => changeProposals(service, { proposalUuid: undoId }, { runAt: fromNow({ seconds }) });
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

it('continues as a new run before its history is full, and sends the write once', async () => {
  const { service, investigated, decide, reach, actionsOn, proposalHandle, signal } = kit;
  const { proposal } = await investigated(RUI_PC.machineId);
  const proposalId = proposal.proposal_id;
  const sentBefore = actionsOn(RUI_PC.machineId, 'Isolate').length;
  const first = await service.temporal.workflow.start('proposal', {
    workflowId: proposalWorkflowId(proposalId),
    taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    args: [{ proposalId, maxEvents: 20 }],
  });
  const readRunId = async () => (await proposalHandle(proposalId).describe()).runId;
  await waitFor('the next run', async () => {
    await signal(proposalId);
    return (await readRunId()) !== first.firstExecutionRunId;
  });
  await decide(proposalId, 'approve', {});
  await reach(proposalId, 'done');
  expect(actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(sentBefore + 1);
});
