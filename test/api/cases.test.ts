import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertTimelineEntry } from '../../db/cases/timeline.js';
import { newUuid } from '../../db/ids.js';
import { CaseDetail, type CaseSummary } from '../../domain/case/case.js';
import type { Entity } from '../../domain/entity/entity.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import { concludeFrom } from '../../domain/verdict/verdict.js';
import { asService } from '../../services/context.js';
import { concludeInvestigation } from '../../services/investigations/conclude.js';
import { asInvestigator } from '../../services/investigations/context.js';
import { failInvestigation } from '../../services/investigations/fail.js';
import { ago, backdateAlert, changeCases, storeEntity, storeSkillResult } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import type { List, ProblemBody } from './support/http.js';
import { countChanges, createOrganization, FINDING, investigate } from './support/records.js';

const FINDING_SOURCE = { connector: 'threat-intelligence', connection: 'main', skill_id: 'Get Enrichment' };

let service: TestService;
let analyst: { api_key: string; key_uuid: string };
let caseId: string;
let alertId: string;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  analyst = await service.createKey('analyst');
  for (const name of ['dana', 'robin']) await service.createKey('analyst', 'DEMO', { name });
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
  it('is read as it is at one moment, although it consists of many rows', async () => {
    const { db, pg } = service.database;
    let reading: Promise<CaseDetail> | undefined;
    await db.transaction(async (transaction) => {
      await transaction.execute(sql`lock table case_timeline in access exclusive mode`);
      reading = read();
      await waitFor('the read to wait for the timeline', async () => {
        const [waiting] = await pg`select 1 from pg_locks where relation = 'case_timeline'::regclass and not granted`;
        return waiting;
      });
      await changeCases({ database: { db: transaction } }, { caseId }, { verdict: 'benign' });
      const [found] = await pg<{ uuid: string }[]>`select case_uuid as uuid from cases where case_id = ${caseId}`;
      const entry = { at: ago({}), kind: 'concluded', by: 'test', text: 'Benign.' } as const;
      await insertTimelineEntry(transaction, { caseUuid: found?.uuid ?? '', ...entry });
    });
    const body = await reading;
    expect(body?.verdict).toBe('malicious');
    expect(body?.timeline.map(({ text }) => text)).not.toContain('Benign.');
  });

  it('stores the reasons of its verdict and its severity, and reads those of an older version from the summary', async () => {
    const { pg } = service.database;
    const { reasons: expected, severity_reasons: ofSeverity } = await read();
    expect(expected).toEqual([{ points: 80, text: expect.stringContaining(FINDING.title) }]);
    expect(ofSeverity).toEqual(['The verdict is malicious']);
    const stored = await pg`
      select cases.reasons as case, investigations.reasons as investigation from cases join investigations using (alert_uuid) where case_id = ${caseId}`;
    const all = [...expected, { points: null, text: 'The verdict is malicious', about: 'severity' }];
    expect(stored).toEqual([{ case: all, investigation: all }]);
    await changeCases(service, { caseId }, { reasons: null });
    expect(await read()).toMatchObject({ reasons: expected, severity_reasons: [] });
  });

  it('shows its evidence, verdict and timeline', async () => {
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
      confidence: 75,
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

  it('has no verdict while the investigation runs', async () => {
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

  it('is concluded in one statement when it has one alert', async () => {
    const sent = await service.sendAlert();
    await investigate(service, sent, { concluded: false });
    const queries: string[] = [];
    const { pg } = service.database;
    const db = drizzle(pg, { casing: 'snake_case', logger: { logQuery: (query) => void queries.push(query) } });
    const ref = { alertId: sent.alert_id, investigationNo: 1 };
    expect(
      await concludeInvestigation(asInvestigator({ db, pg }), ref, {
        attempt: 1,
        evidence: [FINDING],
        conclusion: concludeFrom([FINDING]),
      }),
    ).toBe(true);
    expect(queries).toEqual([]);
  });

  it('is numbered from 1 in each organization', async () => {
    const number = Number(caseId.split('-').at(-1));
    expect(await investigate(service, await service.sendAlert())).toBe(`DEMO-CASE-${number + 1}`);
  });
});

describe('updating a case', () => {
  it('changes the status and records the analyst in the timeline and the audit log', async () => {
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

  it('closes the case, keeps the closing time, and reopens the case', async () => {
    const began = Math.floor(Date.now() / 1000);
    const closed = (await patch({ status: 'closed' })).body;
    expect(closed.closed_at).toBeGreaterThanOrEqual(began);
    await changeCases(service, { caseId }, { closedAt: (closed.closed_at ?? 0) - 3_600 });
    const again = (await patch({ status: 'closed', comment: 'still closed' })).body;
    expect(again.closed_at).toBe((closed.closed_at ?? 0) - 3_600);
    expect(again.timeline.filter(({ kind }) => kind === 'status')).toHaveLength(1);
    expect((await patch({ assignee: 'dana' })).body.closed_at).toBe(again.closed_at);
    expect((await patch({ status: 'open' })).body).toMatchObject({ status: 'open', closed_at: null });
  });

  it('sets and removes the assignee', async () => {
    const assigned = (await patch({ assignee: 'dana' })).body;
    expect(assigned).toMatchObject({ assignee: 'dana' });
    expect(assigned.timeline.at(-1)).toMatchObject({ kind: 'assignee', text: 'Assigned to dana' });
    const taken = (await patch({ assignee: null })).body;
    expect(taken).toMatchObject({ assignee: null });
    expect(taken.timeline.at(-1)).toMatchObject({ kind: 'assignee', text: 'Unassigned' });
  });

  it('assigns only to people of the organization or of its provider', async () => {
    await createOrganization(service, 'NEIGHBOUR');
    await service.createKey('analyst', 'NEIGHBOUR', { name: 'nia' });
    await service.createKey('sender', 'DEMO', { name: 'siem' });
    const gone = await service.createKey('analyst', 'DEMO', { name: 'gone' });
    await service.request('DELETE', `/platformapi/api-keys/${gone.key_uuid}`);
    await service.createKey('analyst', null, { name: 'provider' });
    const refused = (name: string) =>
      service.request<ProblemBody>('PATCH', `/platformapi/cases/${caseId}`, { key: analyst.api_key, body: { assignee: name } });
    for (const name of ['Dana', 'nia', 'siem', 'gone', 'dana vries']) {
      const { status, body } = await refused(name);
      expect(status, name).toBe(422);
      expect(body.errors).toMatchObject([{ pointer: '#/assignee', detail: expect.stringContaining('/people') }]);
    }
    expect((await read()).assignee).toBeNull();
    expect((await patch({ assignee: 'provider' })).body).toMatchObject({ assignee: 'provider' });
  });

  it('adds a comment without changing the case', async () => {
    const before = await read();
    const comment = 'Looks like <b>him</b> again.\nSee "DEMO-SIEM-1" 🙂';
    const { body } = await patch({ comment });
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'comment', text: comment });
    // A comment acknowledges the case.
    expect({ ...body, timeline: [], modified_at: 0, sla: null }).toEqual({ ...before, timeline: [], modified_at: 0, sla: null });
  });

  it('stores the people of the organization whom a comment mentions', async () => {
    await createOrganization(service, 'ELSEWHERE');
    await service.createKey('analyst', 'DEMO', { name: 'ines matos' });
    await service.createKey('analyst', 'ELSEWHERE', { name: 'stranger' });
    const comment = 'Please look, @Ines Matos and @robin. Not @stranger, not robin@robin.example.';
    expect((await patch({ comment })).body.timeline.at(-1)).toMatchObject({ text: comment, mentions: ['ines matos', 'robin'] });
    const { body } = await patch({ comment: 'See robin@robin.example' });
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'comment', mentions: [] });
  });

  it('stores the verdict of an analyst with its reason next to the verdict of the service', async () => {
    const { body } = await patch({ analyst_verdict: { verdict: 'benign', reason: 'A known exercise.' } });
    expect(body).toMatchObject({ verdict: 'malicious', score: 80, analyst_verdict: 'benign', analyst_verdict_reason: 'A known exercise.' });
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'verdict', text: 'benign: A known exercise.' });
  });

  it('applies several changes at once, with one audit entry', async () => {
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

  it('keeps comments out of the audit log', async () => {
    await patch({ comment: 'between us' });
    expect(JSON.stringify(await lastAudit())).not.toContain('between us');
  });

  it('loses no change when two analysts update concurrently', async () => {
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

  it('returns 404 when the case does not exist', async () => {
    expect((await service.request('PATCH', '/platformapi/cases/DEMO-CASE-99999', { body: { comment: 'x' } })).status).toBe(404);
  });
});

describe('re-investigating an alert', () => {
  it('keeps the case and moves the earlier evidence to `earlier_evidence`', async () => {
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

  /** Runs the next investigation of the alert as a worker does. */
  const investigateAgain = async (investigationNo: number, evidence: EvidenceDraft[]) => {
    await service.request('POST', `/platformapi/alerts/${alertId}/investigate`);
    await investigate(service, await service.readAlert(alertId), { investigationNo, evidence });
    return read();
  };

  it('describes the changes since the previous investigation on the timeline and in each investigation', async () => {
    await investigateAgain(2, [{ ...FINDING, points: 40 }]);
    const detail = await investigateAgain(3, [{ ...FINDING, points: -45, title: 'A known exercise', step: 'exercise' }]);
    expect(detail.timeline.filter(({ kind }) => kind === 'concluded').map(({ text }) => text)).toEqual([
      'Investigation 1: malicious, score 80',
      'Investigation 2: suspicious, score 40. Compared with investigation 1: malicious → suspicious; points changed (+80 → +40): Known address',
      'Investigation 3: benign, score 0. Compared with investigation 2: suspicious → benign; new (-45): A known exercise; no longer found (+40): Known address',
    ]);
    expect(detail.investigations).toMatchObject([
      {
        alert_id: alertId,
        investigation_no: 3,
        playbook: 'Odd sign-in',
        status: 'Completed',
        attempt: 1,
        verdict: 'benign',
        changed: {
          since_investigation_no: 2,
          verdict_before: 'suspicious',
          verdict_now: 'benign',
          evidence: [{ change: 'new', title: 'A known exercise', points_before: null, points_now: -45 }, { change: 'gone' }],
        },
      },
      { investigation_no: 2, changed: { since_investigation_no: 1, evidence: [{ change: 'weighs differently' }] } },
      { investigation_no: 1, ended_at: expect.any(Number), changed: null },
    ]);
  });

  it('compares with the last completed investigation, not with a failed one', async () => {
    await service.request('POST', `/platformapi/alerts/${alertId}/investigate`);
    await investigate(service, await service.readAlert(alertId), { investigationNo: 2, concluded: false });
    expect((await read()).investigations[0]).toMatchObject({ status: 'InProgress', verdict: null, ended_at: null, changed: null });
    await failInvestigation(asService(service.database.db), { alertId, investigationNo: 2 }, 'fail', {
      attempt: 1,
      reason: 'out of order',
    });
    const failed = await read();
    expect(failed).toMatchObject({ verdict: 'inconclusive', score: 0, summary: 'The investigation failed: out of order' });
    expect(failed.investigations[0]).toMatchObject({ status: 'Failed', verdict: 'inconclusive', changed: null });
    const { investigations } = await investigateAgain(3, [FINDING]);
    expect(investigations[0]?.changed).toEqual({
      since_investigation_no: 1,
      verdict_before: 'malicious',
      verdict_now: 'malicious',
      evidence: [],
    });
  });

  it('reopens a closed case when the verdict changes, and keeps the verdict of the analyst', async () => {
    await patch({ status: 'closed', analyst_verdict: { verdict: 'suspicious', reason: 'Not sure.' } });
    const detail = await investigateAgain(2, [{ ...FINDING, points: -40 }]);
    expect(detail).toMatchObject({ status: 'open', closed_at: null, verdict: 'benign', analyst_verdict: 'suspicious' });
    expect(detail.timeline.at(-1)).toMatchObject({
      kind: 'status',
      by: null,
      text: 'closed → open: the verdict changed from malicious to benign',
    });
  });

  it('keeps a case closed when its verdict does not change, and keeps a case in progress', async () => {
    await patch({ status: 'closed' });
    expect(await investigateAgain(2, [{ ...FINDING, points: 90 }])).toMatchObject({
      status: 'closed',
      score: 90,
      closed_at: expect.any(Number),
    });
    await patch({ status: 'in_progress' });
    expect(await investigateAgain(3, [{ ...FINDING, points: -40 }])).toMatchObject({ status: 'in_progress', verdict: 'benign' });
  });

  it('reopens a closed case when the investigation fails, because its result is no longer shown', async () => {
    await patch({ status: 'closed' });
    await service.request('POST', `/platformapi/alerts/${alertId}/investigate`);
    await investigate(service, await service.readAlert(alertId), { investigationNo: 2, concluded: false });
    await failInvestigation(asService(service.database.db), { alertId, investigationNo: 2 }, 'fail', {
      attempt: 1,
      reason: 'out of order',
    });
    expect(await read()).toMatchObject({ status: 'open', verdict: 'inconclusive' });
  });

  it('lists the available steps when the requested step does not exist', async () => {
    const steps = [
      { ...FINDING, source: { ...FINDING_SOURCE, result_id: newUuid() } },
      { ...FINDING, step: 'ours', source: null },
    ];
    const sent = await service.sendAlert();
    await investigate(service, sent, { evidence: steps });
    const rerun = (body: unknown) => service.request<ProblemBody>('POST', `/platformapi/alerts/${sent.alert_id}/investigate`, { body });
    for (const from_step of ['nothing', 'ours']) {
      const { status, body } = await rerun({ from_step });
      expect(status).toBe(422);
      expect(body.errors).toMatchObject([
        { pointer: '#/from_step', detail: expect.stringContaining('The steps with an answer are look.') },
      ]);
    }
    expect((await rerun({ from_step: 'look', reuse: true })).status).toBe(422);
    expect((await rerun({ reuse: false })).status).toBe(422);
    expect((await service.readAlert(sent.alert_id)).investigation_status).toBe(15);
    expect((await rerun({ from_step: 'look' })).status).toBe(202);
    expect((await rerun({ from_step: 'nothing' })).status).toBe(409);
    const { timeline } = await service.readCase(sent.alert_id);
    expect(timeline.at(-1)).toMatchObject({ kind: 'reinvestigated', text: 'Requested investigation 2, from step look' });
    expect(await lastAudit()).toMatchObject({ action: 'alert.investigate', details: { investigation_no: 2, from_step: 'look' } });
  });
});

describe('the sources of a case', () => {
  it('lists each ATT&CK technique of the evidence once', async () => {
    const sent = await service.sendAlert();
    const techniques = (step: string, ...given: string[]) => ({ ...FINDING, step, techniques: given });
    await investigate(service, sent, { evidence: [techniques('one', 'T1566', 'T1078'), techniques('two', 'T1078', 'T1059.001')] });
    expect((await service.readCase(sent.alert_id)).techniques).toEqual(['T1059.001', 'T1078', 'T1566']);
  });

  it('shows the input, time, duration and digests of each call, and truncates a long input', async () => {
    const { pg } = service.database;
    const asked = async (input: unknown) => {
      const digests = { requestDigest: 'asked', replyDigest: 'answered' };
      const resultId = await storeSkillResult(service, { input, ...digests, startedAt: 1_767_225_600, durationMs: 120 });
      return { ...FINDING_SOURCE, result_id: resultId };
    };
    const short = { ...FINDING, step: 'short', source: await asked({ kind: 'ip', value: '203.0.113.9' }) };
    const long = { ...FINDING, step: 'long', source: await asked({ value: 'x'.repeat(5_000) }) };
    const sent = await service.sendAlert();
    await investigate(service, sent, {
      evidence: [short, long, { ...FINDING, step: 'lost', source: { ...FINDING_SOURCE, result_id: newUuid() } }],
    });
    const shown = Object.fromEntries((await service.readCase(sent.alert_id)).evidence.map(({ step, source }) => [step, source?.asked]));
    expect(shown['short']).toEqual({
      input: { kind: 'ip', value: '203.0.113.9' },
      at: 1_767_225_600,
      alert_id: null,
      duration_ms: 120,
      request_digest: 'asked',
      reply_digest: 'answered',
    });
    expect(shown['long']?.input).toMatch(/^\{"value": "x{1900,2000}…$/);
    expect(shown['lost']).toBeUndefined();
    const [stored] = await pg`select source from evidence where step = 'short'`;
    expect(stored?.['source']).not.toHaveProperty('asked');
  });
});

describe('a linked alert', () => {
  const host = (value: string) => ({ kind: 'host' as const, value });
  const openCaseWith = async (...entities: Entity[]) => {
    const alert = await service.sendAlert();
    return { alert, caseId: await investigate(service, alert, { entities }) };
  };

  it('shares an entity, is at most 30 days older, and is in another case', async () => {
    const ip = { kind: 'ip' as const, value: '198.51.100.77' };
    const mine = await openCaseWith(host('ws-linked'), ip, host('only-mine'));
    const both = await openCaseWith(host('ws-linked'), ip);
    const one = await openCaseWith(host('ws-linked'));
    const old = await openCaseWith(host('ws-linked'));
    await openCaseWith(host('somebody-else'));
    await backdateAlert(service, old.alert.alert_uuid, 31);
    const { body } = await service.request<CaseDetail>('GET', `/platformapi/cases/${mine.caseId}`, { key: analyst.api_key });
    expect(CaseDetail.parse(body).linked).toEqual([
      {
        alert_id: both.alert.alert_id,
        alert_type: 'Odd sign-in',
        case_id: both.caseId,
        verdict: 'malicious',
        // The rarest first.
        shares: [ip, host('ws-linked')],
      },
      { alert_id: one.alert.alert_id, alert_type: 'Odd sign-in', case_id: one.caseId, verdict: 'malicious', shares: [host('ws-linked')] },
    ]);
    await service.request('POST', `/platformapi/cases/${one.caseId}/merge`, { body: { into: mine.caseId, reason: 'x' } });
    const merged = await service.request<CaseDetail>('GET', `/platformapi/cases/${mine.caseId}`);
    expect(merged.body.linked.map(({ alert_id }) => alert_id)).toEqual([both.alert.alert_id]);
  });

  it('never shares only a common entity and never belongs to another organization', async () => {
    await createOrganization(service, 'LINKLESS');
    const mine = await openCaseWith(host('common'), host('theirs-too'));
    const foreign = await service.sendAlert({ organization_code: 'LINKLESS' });
    await investigate(service, foreign, { entities: [host('theirs-too')] });
    const others = Array.from({ length: 100 }, () => ({ ...mine.alert, alert_uuid: newUuid() }));
    await storeEntity(service, host('common'), others);
    const { body } = await service.request<CaseDetail>('GET', `/platformapi/cases/${mine.caseId}`);
    expect(body.linked).toEqual([]);
  });
});

describe('the filter for unassigned cases', () => {
  it('returns only cases without an assignee', async () => {
    await createOrganization(service, 'QUEUE');
    const send = async () => investigate(service, await service.sendAlert({ organization_code: 'QUEUE' }));
    const [taken, free] = [await send(), await send()];
    await service.createKey('analyst', 'QUEUE', { name: 'dana' });
    await service.request('PATCH', `/platformapi/cases/${taken}`, { body: { assignee: 'dana' } });
    const path = '/platformapi/cases?organization_code=QUEUE&unassigned=true';
    expect((await service.request<List<CaseSummary>>('GET', path)).body.items.map(({ case_id }) => case_id)).toEqual([free]);
    expect((await service.request('GET', '/platformapi/cases?unassigned=perhaps')).status).toBe(422);
  });
});

describe('the filter for analyst verdicts', () => {
  it('returns the cases where the analyst disagrees with the service, or agrees', async () => {
    await createOrganization(service, 'OPINIONS');
    const cases = await Promise.all(
      [null, 'malicious', 'benign', 'suspicious'].map(async (verdict) => {
        const opened = await investigate(service, await service.sendAlert({ organization_code: 'OPINIONS' }));
        const body = { analyst_verdict: { verdict, reason: 'x' } };
        if (verdict !== null) await service.request('PATCH', `/platformapi/cases/${opened}`, { body });
        return opened;
      }),
    );
    const found = async (disagrees: string) => {
      const path = `/platformapi/cases?organization_code=OPINIONS&disagrees=${disagrees}`;
      return (await service.request<List<CaseSummary>>('GET', path)).body.items.map(({ case_id }) => case_id).sort();
    };
    expect(await found('true')).toEqual(cases.slice(2).sort());
    expect(await found('false')).toEqual(cases.slice(1, 2));
    expect((await service.request('GET', '/platformapi/cases?disagrees=perhaps')).status).toBe(422);
  });
});
