import { describe, expect, it } from 'vitest';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import type { Connection } from '../../services/connections/wire.js';
import { changeConnectionRefusals, changeRateLimitBuckets } from '../support/rows.js';
import { waitFor } from '../support/service.js';
import { createConnection } from '../support/with-third-parties.js';
import {
  connectEndpoints,
  connectionId,
  ENRICHING,
  endpoints,
  intelligence,
  readConnection,
  service,
  setUpConnections,
  started,
} from './support/connections.js';

setUpConnections();

async function reconnect(apiKey: string): Promise<{ connection: Connection; test: { ok: boolean; summary: string } }> {
  const path = `/platformapi/connections/${connectionId}/reconnect`;
  const reply = await service.request<{ connection: Connection; test: { ok: boolean; summary: string } }>('POST', path, {
    body: { credentials: { api_key: apiKey } },
  });
  expect(reply.status).toBe(200);
  return reply.body;
}

/** Changes the key at the third party, which breaks our connection. */
function rotateKey(): string {
  const rotated = `rotated-key-${Math.random().toString(36).slice(2)}`;
  intelligence.state.apiKey = rotated;
  return rotated;
}

it('of another organization cannot reach a destination that EGRESS_ALLOW opens to one', async () => {
  await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'RIVAL', name: 'Rival Ltd' } });
  const connection = { instance_name: 'Intelligence', ...started.thirdParties.connections.threatIntelligence };
  const rival = await createConnection(service, { organization_code: 'RIVAL', ...connection });
  const { requests } = intelligence;
  const before = requests.length;
  const test = (id: string) =>
    service.request<{ ok: boolean; hosts: { reachable: boolean | null; detail: string }[] }>('POST', `/platformapi/connections/${id}/test`);
  expect(await test(rival)).toMatchObject({
    body: { ok: false, hosts: [{ reachable: false, detail: expect.stringContaining('The egress policy refuses') }] },
  });
  expect(requests).toHaveLength(before);
  expect((await test(connectionId)).body).toMatchObject({ ok: true });
});

describe('a rejected credential', () => {
  it('parks investigations, and a successful reconnect resumes all of them', async () => {
    const sent: string[] = [];
    for (let n = 0; n < 3; n += 1) sent.push((await service.sendAlert({ alert_type: ENRICHING })).alert_id);
    const rotated = rotateKey();
    for (let n = 0; n < 3; n += 1) sent.push((await service.sendAlert({ alert_type: ENRICHING })).alert_id);
    // Each investigation either ends before the key changes, or waits.
    await waitFor('all other investigations to wait', async () => {
      const done = await service.database.pg`select from alerts where alert_id = any(${sent}) and investigation_status = 15`;
      const { state, waiting_investigations: waiting } = await readConnection();
      return state === 'broken' && waiting > 0 && waiting + done.length === sent.length;
    });
    const waiting = await service.request<{ waiting_on: { instance_name: string; reason: string }[] }>(
      'GET',
      `/platformapi/alerts/${sent.at(-1)}`,
    );
    expect(waiting.body.waiting_on).toMatchObject([{ instance_name: 'Intelligence', reason: expect.stringContaining('401') }]);
    expect((await service.readCase(sent.at(-1) ?? '')).waiting_on).toHaveLength(1);

    const wrong = await reconnect('still wrong');
    expect(wrong).toMatchObject({ connection: { state: 'broken' }, test: { ok: false } });
    expect((await readConnection()).waiting_investigations).toBeGreaterThan(0);

    const right = await reconnect(rotated);
    expect(right).toMatchObject({ connection: { state: 'working' }, test: { ok: true } });
    for (const alertId of sent) {
      await service.waitForStatus(alertId, 15);
      const { evidence } = await service.readCase(alertId);
      expect(evidence.map((entry) => entry.kind).sort()).toEqual(['finding', 'note']);
    }
    expect((await readConnection()).waiting_investigations).toBe(0);
  });

  it('resumes them at once, although the earlier credentials used up the request limit', async () => {
    const rotated = rotateKey();
    const sent = await service.sendAlert({ alert_type: ENRICHING });
    await waitFor('an investigation to wait', async () => (await readConnection()).waiting_investigations === 1);
    await changeRateLimitBuckets(service, { connectionUuid: connectionId }, { taken: 10_000 });
    const began = performance.now();
    expect(await reconnect(rotated)).toMatchObject({ test: { ok: true } });
    await service.waitForStatus(sent.alert_id, 15);
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it('resumes a waiting investigation after a reconnect', async () => {
    const rotated = rotateKey();
    const first = await service.sendAlert({ alert_type: ENRICHING });
    await waitFor('an investigation to wait', async () => (await readConnection()).waiting_investigations === 1);
    // If the notification is lost, the reconciliation pass resumes the investigation.
    intelligence.state.apiKey = rotated;
    await reconnect(rotated);
    await service.waitForStatus(first.alert_id, 15);
  });
});

describe('a throttled third party', () => {
  it('delays the call without using an attempt, and receives no call before the retry time', async () => {
    const seen: number[] = [];
    const match = ({ url }: { url: string }) => {
      if (!url.startsWith('/v2/ip')) return false;
      seen.push(performance.now());
      return true;
    };
    intelligence.faults.next({ match, status: 429, headers: { 'retry-after': '3' }, body: { message: 'slow down' } });
    const began = intelligence.requests.length;
    const { alert_id: alertId } = await service.sendAlert({ alert_type: ENRICHING });
    const blocked = await waitFor('the block to be visible', async () => (await readConnection()).blocked_until);
    expect(blocked).toBeGreaterThan(Date.now() / 1000);
    await service.waitForStatus(alertId, 15);
    const asked = intelligence.requests.slice(began).filter(({ url }) => url.startsWith('/v2/ip'));
    expect(asked).toHaveLength(2);
    const attempts = await listAttempts(alertId);
    expect(attempts.every((attempt) => attempt === 1)).toBe(true);
    const [row] = await service.database.pg<{ waited: number }[]>`
      select extract(epoch from max(started_at) - min(alerts.created_at))::float8 as waited
      from skill_results join alerts using (alert_uuid) where alert_id = ${alertId}`;
    expect(row?.waited).toBeGreaterThanOrEqual(3);
  });
});

async function listAttempts(workflowId: string): Promise<number[]> {
  const { events } = await service.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (
    events?.flatMap((event) => (event.activityTaskStartedEventAttributes ? [event.activityTaskStartedEventAttributes.attempt ?? 1] : [])) ??
    []
  );
}

describe('a missing permission', () => {
  it('leaves a gap for that skill only, until a connection test passes', async () => {
    intelligence.state.modules.enrichment = false;
    const { alert_id: alertId } = await service.sendAlert({ alert_type: ENRICHING });
    await service.waitForStatus(alertId, 15);
    const opened = await service.readCase(alertId);
    expect(opened.evidence.map((entry) => [entry.kind, entry.source?.skill_id])).toEqual(
      expect.arrayContaining([
        ['gap', 'Get Enrichment'],
        ['note', 'List Alerts'],
      ]),
    );
    expect(await readConnection()).toMatchObject({ state: 'working', refused_skills: [{ skill_id: 'Get Enrichment' }] });
    // The refusal stays when the skill gets another title.
    await changeConnectionRefusals(service, { connectionUuid: connectionId }, { skillId: 'Earlier title' });
    expect((await readConnection()).refused_skills).toMatchObject([{ skill_key: 'threatIntelligence.getEnrichment' }]);
    const before = intelligence.requests.length;
    const again = await service.sendAlert({ alert_type: ENRICHING });
    await service.waitForStatus(again.alert_id, 15);
    expect(intelligence.requests.slice(before).some(({ url }) => url.startsWith('/v2/ip'))).toBe(false);

    intelligence.state.modules.enrichment = true;
    const test = await service.request<{ ok: boolean }>('POST', `/platformapi/connections/${connectionId}/test`);
    expect(test).toMatchObject({ status: 200, body: { ok: true } });
    expect((await readConnection()).refused_skills).toEqual([]);
  });
});

/** Lists the bookkeeping entries of a workflow. They are in its history shortly after the verdict is committed. */
async function listEntries(workflowId: string): Promise<string[]> {
  const handle = service.temporal.workflow.getHandle(workflowId);
  await handle.result();
  const { events } = await handle.fetchHistory();
  const markers = events?.flatMap(({ markerRecordedEventAttributes: marker }) => marker?.details?.['data']?.payloads ?? []) ?? [];
  return markers.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()).activity_type);
}

