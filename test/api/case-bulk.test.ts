import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import type { CaseChangeResult } from '../../services/cases/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const name of ['dana', 'robin']) await service.createKey('analyst', 'DEMO', { name });
});
afterAll(() => service.stop());

const newCase = async (organization = 'DEMO') => investigate(service, await service.sendAlert({ organization_code: organization }));
const change = async (changes: object[], key?: string) => {
  const reply = await service.request<{ results: CaseChangeResult[]; detail?: string }>('POST', '/platformapi/cases/bulk', {
    body: { changes },
    ...(key === undefined ? {} : { key }),
  });
  return reply;
};
const update = async (caseIds: readonly string[], given: object) =>
  (await change(caseIds.map((case_id) => ({ case_id, update: given })))).body.results;
const undo = async (results: readonly CaseChangeResult[]) =>
  (await change(results.map(({ case_id, undo: given }) => ({ case_id, update: given })))).body.results;
const read = async (caseId: string) => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`)).body;

describe('changing many cases', () => {
  it('assigns, closes and tags them, and undoes it', async () => {
    const [first, second] = [await newCase(), await newCase()];
    await service.request('PATCH', `/platformapi/cases/${second}`, {
      body: { assignee: 'robin', tags: ['kept'], analyst_verdict: { verdict: 'suspicious', reason: 'odd' } },
    });
    const before = [await read(first), await read(second)];
    const assigned = await update([first, second], { assignee: 'dana' });
    expect(assigned.map(({ undo: given }) => given)).toEqual([{ assignee: null }, { assignee: 'robin' }]);
    const tagged = await update([first, second], { add_tags: ['vpn'] });
    const closed = await update([first, second], { classification: 'false_positive' });
    expect(await read(second)).toMatchObject({ assignee: 'dana', tags: ['kept', 'vpn'], status: 'closed', analyst_verdict: 'benign' });
    for (const results of [closed, tagged, assigned])
      expect((await undo(results)).map(({ is_changed }) => is_changed)).toEqual([true, true]);
    const fields = ({ status, assignee, tags, classification, analyst_verdict, analyst_verdict_reason, closed_at }: CaseDetail) => ({
      status,
      assignee,
      tags,
      classification,
      analyst_verdict,
      analyst_verdict_reason,
      closed_at,
    });
    expect([fields(await read(first)), fields(await read(second))]).toEqual(before.map(fields));
  });

  it('restores a case that was closed before', async () => {
    const [classified, plain] = [await newCase(), await newCase()];
    await update([classified], { classification: 'true_positive' });
    await update([plain], { status: 'closed' });
    const [again, once] = await update([classified, plain], { classification: 'false_positive' });
    expect(again?.undo).toEqual({ classification: 'true_positive' });
    expect(once?.undo).toBeNull();
    const [reopened] = await update([classified], { status: 'open' });
    expect(reopened?.undo).toEqual({ classification: 'false_positive' });
  });

  it('reports each refusal with its reason and changes the other cases', async () => {
    const [merged, target, good] = [await newCase(), await newCase(), await newCase()];
    await service.request('POST', `/platformapi/cases/${merged}/merge`, { body: { into: target, reason: 'the same' } });
    const results = await update([merged, 'DEMO-CASE-99999', good], { assignee: 'dana' });
    expect(results).toEqual([
      { case_id: merged, is_changed: false, problem: expect.stringContaining('merged into another case'), undo: null, unmerge: null },
      {
        case_id: 'DEMO-CASE-99999',
        is_changed: false,
        problem: 'No case with this id, or you have no access to it.',
        undo: null,
        unmerge: null,
      },
      { case_id: good, is_changed: true, problem: null, undo: { assignee: null }, unmerge: null },
    ]);
  });

  it('merges them into one case, and undoes it', async () => {
    const [target, one, two] = [await newCase(), await newCase(), await newCase()];
    const merged = await change([one, two].map((case_id) => ({ case_id, merge: { into: target, reason: 'one attack' } })));
    expect((await read(target)).alert_ids).toHaveLength(3);
    const undone = await change(merged.body.results.map(({ case_id, unmerge }) => ({ case_id, unmerge })));
    expect(undone.body.results).toMatchObject([one, two].map((case_id) => ({ case_id, is_changed: true, undo: null, unmerge: null })));
    for (const caseId of [target, one, two])
      expect(await read(caseId)).toMatchObject({ merged_into: null, alert_ids: [expect.any(String)] });
    const again = await change([{ case_id: one, unmerge: { reason: 'x' } }]);
    expect(again.body.results[0]).toMatchObject({ is_changed: false, problem: expect.any(String), unmerge: null });
  });

  it('merges them into one case, and investigates them again', async () => {
    const [target, one, two] = [await newCase(), await newCase(), await newCase()];
    const merge = { into: target, reason: 'one attack' };
    const merged = await change([one, two, target].map((case_id) => ({ case_id, merge })));
    expect(merged.body.results.map(({ is_changed }) => is_changed)).toEqual([true, true, false]);
    expect(merged.body.results[2]?.problem).toBe('A case cannot be merged into itself.');
    expect((await read(target)).alert_ids).toHaveLength(3);
    const again = await change([target, one].map((case_id) => ({ case_id, investigate: true })));
    expect(again.body.results.map(({ is_changed }) => is_changed)).toEqual([true, false]);
    expect(again.body.results[1]?.problem).toContain('Investigate the other case');
    const running = await change([{ case_id: target, investigate: true }]);
    expect(running.body.results[0]).toMatchObject({ is_changed: false, problem: expect.stringContaining('still running') });
    const [counted] = await service.database.pg<{ count: number }[]>`
      select count(*)::int as count from alerts join case_alerts using (alert_uuid) join cases using (case_uuid)
      where case_id = ${target} and investigation_no = 2`;
    expect(counted?.count).toBe(3);
  });

  it('changes no case of another organization', async () => {
    await createOrganization(service, 'OTHER');
    const foreign = await newCase('OTHER');
    const { api_key: key } = await service.createKey('analyst');
    const merge = { into: await newCase(), reason: 'x' };
    const before = await read(foreign);
    const attempts = [{ update: { status: 'closed' } }, { merge }, { unmerge: { reason: 'x' } }, { investigate: true }];
    const { body } = await change(
      attempts.map((attempt) => ({ case_id: foreign, ...attempt })),
      key,
    );
    for (const result of body.results) expect(result.problem).toBe('No case with this id, or you have no access to it.');
    expect(await read(foreign)).toEqual(before);
  });

  it('refuses more than 200 changes, no change, and changes that are not exactly one', async () => {
    const one = { case_id: 'DEMO-CASE-1', investigate: true };
    for (const changes of [[], Array.from({ length: 201 }, () => one), [{ case_id: 'x' }], [{ ...one, update: { status: 'open' } }]])
      expect((await change(changes)).status).toBe(422);
  });
});
