import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NEVER_RETRIED, UnexpectedReply } from '../../domain/connection/skill-errors.js';
import { skillRetryPolicy } from '../../domain/investigation/retry-policy.js';
import { replayAll, startTestService, type TestService, waitFor } from '../support/service.js';
import { testbedSkills } from '../support/testbed.js';

let service: TestService;
let answer: (question: string) => Promise<number>;
const asked: string[] = [];

beforeAll(async () => {
  service = await startTestService({
    env: { INVESTIGATION_MAX_RETRIES: '2' },
    skills: testbedSkills((question) => {
      asked.push(question);
      return answer(question);
    }),
  });
});
afterAll(() => service.stop());
beforeEach(() => {
  answer = async () => 30;
});

describe('an investigation', () => {
  it('opens one case, records evidence and concludes', async () => {
    answer = async () => 45;
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'first' });
    const done = await service.waitForStatus(sent.alert_id, 15, 20);
    expect(done).toMatchObject({ investigation_status: 15, investigation_retry_count: 0, playbook: 'Testbed' });
    expect(done.completed_at).toBeGreaterThanOrEqual(sent.created_at);
    const opened = await service.readCase(sent.alert_id);
    expect(opened).toMatchObject({
      alert_id: sent.alert_id,
      status: 'open',
      verdict: 'malicious',
      score: 100,
      severity: 'high',
      severity_reasons: ['The verdict is malicious'],
      playbook: 'Testbed',
    });
    // Entries are sorted by second, which may change while an investigation runs.
    const byStep = opened.evidence.toSorted((one, other) => one.step.localeCompare(other.step));
    expect(byStep.map((entry) => [entry.step, entry.kind, entry.points])).toEqual([
      ['answer-1', 'finding', 45],
      ['answer-2', 'finding', 45],
      ['answer-3', 'finding', 45],
      ['asked', 'note', 0],
    ]);
    expect(byStep[0]).toMatchObject({
      evidence_id: `${sent.alert_id}/1/1/answer-1`,
      investigation_no: 1,
      attempt: 1,
      source: { connector: 'testbed', connection: 'main testbed', skill_id: 'Ask', result_id: expect.any(String) },
    });
    expect(opened.timeline.map((entry) => entry.kind)).toEqual(['opened', 'concluded']);
  });

  it('records evidence before the verdict', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = async () => {
      await held;
      return 10;
    };
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'slow' });
    const open = await waitFor('evidence of a running investigation', async () => {
      const alert = await service.readAlert(sent.alert_id);
      if (alert.case_id === null) return null;
      const current = await service.readCase(sent.alert_id);
      return current.evidence.length > 0 ? current : null;
    });
    expect(open).toMatchObject({ verdict: null, evidence: [{ step: 'asked', title: 'Asked' }] });
    expect((await service.readAlert(sent.alert_id)).investigation_status).toBe(10);
    release();
    await service.waitForStatus(sent.alert_id, 15);
    expect(await service.readCase(sent.alert_id)).toMatchObject({ verdict: 'suspicious', score: 30 });
  });

  it('counts its retries, and only the attempt that concludes sets the score', async () => {
    let failing = true;
    answer = async () => {
      if (failing) throw new UnexpectedReply('no such thing');
      return 5;
    };
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'flaky' });
    await waitFor('a visible retry', async () => (await service.readAlert(sent.alert_id)).investigation_retry_count === 1);
    failing = false;
    const done = await service.waitForStatus(sent.alert_id, 15, 20);
    expect(done.investigation_status).toBe(15);
    expect(done.investigation_retry_count).toBeGreaterThanOrEqual(1);
    const opened = await service.readCase(sent.alert_id);
    expect(opened.score).toBe(15);
    expect(new Set(opened.evidence.map((entry) => entry.attempt))).toEqual(new Set([done.investigation_retry_count + 1]));
    expect(opened.earlier_evidence.map((entry) => entry.attempt)).toContain(1);
    expect(opened.alert_ids).toEqual([sent.alert_id]);
  });

  it('gives every skill the retry policy for the retry count', async () => {
    let failing = true;
    answer = async () => {
      if (failing) throw new UnexpectedReply('not yet');
      return 5;
    };
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'patience' });
    await waitFor('a retry', async () => (await service.readAlert(sent.alert_id)).investigation_retry_count >= 1);
    failing = false;
    const done = await service.waitForStatus(sent.alert_id, 15);
    const history = await service.temporal.workflow.getHandle(sent.alert_id).fetchHistory();
    const scheduled =
      history.events?.flatMap((event) =>
        event.activityTaskScheduledEventAttributes ? [event.activityTaskScheduledEventAttributes] : [],
      ) ?? [];
    const expected = skillRetryPolicy(done.investigation_retry_count);
    expect(scheduled.map((each) => each.activityType?.name)).toEqual(['testbed.ask', 'testbed.ask', 'testbed.ask']);
    for (const { retryPolicy } of scheduled) {
      expect(retryPolicy?.maximumAttempts).toBe(expected.maximumAttempts);
      expect(Number(retryPolicy?.initialInterval?.seconds)).toBe(expected.initialInterval / 1000);
      expect(retryPolicy?.nonRetryableErrorTypes).toEqual([...NEVER_RETRIED]);
    }
  });

  it('ends with status 20 and the reason on its case after the last attempt', async () => {
    answer = async () => {
      throw new UnexpectedReply('the machine is unknown there');
    };
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'hopeless' });
    const done = await service.waitForStatus(sent.alert_id, 15, 20);
    expect(done).toMatchObject({ investigation_status: 20, investigation_retry_count: 2 });
    expect(done.completed_at).not.toBeNull();
    const opened = await service.readCase(sent.alert_id);
    expect(opened.summary).toContain('the machine is unknown there');
    expect(opened.summary).toContain('after 3 of 3 attempts');
    expect(opened.verdict).toBe('inconclusive');
    await waitFor(
      'the run to close as failed',
      async () => (await service.temporal.workflow.getHandle(sent.alert_id).describe()).status.name === 'FAILED',
    );
  });

  it('fails at once when the author throws a non-retryable error', async () => {
    const sent = await service.sendAlert({ alert_type: 'Testbed refusing' });
    const done = await service.waitForStatus(sent.alert_id, 15, 20);
    expect(done).toMatchObject({ investigation_status: 20, investigation_retry_count: 0 });
    expect((await service.readCase(sent.alert_id)).summary).toContain('This alert cannot be investigated.');
  });

  it('fails instead of hanging on a plain error in a playbook', async () => {
    const sent = await service.sendAlert({ alert_type: 'Testbed slipping' });
    const done = await service.waitForStatus(sent.alert_id, 15, 20);
    expect(done).toMatchObject({ investigation_status: 20, investigation_retry_count: 0 });
    const opened = await service.readCase(sent.alert_id);
    expect(opened.summary).toContain('undefined is not a function');
    expect(opened.score).toBe(0);
  });

  it('fails with a status when it is cancelled in Temporal', async () => {
    let asking = false;
    answer = () => {
      asking = true;
      return new Promise<number>(() => {});
    };
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'cancelled' });
    await waitFor('the skills to run', async () => asking);
    await service.temporal.workflow.getHandle(sent.alert_id).cancel();
    const done = await service.waitForStatus(sent.alert_id, 15, 20);
    expect(done.investigation_status).toBe(20);
    expect((await service.readCase(sent.alert_id)).summary).toContain('Cancelled in Temporal');
  });
});

