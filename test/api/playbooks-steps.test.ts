import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSkillKey } from '../../connectors/skill-index.js';
import type { AlertListItem } from '../../domain/alert/alert.js';
import type { StepsAsRun } from '../../domain/investigation/run-steps.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import { asService } from '../../services/context.js';
import { beginInvestigation } from '../../services/investigations/begin.js';
import { asInvestigator } from '../../services/investigations/context.js';
import { failInvestigation } from '../../services/investigations/fail.js';
import { registerWrittenPlaybooks } from '../../services/playbooks/register-written.js';
import { changeEvidence } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { unreachableEndpoints } from '../support/unreachable-endpoints.js';
import { createConnection } from '../support/with-third-parties.js';
import { findPlaybook, readSteps } from './support/playbook-steps.js';
import { createOrganization, FINDING, investigate, proposeIsolation, recordAnswer } from './support/records.js';

const listSkillIds = ({ steps }: StepsAsRun) => steps.map(({ skill_id }) => skill_id);

describe('GET /platformapi/playbooks/{id}/steps', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ worker: false });
    for (const code of ['NORTH', 'SOUTH']) await createOrganization(service, code);
    const names = ['Written', 'Retried', 'Reused', 'Shared', 'Often', 'Silent', 'Odd'];
    await registerWrittenPlaybooks(
      asService(service.database.db),
      names.map((name) => ({ name, alertTypes: [name] })),
    );
  });
  afterAll(() => service.stop());

  const MACHINES = { connector: 'endpoint-detection', skillId: 'List machines', afterMs: 0, tookMs: 10 };
  const LOGONS = { connector: 'endpoint-detection', skillId: 'List machine logon users', afterMs: 20, tookMs: 30 };
  const ISOLATION = {
    connector: 'endpoint-detection',
    connection: 'main',
    skill_id: 'Isolate machine',
    skill_key: findSkillKey('Isolate machine'),
  };
  const GAP: EvidenceDraft = { ...FINDING, step: 'gap', kind: 'gap', points: 0 };
  const sendAlertOfType = (alertType: string, code = 'NORTH') => service.sendAlert({ organization_code: code, alert_type: alertType });
  const recordAnswers = (alert: AlertListItem, ...calls: Parameters<typeof recordAnswer>[2][]) =>
    Promise.all(calls.map((call) => recordAnswer(service, alert, call)));

  it('returns the calls and proposals of the investigations of a written playbook', async () => {
    const alert = await sendAlertOfType('Written');
    const answers = await recordAnswers(alert, MACHINES, LOGONS, { ...LOGONS, afterMs: 21, tookMs: 50 });
    const proposed: EvidenceDraft = {
      ...FINDING,
      step: 'proposed',
      kind: 'note',
      source: ISOLATION,
    };
    // Two findings from the same answer count as one call.
    const again = answers.slice(0, 1).map((entry) => ({ ...entry, step: 'again' }));
    await investigate(service, alert, { evidence: [...answers, ...again, GAP, proposed] });
    await investigate(service, await sendAlertOfType('Written'), { evidence: [] });
    const { investigations, steps } = await readSteps(service, 'Written');
    expect(investigations).toBe(2);
    const common = { investigations: 1, unanswered: 0 };
    expect(steps).toMatchObject([
      { skill_id: 'Get Enrichment', does: 'ask', investigations: 1, times: 0, unanswered: 1, typical_ms: null, after: [] },
      { ...common, skill_id: 'List machines', does: 'ask', times: 1, typical_ms: 10, after: [] },
      { ...common, skill_id: 'List machine logon users', times: 2, typical_ms: 40, after: ['endpoint-detection/List machines'] },
      { ...common, skill_id: 'Isolate machine', does: 'propose', times: 1, typical_ms: null, after: [] },
    ]);
  });

  it('returns no steps before the first completed investigation', async () => {
    expect(await readSteps(service, 'Silent')).toMatchObject({ investigations: 0, steps: [] });
    await investigate(service, await sendAlertOfType('Silent'), { concluded: false });
    expect(await readSteps(service, 'Silent')).toMatchObject({ investigations: 0, steps: [] });
  });

  it('excludes failed investigations and failed attempts', async () => {
    const alert = await sendAlertOfType('Retried');
    const { pg, db } = service.database;
    const { playbook_id: playbookUuid } = await findPlaybook(service, 'Retried');
    const ref = { alertId: alert.alert_id, investigationNo: 1 };
    await beginInvestigation(asInvestigator({ db, pg }), ref, { attempt: 1, playbookUuid, entities: [], title: 'Test' });
    await failInvestigation(asService(db), ref, 'fail', { attempt: 1, reason: 'No.' });
    expect(await readSteps(service, 'Retried')).toMatchObject({ investigations: 0 });
    const next = await sendAlertOfType('Retried');
    const [first, second] = await recordAnswers(next, MACHINES, LOGONS);
    await investigate(service, next, { evidence: [first ?? FINDING, second ?? FINDING] });
    // Assigns the second answer to another attempt.
    await changeEvidence(service, { alertUuid: next.alert_uuid, step: second?.step ?? '' }, { attempt: 7 });
    expect(listSkillIds(await readSteps(service, 'Retried'))).toEqual(['List machines']);
  });

  it('ignores the duration of a reused answer', async () => {
    const alert = await sendAlertOfType('Reused');
    await investigate(service, alert, { evidence: await recordAnswers(alert, { ...MACHINES, reused: true }, LOGONS) });
    expect((await readSteps(service, 'Reused')).steps).toMatchObject([
      { skill_id: 'List machines', times: 1, typical_ms: null },
      { skill_id: 'List machine logon users', after: [] },
    ]);
  });

  it('takes the time of a proposal from its row', async () => {
    const alert = await sendAlertOfType('Odd');
    const evidence = await recordAnswers(alert, { ...MACHINES, afterMs: -5000 });
    const connectionId = await createConnection(service, {
      ...unreachableEndpoints('Endpoints'),
      organization_code: 'NORTH',
    });
    // A playbook author can write a source that refers to no stored answer.
    const strange: EvidenceDraft = {
      ...FINDING,
      step: 'strange',
      source: { ...ISOLATION, skill_id: 'Strange', skill_key: findSkillKey('Strange'), result_id: 'not an id' },
    };
    await investigate(service, alert, {
      evidence: [...evidence, strange, { ...FINDING, step: 'proposed', kind: 'note', source: ISOLATION }],
    });
    await proposeIsolation(service, alert.alert_id, connectionId);
    const { steps } = await readSteps(service, 'Odd');
    expect(steps.map(({ skill_id, after }) => [skill_id, after])).toEqual([
      ['Strange', []],
      ['List machines', []],
      ['Isolate machine', ['endpoint-detection/List machines']],
    ]);
  });

  it('returns only the investigations of the organization of the key', async () => {
    const alert = await sendAlertOfType('Shared', 'SOUTH');
    await investigate(service, alert, { evidence: await recordAnswers(alert, MACHINES) });
    const key = async (code: string) => (await service.createKey('analyst', code)).api_key;
    expect(await readSteps(service, 'Shared')).toMatchObject({ investigations: 1 });
    expect(await readSteps(service, 'Shared', { key: await key('SOUTH') })).toMatchObject({ investigations: 1 });
    expect(await readSteps(service, 'Shared', { key: await key('NORTH') })).toMatchObject({ investigations: 0, steps: [] });
    await investigate(service, await sendAlertOfType('Only of the south', 'SOUTH'));
    const { playbook_id } = await findPlaybook(service, 'Only of the south');
    const hidden = await service.request('GET', `/platformapi/playbooks/${playbook_id}/steps`, { key: await key('NORTH') });
    expect(hidden.status).toBe(404);
    const sender = (await service.createKey('sender', 'NORTH')).api_key;
    expect((await service.request('GET', `/platformapi/playbooks/${playbook_id}/steps`, { key: sender })).status).toBe(403);
  });

  it('returns only the investigations of the requested plan version', async () => {
    await investigate(service, await sendAlertOfType('Planned'), { planVersion: 1 });
    expect(await readSteps(service, 'Planned')).toMatchObject({ investigations: 1, steps: [{ skill_id: 'Get Enrichment' }] });
    expect(await readSteps(service, 'Planned', { version: 1 })).toMatchObject({ investigations: 1 });
    for (const version of [0, 2, 999_999_999_999_999])
      expect(await readSteps(service, 'Planned', { version })).toMatchObject({ investigations: 0, steps: [] });
  });

  it('returns only the newest 50 investigations', async () => {
    const alert = await sendAlertOfType('Often');
    await investigate(service, alert, { evidence: await recordAnswers(alert, LOGONS) });
    for (let n = 0; n < 50; n += 1) await investigate(service, await sendAlertOfType('Often'), { evidence: [GAP] });
    const often = await readSteps(service, 'Often');
    expect(often).toMatchObject({ investigations: 50, steps: [{ skill_id: 'Get Enrichment', unanswered: 50 }] });
    expect(often.steps).toHaveLength(1);
  });
});
