import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlertListItem } from '../../domain/alert/alert.js';
import type { CaseDetail } from '../../domain/case/case.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import { concludeFrom } from '../../domain/verdict/verdict.js';
import { concludeInvestigation } from '../../services/investigations/conclude.js';
import { asInvestigator } from '../../services/investigations/context.js';
import { startTestService, type TestService } from '../support/service.js';
import type { ProblemBody } from './support/http.js';
import { createOrganization, FINDING, investigate } from './support/records.js';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  key = (await service.createKey('analyst')).api_key;
});
afterAll(() => service.stop());

/** The case, or the reason for the refusal. */
type MergeReply = CaseDetail & Pick<ProblemBody, 'detail'>;

const evidenceWith = (points: number): EvidenceDraft[] => [{ ...FINDING, points, title: `Weighs ${points}` }];

/** Sends an alert and opens its case: concluded by one finding with these points, or still running. */
async function openCase(points: number | null): Promise<{ alert: AlertListItem; caseId: string }> {
  const alert = await service.sendAlert();
  const options = points === null ? { concluded: false } : { evidence: evidenceWith(points) };
  return { alert, caseId: await investigate(service, alert, options) };
}

const read = async (caseId: string) => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`, { key })).body;
const patch = (caseId: string, body: unknown) => service.request<CaseDetail>('PATCH', `/platformapi/cases/${caseId}`, { key, body });
const merge = (caseId: string, into: string, by = key) =>
  service.request<MergeReply>('POST', `/platformapi/cases/${caseId}/merge`, { key: by, body: { into, reason: 'one attacker' } });
const unmerge = (caseId: string) =>
  service.request<MergeReply>('POST', `/platformapi/cases/${caseId}/unmerge`, { key, body: { reason: 'two attackers' } });
const concludeAlert = ({ alert_id: alertId }: AlertListItem, points: number, investigationNo = 1) => {
  const evidence = evidenceWith(points);
  return concludeInvestigation(
    asInvestigator(service.database),
    { alertId, investigationNo },
    { attempt: 1, evidence, conclusion: concludeFrom(evidence) },
  );
};

describe('a merge', () => {
  it('moves the alerts, closes the source and takes the worst verdict', async () => {
    const [source, target] = [await openCase(80), await openCase(-40)];
    expect(await read(target.caseId)).toMatchObject({ verdict: 'benign', merged: [] });
    const { status, body } = await merge(source.caseId, target.caseId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      case_id: target.caseId,
      alert_ids: [source.alert.alert_id, target.alert.alert_id],
      merged: [source.caseId],
      merged_into: null,
      status: 'open',
      verdict: 'malicious',
      score: 80,
      severity: 'high',
      confidence: 75,
    });
    expect(body.summary).toContain('Weighs 80');
    expect(body.evidence.map(({ title }) => title).sort()).toEqual(['Weighs -40', 'Weighs 80']);
    expect(body.investigations.map(({ alert_id }) => alert_id).sort()).toEqual(body.alert_ids.toSorted());
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'merge', by: expect.stringMatching(/^analyst /) });
    expect(body.timeline.at(-1)?.text).toBe(`${source.caseId} was merged into this case (1 alert): one attacker`);
    const left = await read(source.caseId);
    expect(left).toMatchObject({ status: 'closed', merged_into: target.caseId, alert_ids: [], verdict: 'malicious', linked: [] });
    expect(left.closed_at).not.toBeNull();
    expect(left.timeline.at(-1)).toMatchObject({ kind: 'merge', text: `Merged into ${target.caseId}: one attacker` });
    expect((await service.readAlert(source.alert.alert_id)).case_id).toBe(target.caseId);
  });

  it('finds the other case in any case, and keeps the reasons of both alerts', async () => {
    const [source, target] = [await openCase(80), await openCase(40)];
    const { status, body } = await merge(source.caseId, target.caseId.toLowerCase());
    expect(status).toBe(200);
    expect(body).toMatchObject({ case_id: target.caseId, verdict: 'malicious' });
    expect(body.reasons.flatMap(({ points }) => points ?? [])).toEqual([80, 40]);
    expect(body.reasons.find(({ points }) => points === null)?.text).toContain(`${target.alert.alert_id}: Suspicious`);
    expect((await read(source.caseId)).timeline.at(-1)?.text).toContain(target.caseId);
  });

  it('keeps the verdict of the target when it is worse', async () => {
    const [source, target] = [await openCase(40), await openCase(90)];
    expect((await merge(source.caseId, target.caseId)).body).toMatchObject({ verdict: 'malicious', score: 90 });
  });

  it('reopens a closed case whose verdict changes', async () => {
    const [source, target] = [await openCase(80), await openCase(-40)];
    await patch(target.caseId, { status: 'closed' });
    const { body } = await merge(source.caseId, target.caseId);
    expect(body).toMatchObject({ status: 'open', closed_at: null });
    expect(body.timeline.at(-1)).toMatchObject({
      kind: 'status',
      by: null,
      text: 'closed → open: the verdict changed from benign to malicious',
    });
  });

  it('directs the result of a running investigation to the target case', async () => {
    const [running, target] = [await openCase(null), await openCase(-40)];
    await merge(running.caseId, target.caseId);
    expect(await read(target.caseId)).toMatchObject({ verdict: 'benign' });
    expect(await concludeAlert(running.alert, 80)).toBe(true);
    const after = await read(target.caseId);
    expect(after).toMatchObject({ verdict: 'malicious', score: 80 });
    expect(after.timeline.at(-1)).toMatchObject({ kind: 'concluded', text: 'Investigation 1: malicious, score 80' });
    const left = await read(running.caseId);
    expect(left.verdict).toBeNull();
    expect(left.timeline.map(({ kind }) => kind)).toEqual(['opened', 'merge']);
  });

  it('keeps the worse verdict when a later investigation ends with a milder one', async () => {
    const [running, target] = [await openCase(null), await openCase(80)];
    await merge(running.caseId, target.caseId);
    await concludeAlert(running.alert, -40);
    expect(await read(target.caseId)).toMatchObject({ verdict: 'malicious', score: 80 });
  });

  it('loses no result of investigations that end concurrently', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, other] = [await openCase(null), await openCase(null)];
      const outcomes = await Promise.all([merge(one.caseId, other.caseId), concludeAlert(one.alert, 80), concludeAlert(other.alert, -40)]);
      expect(outcomes).toEqual([expect.objectContaining({ status: 200 }), true, true]);
      expect(await read(other.caseId), `round ${round}`).toMatchObject({ verdict: 'malicious', score: 80 });
    }
  });

  it('returns an error with a reason when the cases cannot be merged', async () => {
    const [one, two, three] = [await openCase(10), await openCase(10), await openCase(10)];
    await merge(one.caseId, two.caseId);
    await createOrganization(service, 'ELSEWHERE');
    const foreign = await investigate(service, await service.sendAlert({ organization_code: 'ELSEWHERE' }));
    const refused: [ReturnType<typeof merge>, number, RegExp][] = [
      [merge(two.caseId, two.caseId), 409, /into itself/],
      [merge(one.caseId, three.caseId), 409, new RegExp(`already merged into ${two.caseId}`)],
      [merge(three.caseId, one.caseId), 409, new RegExp(`itself merged into ${two.caseId}`)],
      [merge(three.caseId, foreign), 404, /id in `into`/],
      [merge(three.caseId, foreign, service.adminKey), 409, /two organizations/],
      [merge(three.caseId, 'DEMO-CASE-99999'), 404, /id in `into`/],
      [merge('DEMO-CASE-99999', three.caseId), 404, /case with this id/],
      [unmerge(three.caseId), 409, /is not merged/],
      [unmerge('DEMO-CASE-99999'), 404, /case with this id/],
    ];
    for (const [asked, status, words] of refused) {
      const reply = await asked;
      expect(reply.status, String(words)).toBe(status);
      expect(reply.body.detail).toMatch(words);
    }
    expect((await read(three.caseId)).timeline.map(({ kind }) => kind)).toEqual(['opened', 'concluded']);
  });

  it('leaves the source open for comments but not for changes', async () => {
    const [source, target] = [await openCase(10), await openCase(10)];
    await merge(source.caseId, target.caseId);
    expect((await patch(source.caseId, { status: 'open' })).status).toBe(409);
    expect((await patch(source.caseId, { comment: 'see there' })).body.timeline.at(-1)).toMatchObject({ kind: 'comment' });
  });
});

describe('an unmerge', () => {
  it('restores the alerts, the status and both verdicts', async () => {
    const [source, target] = [await openCase(80), await openCase(-40)];
    await patch(source.caseId, { status: 'in_progress' });
    await merge(source.caseId, target.caseId);
    const { status, body } = await unmerge(source.caseId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      case_id: source.caseId,
      status: 'in_progress',
      closed_at: null,
      merged_into: null,
      alert_ids: [source.alert.alert_id],
      verdict: 'malicious',
    });
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'merge', text: `Unmerged from ${target.caseId}: two attackers` });
    const left = await read(target.caseId);
    expect(left).toMatchObject({ alert_ids: [target.alert.alert_id], verdict: 'benign', score: 0, merged: [], status: 'open' });
    expect(left.timeline.at(-1)?.text).toBe(`${source.caseId} was unmerged from this case (1 alert): two attackers`);
    expect((await unmerge(source.caseId)).status).toBe(409);
  });

  it('keeps later results and the original closing time', async () => {
    const [source, target] = [await openCase(-40), await openCase(-40)];
    const closed = (await patch(source.caseId, { status: 'closed' })).body.closed_at;
    await merge(source.caseId, target.caseId);
    await service.request('POST', `/platformapi/alerts/${source.alert.alert_id}/investigate`);
    await investigate(service, source.alert, { evidence: evidenceWith(40), investigationNo: 2 });
    expect(await read(target.caseId)).toMatchObject({ verdict: 'suspicious' });
    expect((await unmerge(source.caseId)).body).toMatchObject({ verdict: 'suspicious', status: 'closed', closed_at: closed });
    expect(await read(target.caseId)).toMatchObject({ verdict: 'benign' });
  });

  it('undoes each merge of a chain separately', async () => {
    const [one, two, three] = [await openCase(80), await openCase(40), await openCase(-40)];
    await merge(one.caseId, two.caseId);
    const all = (await merge(two.caseId, three.caseId)).body;
    expect(all.merged.toSorted()).toEqual([one.caseId, two.caseId].sort());
    expect(await read(one.caseId)).toMatchObject({ merged_into: three.caseId });
    expect((await unmerge(two.caseId)).body).toMatchObject({ alert_ids: [two.alert.alert_id], verdict: 'suspicious' });
    expect(await read(three.caseId)).toMatchObject({ alert_ids: [one.alert.alert_id, three.alert.alert_id], verdict: 'malicious' });
    expect((await unmerge(one.caseId)).body).toMatchObject({ alert_ids: [one.alert.alert_id], verdict: 'malicious' });
    expect(await read(three.caseId)).toMatchObject({ alert_ids: [three.alert.alert_id], verdict: 'benign' });
  });
});
