import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { followUpWorkflowId } from '../../domain/investigation/investigation.js';
import { readClock } from '../../services/context.js';
import { planFollowUp } from '../../services/follow-ups/plan.js';
import { ago, changeConnections, changeFollowUps, storeEndedFollowUps } from '../support/rows.js';
import { replayAll, startTestService, type TestService, waitFor } from '../support/service.js';
import { testbedSkills } from '../support/testbed.js';

let service: TestService;
let answer: (question: string) => Promise<number>;
let asked: string[] = [];

beforeAll(async () => {
  service = await startTestService({
    env: { INVESTIGATION_MAX_RETRIES: '1' },
    reconcile: { everySeconds: 1, untouchedForSeconds: 0 },
    skills: testbedSkills((question) => {
      asked.push(question.split(' ')[0] ?? '');
      return answer(question);
    }),
  });
});
afterAll(() => service.stop());
beforeEach(() => {
  answer = async () => 30;
  asked = [];
});

const IN_TURN = 'Testbed in turn';

async function investigated(content: string, alertType = IN_TURN): Promise<string> {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: alertType, alert_content: content });
  await service.waitForStatus(alertId, 15);
  return alertId;
}

async function again(alertId: string, body?: unknown): Promise<CaseDetail> {
  asked = [];
  const given = body === undefined ? {} : { body };
  expect(await service.request('POST', `/platformapi/alerts/${alertId}/investigate`, given)).toMatchObject({ status: 202 });
  await service.waitForStatus(alertId, 15);
  return service.readCase(alertId);
}

const readConclusion = (detail: CaseDetail) => detail.timeline.filter(({ kind }) => kind === 'concluded').at(-1)?.text;

describe('every skill result', () => {
  it('is evidence with its input, source, time and duration, including a result without a finding', async () => {
    const detail = await service.readCase(await investigated('evidence'));
    expect(detail.techniques).toEqual(['T1078', 'T1566']);
    const uncited = detail.evidence.find(({ kind }) => kind === 'note');
    expect(uncited).toMatchObject({
      title: 'Ask: No finding',
      points: 0,
      reason: 'Asked: {"question":"third evidence"}',
      source: { connector: 'testbed', connection: 'main testbed', skill_id: 'Ask' },
    });
    expect(detail.evidence).toHaveLength(3);
    for (const { source } of detail.evidence)
      expect(source?.asked).toMatchObject({
        input: { question: expect.stringContaining('evidence') },
        at: expect.any(Number),
        duration_ms: expect.any(Number),
        request_digest: expect.stringMatching(/=$/),
        reply_digest: expect.stringMatching(/=$/),
      });
    expect(new Set(detail.evidence.map(({ source }) => source?.asked?.request_digest)).size).toBe(3);
  });

  it('adds a note only if no finding refers to it', async () => {
    const { evidence } = await service.readCase(await investigated('cited', 'Testbed'));
    expect(evidence.map(({ title }) => title).sort()).toEqual(['Answer 1', 'Answer 2', 'Answer 3', 'Asked']);
  });
});

describe('a second investigation', () => {
  it('reports changes and answered gaps', async () => {
    answer = async (question) => {
      if (question.startsWith('second')) throw new ThirdPartyError('BadRequest', 'It cannot be asked there.');
      return 30;
    };
    const alertId = await investigated('changed');
    answer = async () => 60;
    const detail = await again(alertId);
    expect(detail.investigations[0]?.changed).toEqual({
      since_investigation_no: 1,
      verdict_before: 'suspicious',
      verdict_now: 'malicious',
      evidence: [
        { change: 'new', title: 'Second answer', points_before: null, points_now: 60 },
        { change: 'weighs differently', title: 'First answer', points_before: 30, points_now: 60 },
        { change: 'answered', title: 'Ask: no answer', points_before: null, points_now: null },
      ],
    });
    expect(readConclusion(detail)).toContain(
      'Compared with investigation 1: suspicious → malicious; new (+60): Second answer; points changed',
    );
  });
});

