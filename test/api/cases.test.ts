import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CaseDetail, type CaseSummary } from '../../domain/case.js';
import { startTestService, type TestService } from '../support/service.js';
import type { List, ProblemBody } from './support/http.js';
import { countChanges, FINDING, investigate } from './support/records.js';

let service: TestService;
let analyst: { api_key: string; key_uuid: string };
let caseId: string;
let alertId: string;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  analyst = await service.createKey('analyst');
});
afterAll(() => service.stop());
beforeEach(async () => {
  const alert = await service.sendAlert();
  alertId = alert.alert_id;
  caseId = await investigate(service, alert);
});

const read = async () => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`, { key: analyst.api_key })).body;
const patch = (body: unknown) => service.request<CaseDetail>('PATCH', `/platformapi/cases/${caseId}`, { key: analyst.api_key, body });
const lastAudit = async () => (await service.request<List<Record<string, unknown>>>('GET', '/platformapi/audit?limit=1')).body.items[0];

describe('a case', () => {
  it('shows what was found, and what became of it', async () => {
    const body = CaseDetail.parse(await read());
    expect(body.case_id).toMatch(/^DEMO-CASE-\d+$/);
    expect(body).toMatchObject({
      alert_id: alertId,
      alert_ids: [alertId],
      organization_code: 'DEMO',
      playbook: 'Odd sign-in',
      status: 'open',
      severity: 'high',
      verdict: 'malicious',
      score: 80,
      confidence: 80,
      assignee: null,
      analyst_verdict: null,
      analyst_verdict_reason: null,
      closed_at: null,
      earlier_evidence: [],
    });
    expect(body.summary).toContain('Known address');
    expect(body.evidence).toEqual([
      { ...FINDING, evidence_id: `${alertId}/1/1/look`, at: expect.any(Number), alert_id: alertId, investigation_no: 1, attempt: 1 },
    ]);
    expect(body.timeline.map(({ kind, by }) => [kind, by])).toEqual([
      ['opened', null],
      ['concluded', null],
    ]);
    expect(await service.readAlert(alertId)).toMatchObject({
      case_id: caseId,
      investigation_status: 15,
      playbook: 'Odd sign-in',
      completed_at: expect.any(Number),
    });
  });

  it('has no verdict while it is being investigated', async () => {
    const running = await investigate(service, await service.sendAlert(), { concluded: false });
    const { body } = await service.request<CaseDetail>('GET', `/platformapi/cases/${running}`);
    expect(CaseDetail.parse(body)).toMatchObject({
      verdict: null,
      score: null,
      severity: null,
      confidence: null,
      summary: '',
      evidence: [],
    });
  });

  it('is numbered from 1 for its organization', async () => {
    const number = Number(caseId.split('-').at(-1));
    expect(await investigate(service, await service.sendAlert())).toBe(`DEMO-CASE-${number + 1}`);
  });
});

describe('working a case', () => {
  it('changes its status, and says who did in timeline and audit log', async () => {
    const before = await read();
    const { status, body } = await patch({ status: 'in_progress' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'in_progress', closed_at: null, verdict: 'malicious' });
    expect(body.timeline).toHaveLength(before.timeline.length + 1);
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'status', text: 'open → in_progress', by: expect.stringMatching(/^analyst /) });
    expect(await read()).toEqual(body);
    expect(await lastAudit()).toMatchObject({
      action: 'case.update',
      target: caseId,
      organization_code: 'DEMO',
      principal_uuid: analyst.key_uuid,
      details: { changed: ['status'] },
    });
  });

  it('closes it, keeps when it was closed, and opens it again', async () => {
    const began = Math.floor(Date.now() / 1000);
    const closed = (await patch({ status: 'closed' })).body;
    expect(closed.closed_at).toBeGreaterThanOrEqual(began);
    await service.database.sql`update cases set closed_at = closed_at - interval '1 hour' where case_id = ${caseId}`;
    const again = (await patch({ status: 'closed', comment: 'still closed' })).body;
    expect(again.closed_at).toBe((closed.closed_at ?? 0) - 3_600);
    expect(again.timeline.filter(({ kind }) => kind === 'status')).toHaveLength(1);
    expect((await patch({ assignee: 'dana' })).body.closed_at).toBe(again.closed_at);
    expect((await patch({ status: 'open' })).body).toMatchObject({ status: 'open', closed_at: null });
  });

  it('assigns it and takes it back', async () => {
    const assigned = (await patch({ assignee: 'dana' })).body;
    expect(assigned).toMatchObject({ assignee: 'dana' });
    expect(assigned.timeline.at(-1)).toMatchObject({ kind: 'assignee', text: 'Assigned to dana' });
    const taken = (await patch({ assignee: null })).body;
    expect(taken).toMatchObject({ assignee: null });
    expect(taken.timeline.at(-1)).toMatchObject({ kind: 'assignee', text: 'Unassigned' });
  });

  it('comments on it without changing it', async () => {
    const before = await read();
    const comment = 'Looks like <b>him</b> again.\nSee "DEMO-SIEM-1" 🙂';
    const { body } = await patch({ comment });
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'comment', text: comment });
    expect({ ...body, timeline: [], modified_at: 0 }).toEqual({ ...before, timeline: [], modified_at: 0 });
  });

  it('gives an analyst’s own verdict with its reason beside the service’s', async () => {
    const { body } = await patch({ analyst_verdict: { verdict: 'benign', reason: 'A known exercise.' } });
    expect(body).toMatchObject({ verdict: 'malicious', score: 80, analyst_verdict: 'benign', analyst_verdict_reason: 'A known exercise.' });
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'verdict', text: 'benign: A known exercise.' });
  });

  it('does all of it at once, as one entry of the audit log', async () => {
    const entries = await countChanges(service);
    const { body } = await patch({
      status: 'closed',
      assignee: 'robin',
      comment: 'Done.',
      analyst_verdict: { verdict: 'suspicious', reason: 'Not sure.' },
    });
    expect(body.timeline.slice(-4).map(({ kind }) => kind)).toEqual(['status', 'assignee', 'comment', 'verdict']);
    expect(await countChanges(service)).toBe(entries + 1);
    expect(await lastAudit()).toMatchObject({ details: { changed: ['status', 'assignee', 'comment', 'analyst_verdict'] } });
    const listed = await service.request<List<CaseSummary>>('GET', '/platformapi/cases?assignee=robin');
    expect(listed.body.items).toMatchObject([{ case_id: caseId, status: 'closed', analyst_verdict: 'suspicious' }]);
  });

  it('keeps a comment out of the audit log', async () => {
    await patch({ comment: 'between us' });
    expect(JSON.stringify(await lastAudit())).not.toContain('between us');
  });

  it('by two at once loses nothing', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => patch({ comment: `comment ${index}` })));
    const comments = (await read()).timeline.filter(({ kind }) => kind === 'comment');
    expect(new Set(comments.map(({ text }) => text)).size).toBe(20);
  });

  it.each([
    [{}, '#'],
    [{ status: 'done' }, '#/status'],
    [{ status: null }, '#/status'],
    [{ assignee: '' }, '#/assignee'],
    [{ assignee: 'x'.repeat(201) }, '#/assignee'],
    [{ assignee: 'a\u0000' }, '#/assignee'],
    [{ comment: ' ' }, '#/comment'],
    [{ comment: 'x'.repeat(10_001) }, '#/comment'],
    [{ comment: 'half \ud800' }, '#/comment'],
    [{ analyst_verdict: 'benign' }, '#/analyst_verdict'],
    [{ analyst_verdict: { verdict: 'guilty', reason: 'x' } }, '#/analyst_verdict/verdict'],
    [{ analyst_verdict: { verdict: 'benign' } }, '#/analyst_verdict/reason'],
    [{ analyst_verdict: { verdict: 'benign', reason: ' ' } }, '#/analyst_verdict/reason'],
    [{ analyst_verdict: { verdict: 'benign', reason: 'x', score: 3 } }, '#/analyst_verdict/score'],
    [{ verdict: 'benign' }, '#/verdict'],
    [{ score: 0 }, '#/score'],
  ])('refuses %j and changes nothing', async (body, pointer) => {
    const before = await read();
    const entries = await countChanges(service);
    const reply = await patch(body);
    expect(reply.status).toBe(422);
    expect((reply.body as unknown as ProblemBody).errors?.map((error) => error.pointer)).toContain(pointer);
    expect(await read()).toEqual(before);
    expect(await countChanges(service)).toBe(entries);
  });

  it('that does not exist is answered 404', async () => {
    expect((await service.request('PATCH', '/platformapi/cases/DEMO-CASE-99999', { body: { comment: 'x' } })).status).toBe(404);
  });
});

describe('investigating again', () => {
  it('keeps the case, and the earlier evidence beside the new', async () => {
    const { status, headers, body } = await service.request<{ investigation_status: number; completed_at: number | null }>(
      'POST',
      `/platformapi/alerts/${alertId}/investigate`,
      { key: analyst.api_key },
    );
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`/platformapi/alerts/${alertId}`);
    expect(body).toMatchObject({
      alert_id: alertId,
      case_id: caseId,
      investigation_status: 5,
      investigation_retry_count: 0,
      completed_at: null,
    });
    const detail = await read();
    expect(detail.timeline.at(-1)).toMatchObject({ kind: 'reinvestigated', by: expect.stringMatching(/^analyst /) });
    expect(detail.evidence).toEqual([]);
    expect(detail.earlier_evidence).toMatchObject([{ step: 'look', investigation_no: 1 }]);
    expect((await service.request('POST', `/platformapi/alerts/${alertId}/investigate`)).status).toBe(409);
  });
});