describe('the connections of an organization', () => {
  it('are loaded at the start of an investigation, and not looked up again', async () => {
    const { alert_id: alertId } = await service.sendAlert({ alert_type: ENRICHING });
    await service.waitForStatus(alertId, 15);
    expect(await listEntries(alertId)).not.toContain('resolveConnection');
    await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'NONE', name: 'None Ltd' } });
    const { alert_id: without } = await service.sendAlert({ alert_type: ENRICHING, organization_code: 'NONE' });
    await service.waitForStatus(without, 15);
    expect(await listEntries(without)).not.toContain('resolveConnection');
  });
});

describe('an organization without a connection', () => {
  it('gets a gap that names the missing connector', async () => {
    await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'BARE', name: 'Bare Ltd' } });
    const { alert_id: alertId } = await service.sendAlert({ alert_type: ENRICHING, organization_code: 'BARE' });
    await service.waitForStatus(alertId, 15);
    const { evidence, verdict } = await service.readCase(alertId);
    expect(evidence.map((entry) => entry.reason)[0]).toContain('no connection to the Threat intelligence platform');
    expect(verdict).toBe('inconclusive');
  });
});

describe('a write', () => {
  it('waits for a second approver if the connection requires one', async () => {
    const id = await connectEndpoints('Guarded endpoints', { needs_second_person: true });
    const requester = await service.createPerson('admin');
    const run = {
      key: requester.api_key,
      body: { input: { machine_id: COMPUTERS[1].machineId, comment: 'scan it', scan_type: 'Quick' }, confirm: true },
    };
    const proposed = await service.request<{ run_id: string; state: string }>(
      'POST',
      `/platformapi/connections/${id}/skills/run-antivirus-scan`,
      run,
    );
    expect(proposed).toMatchObject({ status: 202, body: { state: 'proposed' } });
    const decide = `/platformapi/skill-runs/${proposed.body.run_id}/decision`;
    expect(await service.request('POST', decide, { key: requester.api_key, body: { approve: true } })).toMatchObject({ status: 409 });
    expect(await service.request('DELETE', `/platformapi/connections/${id}`)).toMatchObject({ status: 409 });
    const { api_key: second } = await service.createPerson('analyst');
    const decided = await service.request<{ state: string }>('POST', decide, { key: second, body: { approve: true } });
    expect(decided).toMatchObject({ status: 200, body: { state: 'done' } });
    expect(endpoints.state.actions.filter((action) => action.type === 'RunAntiVirusScan')).toHaveLength(1);
  });
});