describe('a re-run', () => {
  it('without a body calls every skill again', async () => {
    const alertId = await investigated('anew');
    const detail = await again(alertId);
    expect(asked).toEqual(['first', 'second', 'third']);
    expect(detail.evidence.every(({ source }) => source?.reused === undefined)).toBe(true);
  });

  it('from a step reuses results before the step and calls the skills after it', async () => {
    const alertId = await investigated('from a step');
    const before = await service.readCase(alertId);
    const detail = await again(alertId, { from_step: 'second-answer' });
    expect(asked).toEqual(['second', 'third']);
    const findSource = ({ evidence }: CaseDetail, title: string) => evidence.find((entry) => entry.title === title)?.source;
    expect(findSource(detail, 'First answer')).toMatchObject({
      reused: true,
      result_id: findSource(before, 'First answer')?.result_id,
      asked: findSource(before, 'First answer')?.asked,
    });
    expect(findSource(detail, 'Second answer')).not.toHaveProperty('reused');
    expect(readConclusion(detail)).toMatch(/still suspicious; no other changes\. 1 answer was reused$/);
    expect(detail.timeline.find(({ kind }) => kind === 'reinvestigated')?.text).toBe('Requested investigation 2, from step second-answer');
    await again(alertId);
    expect(asked).toEqual(['first', 'second', 'third']);
  });

  it('that reuses results calls only skills without a result', async () => {
    answer = async (question) => {
      if (question.startsWith('second')) throw new ThirdPartyError('BadRequest', 'It cannot be asked there.');
      return 30;
    };
    const alertId = await investigated('only gaps');
    answer = async () => 45;
    const detail = await again(alertId, { reuse: true });
    expect(asked).toEqual(['second']);
    expect(detail).toMatchObject({ verdict: 'malicious', score: 75 });
    expect(readConclusion(detail)).toMatch(/2 answers were reused$/);
  });

  it('that reuses results needs no remote agent for them', async () => {
    const alertId = await investigated('routed');
    const body = { organization_code: 'DEMO', name: 'away' };
    const agent = (await service.request<{ agent_id: string }>('POST', '/platformapi/remote-agents', { body })).body.agent_id;
    const testbed = { connectorKind: 'testbed' };
    await changeConnections(service, testbed, { remoteAgentUuid: agent });
    try {
      await again(alertId, { reuse: true });
      expect(asked).toEqual([]);
    } finally {
      await changeConnections(service, testbed, { remoteAgentUuid: null });
    }
  });
});