describe('a re-investigation', () => {
  it('keeps the case and earlier evidence, and starts its retry count at 0', async () => {
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'again' });
    await service.waitForStatus(sent.alert_id, 15);
    const before = await service.readCase(sent.alert_id);
    answer = async () => -40;
    const asked = await service.request<{ investigation_status: number }>('POST', `/platformapi/alerts/${sent.alert_id}/investigate`);
    expect(asked).toMatchObject({ status: 202, body: { investigation_status: 5, investigation_retry_count: 0, completed_at: null } });
    await service.waitForStatus(sent.alert_id, 15);
    const after = await service.readCase(sent.alert_id);
    expect(after.case_id).toBe(before.case_id);
    expect(after).toMatchObject({ verdict: 'benign', score: 0 });
    expect(new Set(after.evidence.map((entry) => entry.investigation_no))).toEqual(new Set([2]));
    expect(new Set(after.earlier_evidence.map((entry) => entry.investigation_no))).toEqual(new Set([1]));
    expect(after.timeline.map((entry) => entry.kind)).toEqual(['opened', 'concluded', 'reinvestigated', 'concluded']);
  });

  it('can follow a failed investigation', async () => {
    answer = async () => {
      throw new UnexpectedReply('out of order');
    };
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'repaired' });
    await service.waitForStatus(sent.alert_id, 20);
    answer = async () => 1;
    await service.request('POST', `/platformapi/alerts/${sent.alert_id}/investigate`);
    const done = await service.waitForStatus(sent.alert_id, 15);
    expect(done.investigation_retry_count).toBe(0);
  });

  it('is rejected while an investigation is running', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = async () => {
      await held;
      return 1;
    };
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'busy' });
    await service.waitForStatus(sent.alert_id, 10);
    expect((await service.request('POST', `/platformapi/alerts/${sent.alert_id}/investigate`)).status).toBe(409);
    release();
    await service.waitForStatus(sent.alert_id, 15);
  });

  it('ignores an outdated start', async () => {
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'stale' });
    await service.waitForStatus(sent.alert_id, 15);
    const before = await service.readCase(sent.alert_id);
    const questions = asked.length;
    const [row] = await service.database.pg`select playbook_uuid from alerts where alert_id = ${sent.alert_id}`;
    await waitFor(
      'the first run to close',
      async () => (await service.temporal.workflow.getHandle(sent.alert_id).describe()).status.name === 'COMPLETED',
    );
    const result = await service.temporal.workflow.execute('testbed', {
      workflowId: sent.alert_id,
      taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
      args: [{ alertId: sent.alert_id, investigationNo: 1, playbookId: row?.['playbook_uuid'] }],
    });
    expect(result).toEqual({ verdict: before.verdict, summary: before.summary });
    expect(asked.length).toBe(questions);
    expect(await service.readCase(sent.alert_id)).toEqual(before);
  });
});

