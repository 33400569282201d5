import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../connectors/catalogue.js';
import { newUuid } from '../../db/ids.js';
import type { CaseDetail } from '../../domain/case/case.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { endProposal } from '../../services/proposals/end.js';
import { idleContext } from '../support/service-context.js';
import { readAllPages } from './support/http.js';
import { type ResponseKit, startResponseKit } from './support/response-kit.js';

let service: ResponseKit['service'];
let connections: ResponseKit['connections'];
let requireKey: ResponseKit['requireKey'];
let propose: ResponseKit['propose'];
let call: ResponseKit['call'];
let audited: ResponseKit['audited'];
beforeAll(async () => {
  ({ service, connections, requireKey, propose, call, audited } = await startResponseKit());
});
afterAll(() => service?.stop());

describe('proposals', () => {
  it('are listed newest first, page by page, by state and organization', async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) made.push((await propose('NORTH')).proposalId);
    await propose('SOUTH');
    await call('POST', `proposals/${made[0]}/refuse`, { reason: 'No.' });
    const listed = await readAllPages<Proposal>(service, '/platformapi/proposals?organization_code=NORTH&state=waiting', { limit: 1 });
    expect(listed.map((each) => each.proposal_id)).toEqual([made[2], made[1]]);
    const own = await readAllPages<Proposal>(service, '/platformapi/proposals', { key: requireKey('analyst SOUTH'), limit: 1 });
    expect(new Set(own.map((each) => each.organization_code))).toEqual(new Set(['SOUTH']));
    expect((await call('GET', 'proposals?organization_code=NORTH', undefined, requireKey('analyst SOUTH'))).body).toMatchObject({
      items: [],
    });
    expect((await call('GET', 'proposals?manual=only')).body).toMatchObject({ items: [] });
    expect(await call('GET', 'proposals?state=odd')).toMatchObject({ status: 422 });
  });

  it('are part of their case, and each decision is on its timeline and in the audit log', async () => {
    const { proposalId, caseId } = await propose('NORTH');
    const approved = await call(
      'POST',
      `proposals/${proposalId}/approve`,
      { reason: 'Sure.', release_after_hours: 3 },
      requireKey('analyst NORTH'),
    );
    expect(approved).toMatchObject({
      status: 200,
      body: {
        state: 'approved',
        case_id: caseId,
        undoable: true,
        release_after_hours: 3,
        decisions: [{ decision: 'approve', reason: 'Sure.' }],
      },
    });
    const { body } = await call<CaseDetail>('GET', `cases/${caseId}`);
    expect(body.proposals).toEqual([approved.body]);
    expect(body.timeline.map(({ kind, by, text }) => [kind, by?.split(' ')[0] ?? null, text])).toEqual(
      expect.arrayContaining([
        ['proposed', null, 'Isolate machine: It calls home.'],
        ['decided', 'analyst', 'Isolate machine approved: Sure.'],
      ]),
    );
    expect(await audited(proposalId)).toMatchObject([
      { action: 'proposal.approve', organization_code: 'NORTH', details: { skill_id: 'Isolate machine', reason: 'Sure.' } },
    ]);
  });

  it('accept one decision', async () => {
    const { proposalId } = await propose('NORTH');
    expect(await call('POST', `proposals/${proposalId}/refuse`, { reason: 'No.' })).toMatchObject({
      status: 200,
      body: { state: 'refused' },
    });
    for (const [verb, body] of [
      ['approve', {}],
      ['refuse', { reason: 'No!' }],
      ['reconfirm', { hours: 1, reason: 'Longer.' }],
    ] as const)
      expect(await call('POST', `proposals/${proposalId}/${verb}`, body), verb).toMatchObject({ status: 409 });
    expect((await audited(proposalId)).map(({ action }) => action)).toEqual(['proposal.refuse']);
  });

  it('count each approver once, even when the decisions are concurrent', async () => {
    const { proposalId } = await propose('NORTH', { assets: null });
    const everywhere = (await service.createPerson('analyst', null)).api_key;
    const replies = await Promise.all(
      [requireKey('analyst NORTH'), requireKey('analyst NORTH'), everywhere, everywhere].map((key) =>
        call('POST', `proposals/${proposalId}/approve`, {}, key),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    expect((await call('GET', `proposals/${proposalId}`)).body).toMatchObject({ state: 'approved', approvals_needed: 2 });
  });

  it('validate their input', async () => {
    const { proposalId } = await propose('NORTH', { verb: 'runAntivirusScan', skillId: 'Run antivirus scan' });
    expect((await call('GET', `proposals/${proposalId}`)).body).toMatchObject({ undoable: false });
    const wrong: [string, unknown, string][] = [
      ['approve', { release_after_hours: 0 }, '#/release_after_hours'],
      ['approve', { release_after_hours: 1 }, '#/release_after_hours'],
      ['approve', { approve: true }, '#'],
      ['refuse', {}, '#/reason'],
      ['refuse', { reason: ' ' }, '#/reason'],
      ['reconfirm', { reason: 'x' }, '#/hours'],
      ['reconfirm', { hours: 1000, reason: 'x' }, '#/hours'],
    ];
    for (const [verb, body, pointer] of wrong) {
      const reply = await call<{ errors: { pointer: string }[] }>('POST', `proposals/${proposalId}/${verb}`, body);
      expect(reply.status, `${verb} ${JSON.stringify(body)}`).toBe(422);
      expect(reply.body.errors[0]?.pointer).toContain(pointer);
    }
    expect((await call('GET', `proposals/${proposalId}`)).body).toMatchObject({ state: 'waiting', decisions: [] });
  });

  it('return 404 for another organization', async () => {
    const { proposalId } = await propose('SOUTH');
    const key = requireKey('admin NORTH');
    const attempts: [string, string, unknown][] = [
      ['GET', '', undefined],
      ['POST', '/approve', {}],
      ['POST', '/refuse', { reason: 'Mine now.' }],
      ['POST', '/reconfirm', { hours: null, reason: 'Mine now.' }],
    ];
    for (const [method, verb, body] of attempts) {
      const there = await call(method, `proposals/${proposalId}${verb}`, body, key);
      const nowhere = await call(method, `proposals/${newUuid()}${verb}`, body, key);
      expect(there.status).toBe(404);
      expect(there.body).toEqual(nowhere.body);
    }
    expect((await call('GET', `proposals/${proposalId}`)).body).toMatchObject({ state: 'waiting' });
  });

  it('prevent the deletion of their connection while they are open', async () => {
    await propose('SOUTH');
    const reply = await call<{ detail: string }>('DELETE', `connections/${connections.get('SOUTH')}`);
    expect(reply).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Isolate machine is proposed') } });
  });

  it('schedule an undo, which can be postponed or withdrawn', async () => {
    const { proposalId, caseId } = await propose('NORTH', { releaseAfterHours: 5, input: { machine_id: 'm1' } });
    await call('POST', `proposals/${proposalId}/approve`, {});
    await endProposal(idleContext(service), catalogue, proposalId, { resultId: newUuid(), outcome: 'Isolate machine: Succeeded' });
    const findUndo = async () =>
      (await call<CaseDetail>('GET', `cases/${caseId}`)).body.proposals.find(({ undo_of }) => undo_of === proposalId);
    const { run_at: before = null } = (await findUndo()) ?? {};
    expect(before).toBeGreaterThan(Date.now() / 1000 + 4.9 * 3600);
    expect(await call('POST', `proposals/${proposalId}/reconfirm`, { hours: 10, reason: 'Longer.' })).toMatchObject({ status: 200 });
    expect((await findUndo())?.run_at).toBeGreaterThan((before ?? 0) + 4.9 * 3600);
    expect(await call('POST', `proposals/${proposalId}/reconfirm`, { hours: null, reason: 'For good.' })).toMatchObject({ status: 200 });
    expect(await findUndo()).toMatchObject({ state: 'withdrawn', approvals_needed: 0 });
    const timeline = (await call<CaseDetail>('GET', `cases/${caseId}`)).body.timeline.map(({ text }) => text);
    expect(timeline).toContain('Unisolate machine is withdrawn: For good.');
  });

  it('are ended early by two people where their write needs two', async () => {
    const [analyst, admin, other] = [requireKey('analyst NORTH'), requireKey('admin NORTH'), requireKey('other admin NORTH')];
    const { proposalId, caseId } = await propose('NORTH', { assets: null, releaseAfterHours: 5, input: { machine_id: 'm2' } });
    const decide = (verb: string, body: object, key?: string) => call('POST', `proposals/${proposalId}/${verb}`, body, key);
    await decide('approve', {}, analyst);
    // The second person cannot agree to a shorter time than the first one.
    expect(await decide('approve', { release_after_hours: 1 }, admin)).toMatchObject({ status: 422 });
    expect(await decide('approve', {}, admin)).toMatchObject({ status: 200, body: { state: 'approved' } });
    await endProposal(idleContext(service), catalogue, proposalId, { resultId: newUuid(), outcome: 'Isolate machine: Succeeded' });
    const findUndo = async () =>
      (await call<CaseDetail>('GET', `cases/${caseId}`)).body.proposals.find(({ undo_of }) => undo_of === proposalId);
    const { run_at: scheduled = null } = (await findUndo()) ?? {};

    const reason = 'It is clean.';
    for (const key of [analyst, analyst, undefined])
      expect(await decide('release', { reason }, key)).toMatchObject({ status: 202, body: { state: 'done' } });
    expect(await findUndo()).toMatchObject({
      state: 'scheduled',
      run_at: scheduled,
      release_requested_by: expect.stringContaining('analyst'),
    });
    expect(await decide('reconfirm', { hours: 1, reason }, analyst)).toMatchObject({ status: 422 });
    expect(await findUndo()).toMatchObject({ run_at: scheduled });

    expect(await decide('release', { reason }, other)).toMatchObject({ status: 200, body: { release_requested_by: null } });
    expect((await findUndo())?.run_at).toBeLessThan((scheduled ?? 0) - 3600);
    const texts = (await call<CaseDetail>('GET', `cases/${caseId}`)).body.timeline.map(({ text }) => text);
    expect(texts).toContain('A second person must confirm that Unisolate machine runs now: It is clean.');
    expect(texts).toContain('Unisolate machine runs now: It is clean.');
  });
});
