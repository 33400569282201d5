import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvestigationStarter } from '../../../api/dispatch/investigation-starter.js';
import { startApi } from '../../../api/server.js';
import { leaseOutbox } from '../../../db/alerts/outbox.js';
import { newUuid } from '../../../db/ids.js';
import { asService } from '../../../services/context.js';
import { registerWrittenPlaybooks } from '../../../services/playbooks/register-written.js';
import { declaredPlaybooks } from '../../../worker/worker.js';
import { changeAlerts } from '../../support/rows.js';
import { log, startTestService, type TestService, waitFor } from '../../support/service.js';
import * as workflows from '../../support/workflows.js';

async function createOrganization(service: TestService, code: string): Promise<void> {
  const reply = await service.request('POST', '/platformapi/organizations', { body: { organization_code: code, name: code } });
  expect(reply.status).toBe(201);
}

describe('the dispatcher with Temporal available', () => {
  let service: TestService;
  const warnings: string[] = [];
  const recordWarning = (warning: Error) => warnings.push(warning.name);
  beforeAll(async () => {
    process.on('warning', recordWarning);
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('creates one playbook when many alerts of a new type arrive concurrently', async () => {
    const second = await startApi({ settings: service.settings, log });
    try {
      const types = ['Never seen', 'never seen', ' NEVER  SEEN ', 'Never Seen'];
      const sent = await Promise.all(
        Array.from({ length: 12 }, (_, n) => service.sendAlert({ alert_type: types[n % types.length] ?? '' })),
      );
      for (const alert of sent) await service.waitForStatus(alert.alert_id, 15);
      const { body } = await service.request<{
        items: { name: string; origin: string; alert_types: string[]; playbook_id: string; workflow_type: string }[];
      }>('GET', '/platformapi/playbooks');
      const made = body.items.filter((playbook) => playbook.alert_types.some((type) => type.toLowerCase().includes('never')));
      expect(made).toHaveLength(1);
      expect(made[0]).toMatchObject({ origin: 'generated', workflow_type: 'generated' });
      const path = `/platformapi/playbooks/${made[0]?.playbook_id}`;
      expect((await service.request<{ plan: { steps: unknown[] } }>('GET', path)).body.plan.steps).not.toHaveLength(0);
    } finally {
      await second.close();
    }
  });

  it('leaks no event listeners', () => {
    expect(warnings).not.toContain('MaxListenersExceededWarning');
    process.off('warning', recordWarning);
  });

  it('correlates with earlier alerts that share an indicator', async () => {
    const first = await service.sendAlert({ alert_type: 'Beacon', alert_content: 'host=ws7 talks to 198.51.100.77' });
    await service.waitForStatus(first.alert_id, 15);
    const second = await service.sendAlert({ alert_type: 'Beacon', alert_content: 'again 198.51.100.77' });
    await service.waitForStatus(second.alert_id, 15);
    const { evidence } = await service.readCase(second.alert_id);
    expect(evidence.find((entry) => entry.kind === 'finding')?.reason).toContain(first.alert_id);
  });

  it('uses the written playbook of the alert type', async () => {
    const sent = await service.sendAlert({
      alert_type: 'reported  PHISHING',
      alert_content: 'Verify your account at http://203.0.113.7/x urgently',
    });
    const done = await service.waitForStatus(sent.alert_id, 15);
    expect(done.playbook).toBe('Reported phishing');
    expect((await service.readCase(sent.alert_id)).verdict).toBe('suspicious');
  });

  it('sets status 20 with a case and a reason when Temporal refuses the start as invalid', async () => {
    const impossible = { name: 'x'.repeat(3000), alertTypes: ['Impossible'] };
    await registerWrittenPlaybooks(asService(service.database.db), [...declaredPlaybooks(workflows), impossible]);
    const sent = await service.sendAlert({ alert_type: 'Impossible' });
    await service.waitForStatus(sent.alert_id, 20);
    const opened = await service.readCase(sent.alert_id);
    expect(opened.summary).toContain('Temporal refused');
    expect(opened.alert_ids).toEqual([sent.alert_id]);
  });

  it('joins the existing run when its dispatch mark was lost, and starts no second one', async () => {
    await service.stopWorker();
    const sent = await service.sendAlert({ alert_type: 'Lost mark' });
    await service.waitForStatus(sent.alert_id, 5);
    const handle = service.temporal.workflow.getHandle(sent.alert_id);
    const { runId } = await handle.describe();
    await changeAlerts(service, { alertId: sent.alert_id }, { investigationStatus: 0, dispatchedNo: 0 });
    await service.waitForStatus(sent.alert_id, 5);
    expect((await handle.describe()).runId).toBe(runId);
    await service.startWorker();
    await service.waitForStatus(sent.alert_id, 15);
  });

  it('never re-runs a completed investigation whose dispatch mark was lost', async () => {
    const sent = await service.sendAlert({ alert_type: 'Finished' });
    await service.waitForStatus(sent.alert_id, 15);
    const before = await service.readCase(sent.alert_id);
    await waitFor(
      'the run to close',
      async () => (await service.temporal.workflow.getHandle(sent.alert_id).describe()).status.name === 'COMPLETED',
    );
    await changeAlerts(service, { alertId: sent.alert_id }, { dispatchedNo: 0 });
    await waitFor('the dispatcher to dispatch the alert again', async () => {
      const [row] = await service.database.pg`select dispatched_no from alerts where alert_id = ${sent.alert_id}`;
      return row?.['dispatched_no'] === 1;
    });
    await waitFor(
      'any second run to close',
      async () => (await service.temporal.workflow.getHandle(sent.alert_id).describe()).status.name === 'COMPLETED',
    );
    expect((await service.readAlert(sent.alert_id)).investigation_status).toBe(15);
    expect(await service.readCase(sent.alert_id)).toEqual(before);
  });

  it('abandons a start that hangs on the connection of the colocated worker', async () => {
    const connection = Connection.lazy({ address: service.settings.TEMPORAL_ADDRESS ?? '' });
    let asked = 0;
    const hanging = Object.assign(Object.create(connection), {
      withDeadline: () => {
        asked += 1;
        return new Promise(() => {});
      },
    });
    const starter = new InvestigationStarter(connection, service.settings, service.keyring, log, {
      connection: hanging,
      takesNewRuns: () => true,
    });
    const outcome = starter.start(
      {
        alertUuid: newUuid(),
        alertId: 'DEMO-SIEM-0',
        alertType: 'Hanging',
        alertTypeKey: 'hanging',
        organizationUuid: newUuid(),
        organizationCode: 'DEMO',
        provider: 'siem',
        investigationNo: 1,
        createdAt: 0,
      },
      {
        playbookUuid: newUuid(),
        planUuid: newUuid(),
        sharedFor: null,
        name: 'hanging',
        workflowType: 'generated',
        planVersion: 1,
        severity: null,
        reason: 'None.',
        isFinal: true,
      },
      { queued: false },
    );
    await waitFor('the start request', async () => asked > 0);
    starter.abandon();
    expect(await outcome).toMatchObject({ kind: 'later', temporalAway: true });
    await connection.close();
  });
});

describe('the outbox', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ worker: false, env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });
  });
  afterAll(() => service.stop());

  it('alternates between organizations, oldest alert first, and leases each alert once', async () => {
    await createOrganization(service, 'LOUD');
    await createOrganization(service, 'QUIET');
    for (let n = 0; n < 30; n += 1) await service.sendAlert({ organization_code: 'LOUD' });
    for (let n = 0; n < 3; n += 1) await service.sendAlert({ organization_code: 'QUIET' });
    const { pg } = service.database;
    await changeAlerts(service, {}, { leaseUntil: null });
    const [first, second] = await Promise.all([
      leaseOutbox(pg, { limit: 8, leaseSeconds: 60 }),
      leaseOutbox(pg, { limit: 8, leaseSeconds: 60 }),
    ]);
    const all = [...(first ?? []), ...(second ?? [])].map((alert) => alert.alertId);
    expect(new Set(all).size).toBe(all.length);
    const [wave] = [first, second].filter((each) => each.length === 8);
    expect(wave?.map((alert) => alert.alertId)).toEqual(
      ['LOUD', 'QUIET', 'LOUD', 'QUIET', 'LOUD', 'QUIET', 'LOUD', 'LOUD'].map(numbered()),
    );
  });
});

/** Numbers alerts per organization: LOUD, QUIET, LOUD → LOUD-SIEM-1, QUIET-SIEM-1, LOUD-SIEM-2. */
function numbered(): (organization: string) => string {
  const counts = new Map<string, number>();
  return (organization) => {
    const n = (counts.get(organization) ?? 0) + 1;
    counts.set(organization, n);
    return `${organization}-SIEM-${n}`;
  };
}
