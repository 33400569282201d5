import { describe, expect, it } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { followUpWorkflowId } from '../../domain/investigation/investigation.js';
import { again, answerWith, asked, investigated, readConclusion, service, setUpOverTime } from './support/over-time.js';

setUpOverTime();

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
    answerWith(async (question) => {
      if (question.startsWith('second')) throw new ThirdPartyError('BadRequest', 'It cannot be asked there.');
      return 30;
    });
    const alertId = await investigated('changed');
    answerWith(async () => 60);
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
    answerWith(async (question) => {
      if (question.startsWith('second')) throw new ThirdPartyError('BadRequest', 'It cannot be asked there.');
      return 30;
    });
    const alertId = await investigated('only gaps');
    answerWith(async () => 45);
    const detail = await again(alertId, { reuse: true });
    expect(asked).toEqual(['second']);
    expect(detail).toMatchObject({ verdict: 'malicious', score: 75 });
    expect(readConclusion(detail)).toMatch(/2 answers were reused$/);
  });
});

describe('a follow-up', () => {
  const findFollowUp = async (alertId: string, investigationNo = 1) => {
    const [row] = await service.database.pg<{ due_in_hours: number; outcome: string | null; reason: string }[]>`
      select round(extract(epoch from due_at - follow_ups.created_at) / 3600)::int as due_in_hours, outcome, reason
      from follow_ups join alerts using (alert_uuid) where alert_id = ${alertId} and follow_ups.investigation_no = ${investigationNo}`;
    return row;
  };
  const followUpHandle = (alertId: string, investigationNo = 1) =>
    service.temporal.workflow.getHandle(followUpWorkflowId({ alertId, investigationNo }));

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
});