describe('a follow-up', () => {
  const findFollowUp = async (alertId: string, investigationNo = 1) => {
    const [row] = await service.database.pg<{ due_in_hours: number; outcome: string | null; reason: string }[]>`
      select round(extract(epoch from due_at - follow_ups.created_at) / 3600)::int as due_in_hours, outcome, reason
      from follow_ups join alerts using (alert_uuid) where alert_id = ${alertId} and follow_ups.investigation_no = ${investigationNo}`;
    return row;
  };
  const serviceContext = () => ({ by: null, db: service.database.db, runner: service.runner, now: readClock });
  const makeDue = async (alertId: string) => {
    const { alert_uuid: alertUuid } = await service.readAlert(alertId);
    await changeFollowUps(service, { alertUuid, endedAt: null }, { dueAt: ago({ hours: 1 }) });
  };
  const followUpHandle = (alertId: string, investigationNo = 1) =>
    service.temporal.workflow.getHandle(followUpWorkflowId({ alertId, investigationNo }));
  const startNow = (alertId: string) =>
    service.temporal.workflow.execute('followUp', {
      workflowId: `now-${alertId}`,
      taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
      args: [{ alertId, investigationNo: 1 }],
    });
  const waitForOutcome = (alertId: string) => waitFor('the follow-up to end', async () => (await findFollowUp(alertId))?.outcome);
  /** Deletes the run in Temporal, as if its start was lost. */
  const deleteRun = async (alertId: string) => {
    const workflowExecution = { workflowId: followUpWorkflowId({ alertId, investigationNo: 1 }) };
    await service.temporal.workflowService.deleteWorkflowExecution({ namespace: service.settings.TEMPORAL_NAMESPACE, workflowExecution });
    await waitFor('the run to be deleted', () =>
      followUpHandle(alertId)
        .describe()
        .then(
          () => false,
          () => true,
        ),
    );
  };

  it('is recorded, appears on the case, and waits without occupying a worker', async () => {
    const alertId = await investigated('watch this');
    expect(await findFollowUp(alertId)).toEqual({ due_in_hours: 48, outcome: null, reason: 'more may be known by then' });
    const { timeline } = await service.readCase(alertId);
    expect(timeline.find(({ kind }) => kind === 'follow-up')).toMatchObject({
      by: null,
      text: expect.stringMatching(
        new RegExp(`^Follow-up investigation of ${alertId} planned for \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC: more may be known by then$`),
      ),
    });
    const run = await followUpHandle(alertId).describe();
    expect(run.status.name).toBe('RUNNING');
    expect(run.historyLength).toBe(1);
  });

  it('starts when due although its start was lost, and a changed verdict reopens the case', async () => {
    const alertId = await investigated('watch a lost one');
    const { case_id: caseId } = await service.readCase(alertId);
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { body: { status: 'closed' } });
    answer = async () => 50;
    await deleteRun(alertId);
    await makeDue(alertId);
    expect(await waitForOutcome(alertId)).toBe('Requested investigation 2.');
    await service.waitForStatus(alertId, 15);
    const detail = await waitFor('the second investigation', async () => {
      const current = await service.readCase(alertId);
      return current.investigations[0]?.investigation_no === 2 && current.investigations[0].status === 'Completed' ? current : null;
    });
    expect(detail).toMatchObject({ status: 'open', verdict: 'malicious' });
    expect(detail.timeline.find(({ kind }) => kind === 'reinvestigated')).toMatchObject({
      by: null,
      text: 'Requested investigation 2, as planned by investigation 1: more may be known by then',
    });
    expect(await findFollowUp(alertId, 2)).toMatchObject({ outcome: null });
  });

  it('starts no investigation after another one was requested, and never two', async () => {
    const alertId = await investigated('watch an early one');
    await again(alertId);
    expect(await startNow(alertId)).toBe('Skipped: investigation 2 was requested first.');
    expect(await startNow(alertId)).toBe('Skipped: investigation 2 was requested first.');
    expect((await service.readCase(alertId)).investigations).toHaveLength(2);
  });

  it('starts no investigation while the previous one runs', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { alert_id: alertId } = await service.sendAlert({ alert_type: IN_TURN, alert_content: 'slow' });
    answer = async () => {
      await held;
      return 30;
    };
    await service.waitForStatus(alertId, 10);
    await planFollowUp(serviceContext(), { alertId, investigationNo: 1 }, { afterHours: 1, reason: 'x' });
    expect(await startNow(alertId)).toBe('Skipped: investigation 1 was still running.');
    release();
    await service.waitForStatus(alertId, 15);
  });

  it('starts no investigation when its run was terminated in Temporal', async () => {
    const alertId = await investigated('watch a terminated one');
    await followUpHandle(alertId).terminate('no need');
    await makeDue(alertId);
    expect(await waitForOutcome(alertId)).toBe('The run ended in Temporal (terminated).');
    expect((await service.readCase(alertId)).investigations).toHaveLength(1);
  });

  it('is planned once per investigation and at most ten times per alert', async () => {
    const alertId = await investigated('watch one that never ends');
    const plan = (investigationNo: number) => planFollowUp(serviceContext(), { alertId, investigationNo }, { afterHours: 1, reason: 'x' });
    expect(await plan(1)).toBe(false);
    await storeEndedFollowUps(service, alertId, 9);
    const { timeline } = await again(alertId);
    expect(await findFollowUp(alertId, 2)).toBeUndefined();
    expect(timeline.filter(({ kind }) => kind === 'follow-up')).toHaveLength(1);
    expect(await plan(7)).toBe(false);
  });
});

it('leaves histories that replay', async () => {
  expect(await replayAll(service)).toBeGreaterThan(12);
});
