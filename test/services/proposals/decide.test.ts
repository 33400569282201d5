import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { touchCase } from '../../../db/cases/case-scope.js';
import { findProposalRow, lockProposal } from '../../../db/response/proposal-rows.js';
import { proposalWorkflowId } from '../../../domain/response/proposal.js';
import { updateCase } from '../../../services/cases/update.js';
import type { Context } from '../../../services/context.js';
import { approveProposal } from '../../../services/proposals/approve.js';
import { refuseProposal } from '../../../services/proposals/refuse.js';
import { investigate, proposeIsolation } from '../../api/support/records.js';
import { adminPrincipal } from '../../support/principal.js';
import { startTestService, type TestService, waitFor } from '../../support/service.js';
import { idleContext } from '../../support/service-context.js';
import { unreachableEndpoints } from '../../support/unreachable-endpoints.js';
import { createConnection } from '../../support/with-third-parties.js';

let service: TestService;
let connectionId: string;
let proposalId: string;
/** The state that each woken workflow finds in the database. */
let woken: [workflowId: string, state: string | undefined][];
let context: Context;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  connectionId = await createConnection(service, unreachableEndpoints('endpoints'));
});
afterAll(() => service.stop());

async function propose(given: Parameters<typeof proposeIsolation>[3] = {}): Promise<string> {
  const alert = await service.sendAlert({ alert_type: 'Malware on host' });
  await investigate(service, alert);
  return proposeIsolation(service, alert.alert_id, connectionId, given);
}

beforeEach(async () => {
  proposalId = await propose();
  woken = [];
  const idle = idleContext(service);
  const signal = async (workflowIds: readonly string[]) => {
    const row = await findProposalRow(service.database.db, proposalId);
    for (const workflowId of workflowIds) woken.push([workflowId, row?.state]);
  };
  context = { ...idle, by: adminPrincipal('one'), runner: { ...idle.runner, signal } };
});

it('waits for a decision about its proposal before a close locks the case, so that they do not deadlock', async () => {
  const { pg, db } = service.database;
  const [its] = await pg<{ case_id: string }[]>`
    select case_id from cases join case_alerts using (case_uuid) join proposals on proposals.alert_uuid = case_alerts.alert_uuid
    where proposal_uuid = ${proposalId}`;
  const caseId = its?.case_id ?? '';
  const closed = await db.transaction(async (transaction) => {
    // A decision locks the proposal, and writes to its case at the end.
    await lockProposal(transaction, null, proposalId);
    const closing = updateCase(context, caseId, { classification: 'false_positive' });
    closing.catch(() => {});
    const isWaiting = () => pg`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await waitFor('the close to wait', async () => (await isWaiting()).length > 0);
    await transaction.execute("set local lock_timeout = '5s'");
    await touchCase(transaction, null, caseId, context.now());
    return { closing };
  });
  await closed.closing;
  expect(await findProposalRow(service.database.db, proposalId)).toMatchObject({ state: 'withdrawn' });
});

describe('a decision about a proposal, from each transport', () => {
  it('wakes the workflow after the commit', async () => {
    expect(await approveProposal(context, proposalId, {})).toMatchObject({ state: 'approved', decisions: [{ by: 'one' }] });
    expect(await refuseProposal(context, proposalId, 'No.')).toMatchObject({ state: 'refused' });
    expect(woken).toEqual(['approved', 'refused'].map((state) => [proposalWorkflowId(proposalId), state]));
  });

  it('wakes no workflow and writes no event if the command refuses', async () => {
    await approveProposal(context, proposalId, {});
    const countEvents = async () => (await service.database.pg`select from notification_events`).length;
    const before = await countEvents();
    await expect(approveProposal(context, proposalId, {})).rejects.toMatchObject({ refusal: 'conflict' });
    await expect(approveProposal({ ...context, by: adminPrincipal('two') }, proposalId, {})).rejects.toMatchObject({ refusal: 'conflict' });
    expect(woken).toHaveLength(1);
    expect(await countEvents()).toBe(before);
  });

  it('checks that a write with an end can be undone', async () => {
    const scan = { verb: 'runAntivirusScan', skillId: 'Run antivirus scan', input: { machine_id: 'm1', scan_type: 'Quick' } };
    const scanId = await propose({ ...scan, proposalKey: 'scan' });
    await expect(approveProposal(context, scanId, { release_after_hours: 1 })).rejects.toMatchObject({
      refusal: 'invalid',
      errors: [{ pointer: '#/release_after_hours' }],
    });
  });
});