describe('Temporal Web', () => {
  const readCurrentDetails = async (workflowId: string) => {
    const metadata: { currentDetails?: string } = await service.temporal.workflow
      .getHandle(workflowId)
      .query('__temporal_workflow_metadata');
    return metadata.currentDetails ?? '';
  };

  it('shows the alert type as text, not as Markdown, and the name of a generated playbook', async () => {
    const { alert_id } = await service.sendAlert({ alert_type: '[Sign in](https://evil.example)' });
    await service.waitForStatus(alert_id, 10, 15, 20);
    const described = await service.temporal.workflow.getHandle(alert_id).describe();
    expect(await described.staticSummary()).toBe('\\[Sign in\\](https\\://evil.example) · DEMO');
    expect(await described.staticDetails()).not.toContain('[Sign in]');
  });

  it('shows the attributes of a run and none of the alert content', async () => {
    const secret = 'canary-7f3a';
    const sent = await service.sendAlert({ alert_type: 'Testbed', alert_content: `password is ${secret}` });
    await service.waitForStatus(sent.alert_id, 15);
    const described = await waitFor('the run to close', async () => {
      const run = await service.temporal.workflow.getHandle(sent.alert_id).describe();
      return run.status.name === 'COMPLETED' ? run : null;
    });
    const attributes = Object.fromEntries(described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
    expect(attributes).toMatchObject({
      AlertId: sent.alert_id,
      AlertType: 'Testbed',
      Organization: 'DEMO',
      Provider: 'siem',
      Playbook: 'testbed',
      InvestigationStatus: 'Completed',
      Verdict: 'suspicious',
      CaseId: (await service.readAlert(sent.alert_id)).case_id,
    });
    expect(described.type).toBe('testbed');
    expect(await described.staticSummary()).toBe('Testbed · DEMO');
    expect(await described.staticDetails()).toContain(sent.alert_id);
    const [headline = '', ...reasons] = (await service.readCase(sent.alert_id)).summary.split('\n');
    const details = (await readCurrentDetails(sent.alert_id)).split('  \n');
    expect(details).toHaveLength(1 + reasons.length);
    expect(details[0]).toBe(headline);
    const startedWith = (await service.temporal.workflow.getHandle(sent.alert_id).fetchHistory()).events?.[0]
      ?.workflowExecutionStartedEventAttributes;
    const input = Buffer.from(startedWith?.input?.payloads?.[0]?.data ?? []).toString();
    expect(Object.keys(JSON.parse(input))).toEqual([
      'alertId',
      'investigationNo',
      'playbookId',
      'planVersion',
      'playbookReason',
      'investigatorId',
    ]);
    expect(JSON.stringify([attributes, described.memo, input, await described.staticDetails()])).not.toContain(secret);
    const list = service.temporal.workflow.list({ query: `AlertId = '${sent.alert_id}' and InvestigationStatus = 'Completed'` });
    await waitFor('the run to be found by its search attributes', async () => {
      for await (const run of list) return run.workflowId === sent.alert_id;
      return false;
    });
  });
});

describe('the histories of these tests', () => {
  it('replay without errors', async () => {
    expect(await replayAll(service)).toBeGreaterThan(12);
  });
});
