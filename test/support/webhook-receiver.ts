import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { type Authority, createAuthority, startStandIn } from '../../connectors/kit/stand-in/stand-in.js';
import { insertEvent } from '../../db/notifications/events.js';
import type { EventName } from '../../domain/notification/event.js';
import type { ChannelWithSecret, Rule } from '../../services/notifications/wire.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';

export interface ReceivedEvent {
  readonly headers: Readonly<Record<string, string>>;
  /** As sent: the signature covers each byte. */
  readonly payload: string;
  readonly event: { readonly id: string; readonly type: string; readonly sequence: string; readonly data: Record<string, unknown> };
}

export type WithReceiver = Awaited<ReturnType<typeof startWithReceiver>>;

/** Starts a service and a receiver of webhooks with TLS. `accepts` decides about each request, before it counts as received. */
export async function startWithReceiver({
  authority,
  allow = [],
  define = () => {},
  ...options
}: TestServiceOptions & {
  readonly authority?: Authority;
  /** More entries of EGRESS_ALLOW. */
  readonly allow?: readonly string[];
  /** More routes of the receiver. */
  readonly define?: (app: FastifyInstance) => void;
} = {}) {
  const state = { accepted: [] as ReceivedEvent[], accepts: (_request: ReceivedEvent): boolean => true };
  const receiver = await startStandIn({
    authority: authority ?? (await createAuthority()),
    define: (app) => {
      define(app);
      app.addContentTypeParser('application/cloudevents+json', { parseAs: 'string' }, async (_request: unknown, body: string) => body);
      app.post('/hook', async (request, reply) => {
        const received = toReceived(request.headers, String(request.body));
        if (!state.accepts(received)) return reply.code(503).send({ error: 'unavailable' });
        state.accepted.push(received);
        return { ok: true };
      });
      return state;
    },
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-receiver-'));
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, receiver.caPem);
  const env = {
    // Each channel of these tests belongs to DEMO.
    EGRESS_ALLOW: [receiver.address, ...allow].map((address) => `DEMO:${address}`).join(','),
    EGRESS_CA_FILE: caFile,
    PUBLIC_URL: 'https://investigator.example',
    SLACK_API_URL: `${receiver.url}/api`,
    ...options.env,
  };
  const service = await startTestService({ ...options, env });
  return {
    service,
    receiver,
    state,
    url: `${receiver.url}/hook`,
    async stop(): Promise<void> {
      await service.stop();
      await receiver.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function toReceived(headers: Readonly<Record<string, string | string[] | undefined>>, payload: string): ReceivedEvent {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { headers: Object.fromEntries(texts), payload, event: JSON.parse(payload) };
}

export type Webhook = ChannelWithSecret & { readonly signing_secret: string };

export async function createWebhook(service: TestService, url: string, name = `Channel ${Math.random()}`): Promise<Webhook> {
  const body = { organization_code: 'DEMO', name, kind: 'webhook', settings: { url } };
  const reply = await service.request<ChannelWithSecret>('POST', '/platformapi/notification-channels', { body });
  expect(reply).toMatchObject({ status: 201, body: { signing_secret: expect.stringMatching(/^whsec_/) } });
  return { ...reply.body, signing_secret: reply.body.signing_secret ?? '' };
}

export async function createRule(service: TestService, channelId: string, rule: Partial<Rule> & Pick<Rule, 'events'>): Promise<Rule> {
  const body = { organization_code: 'DEMO', name: 'Rule', channel_id: channelId, ...rule };
  const reply = await service.request<Rule>('POST', '/platformapi/notification-rules', { body });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body;
}

export async function writeEvent(service: TestService, name: EventName, subjectUuid: string, data: Record<string, unknown>): Promise<void> {
  const [demo] = await service.database.pg<{ uuid: string }[]>`
    select organization_uuid as uuid from organizations where organization_code = 'DEMO'`;
  const organizationUuid = demo?.uuid ?? '';
  await service.database.db.transaction((transaction) => insertEvent(transaction, { name, organizationUuid, subjectUuid, data }));
}

/** Writes `each` events for every one of these subjects, in turns. */
export async function writeEvents(service: TestService, subjects: readonly string[], each: number): Promise<void> {
  const facts = { severity: null, verdict: null, assignee: null, author: 'ines' };
  for (let turn = 0; turn < each; turn += 1)
    for (const subject of subjects) await writeEvent(service, 'case.commented', subject, { case_id: subject, ...facts });
}

/** Stores a delivery of the channel that ended without success. */
export async function storeFailedDelivery({ database: { pg } }: TestService, channelId: string, lastError: string): Promise<void> {
  await pg`
    with event as (
      insert into notification_events (event_uuid, organization_uuid, name, subject_uuid, sequence, data, at, routed_at)
      select gen_random_uuid(), organization_uuid, 'notification.test', channel_uuid, 1, jsonb_build_object('channel_id', channel_uuid), now(), now()
      from notification_channels where channel_uuid = ${channelId} returning *)
    insert into notification_deliveries (delivery_uuid, organization_uuid, event_no, channel_uuid, subject_uuid, state, next_attempt_at, expires_at,
      last_error, created_at, ended_at)
    select gen_random_uuid(), organization_uuid, event_no, subject_uuid, subject_uuid, 'failed', now(), now(), ${lastError}, now(), now() from event`;
}
