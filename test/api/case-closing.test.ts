import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import { changeCases } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { unreachableEndpoints } from '../support/unreachable-endpoints.js';
import { createConnection } from '../support/with-third-parties.js';
import type { ProblemBody } from './support/http.js';
import { investigate, proposeIsolation } from './support/records.js';

let service: TestService;
let key: string;
let connectionId: string;
let caseId: string;
let alertId: string;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  key = (await service.createKey('analyst')).api_key;
  connectionId = await createConnection(service, {
    ...unreachableEndpoints('endpoints'),
    credentials: { tenant_id: 'tenant', client_id: 'client', client_secret: 'canary-client-secret' },
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  const alert = await service.sendAlert({ alert_type: 'Malware on host' });
  alertId = alert.alert_id;
  caseId = await investigate(service, alert, {
    entities: [
      { kind: 'host', value: 'hr-ws-014.harbour.example' },
      { kind: 'user', value: 'dana.vries' },
    ],
  });
});

const read = async () => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`, { key })).body;
const patch = <Body = CaseDetail>(body: unknown) => service.request<Body>('PATCH', `/platformapi/cases/${caseId}`, { key, body });

describe('the title of a case', () => {
  it('comes from the alert, and a person can change it', async () => {
    expect(await read()).toMatchObject({ title: 'Malware on hr-ws-014 · dana.vries' });
    expect(await patch({ title: 'Emotet in HR' })).toMatchObject({ status: 200, body: { title: 'Emotet in HR' } });
    expect((await read()).timeline.at(-1)).toMatchObject({ kind: 'title', text: 'Renamed: Emotet in HR' });
    expect(await patch<ProblemBody>({ title: ' ' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/title' }] } });
    expect(await patch<ProblemBody>({ title: 'x'.repeat(201) })).toMatchObject({ status: 422 });
  });

  it('is the alert type for a case from before cases had titles', async () => {
    await changeCases(service, { caseId }, { title: '' });
    expect(await read()).toMatchObject({ title: 'Malware on host' });
  });

  it('is in the exports', async () => {
    const markdown = await fetch(`${service.url}/platformapi/cases/${caseId}/export?format=markdown`, {
      headers: { cookie: `Session=${key}` },
    });
    expect(await markdown.text()).toMatch(/^# ` Malware on hr-ws-014 · dana\.vries `\n/);
    const stix = await service.request('GET', `/platformapi/cases/${caseId}/export?format=stix`, { key });
    expect(JSON.stringify(stix.body)).toContain(`Malware on hr-ws-014 · dana.vries (${caseId})`);
  });
});

describe('closing a case with a classification', () => {
  it.each([
    ['true_positive', 'malicious', 'waiting'],
    ['false_positive', 'benign', 'withdrawn'],
    ['benign_positive', 'benign', 'withdrawn'],
  ])('%s sets the verdict of the analyst and ends proposals that make no sense any more', async (classification, verdict, state) => {
    await proposeIsolation(service, alertId, connectionId);
    const closed = await patch({ classification });
    expect(closed).toMatchObject({
      status: 200,
      body: { status: 'closed', classification, analyst_verdict: verdict, closed_at: expect.any(Number), proposals: [{ state }] },
    });
    expect((await read()).timeline.map(({ kind }) => kind)).toContain('verdict');
    const reopened = await patch({ status: 'open' });
    expect(reopened.body).toMatchObject({ status: 'open', classification: null, analyst_verdict: verdict });
  });

  it('takes the comment as the reason', async () => {
    const { body } = await patch({ classification: 'false_positive', comment: 'The backup job does this every night.' });
    expect(body).toMatchObject({ analyst_verdict_reason: 'The backup job does this every night.' });
  });

  it('withdraws proposals also if the verdict of the analyst is benign already', async () => {
    await proposeIsolation(service, alertId, connectionId);
    await patch({ analyst_verdict: { verdict: 'benign', reason: 'A test.' } });
    expect((await read()).proposals).toMatchObject([{ state: 'waiting' }]);
    expect((await patch({ status: 'closed' })).body.proposals).toMatchObject([
      { state: 'withdrawn', outcome: 'The case was closed as harmless.' },
    ]);
  });

  it('is refused together with another status or verdict, and then changes nothing', async () => {
    const before = await read();
    const verdict = { verdict: 'malicious', reason: 'It is.' };
    expect(await patch<ProblemBody>({ classification: 'false_positive', status: 'open' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/status' }] },
    });
    expect(await patch<ProblemBody>({ classification: 'false_positive', analyst_verdict: verdict })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/analyst_verdict' }] },
    });
    expect(await read()).toEqual(before);
  });
});
