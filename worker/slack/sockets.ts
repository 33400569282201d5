import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { findForeignSettings, type OperatorSettings } from '../../channels/kit/define.js';
import { DeliveryFailure } from '../../channels/kit/deliver.js';
import { callSlack } from '../../channels/slack/api.js';
import { slack } from '../../channels/slack/contract.js';
import type { Egress } from '../../connectors/kit/egress.js';
import type { HttpClient } from '../../connectors/kit/http.js';
import { runWebSocket } from '../../connectors/kit/web-socket.js';
import { listSlackChannels, type SlackChannel } from '../../db/notifications/slack-channels.js';
import { SkillError } from '../../domain/connection/skill-errors.js';
import { backoffMs } from '../../platform/backoff.js';
import type { Keyring } from '../../platform/keyring.js';
import { type ClickDeps, handlePayload, type SlackPlace } from './clicks.js';
import { Frame } from './envelopes.js';

export interface SlackSocketDeps extends ClickDeps {
  readonly keyring: Keyring;
  readonly egress: Egress;
  readonly notificationHttp: HttpClient;
  readonly operator: OperatorSettings;
  /** Workspaces with apps that the operator allowed. Empty: each. */
  readonly allowedApps: readonly string[];
}

const LOOK_EVERY_MS = 5_000;
const BACKOFF = { baseMs: 1_000, maxMs: 60_000 };
/** Slack sends a ping every few seconds. */
const SILENCE_MS = 60_000;
const MAX_BYTES = 1024 * 1024;
const REQUESTS_PER_MINUTE = 600;
/** Slack repeats an envelope without an acknowledgement; the database makes a decision count once in any case. */
const ENVELOPES_REMEMBERED = 1_000;

const Authenticated = z.object({ team_id: z.string() });
const Opened = z.object({ url: z.string().max(2000) });

/** The tokens of an app in a workspace. Channels with the same ones and the same destinations share a connection: Slack sends an envelope to any of them. */
interface SlackApp {
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly channelUuid: string;
  readonly botToken: string;
  readonly appToken: string;
}

/**
 * Keeps a Socket Mode connection to Slack for each app of the channels, so that buttons work without an inbound port.
 * Each worker has its own: Slack sends an envelope to one of up to ten connections.
 */
export function startSlackSockets(deps: SlackSocketDeps): { stop(): Promise<void> } {
  const { pg, log } = deps;
  const stopping = new AbortController();
  const open = new Map<string, { readonly leaving: AbortController; readonly done: Promise<void> }>();

  let current: readonly SlackApp[] = [];
  const look = async () => {
    const channels = await listSlackChannels(pg);
    const found = channels.flatMap((channel) => openApp(deps, channel));
    const apps = new Map(found.map((app) => [identify(deps.egress, app), app]));
    current = found;
    for (const [id, { leaving, done }] of open) {
      if (apps.has(id)) continue;
      leaving.abort();
      await done;
      open.delete(id);
    }
    for (const [id, app] of apps) {
      if (open.has(id)) continue;
      const leaving = new AbortController();
      open.set(id, { leaving, done: keepConnected(deps, app, () => listChannels(app), leaving.signal) });
    }
  };

  // Slack sends a click to any connection of the app, also to that of another organization.
  const listChannels = ({ botToken, appToken }: SlackApp) =>
    current.filter((app) => app.botToken === botToken && app.appToken === appToken).map(({ channelUuid }) => channelUuid);
  const run = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => log.warn({ err: error }, 'cannot read the Slack channels, trying again'));
      await pause(LOOK_EVERY_MS, stopping.signal);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      for (const { leaving } of open.values()) leaving.abort();
      await Promise.all([...open.values()].map(({ done }) => done));
    },
  };
}

/** Empty if a secret cannot be opened, such as without its master key: the other channels still work. */
function openApp(
  { keyring, log, operator }: SlackSocketDeps,
  { organizationUuid, organizationCode, channelUuid, settings, secrets }: SlackChannel,
): SlackApp[] {
  const openSecret = (field: string) => {
    const sealed = secrets.find((secret) => secret.field === field);
    return sealed === undefined ? '' : keyring.open(sealed, { organizationUuid, connectionUuid: channelUuid, field });
  };
  try {
    // The tokens were entered for another host, which could report any click.
    if (findForeignSettings(slack, settings, operator).length > 0) return [];
    return [{ organizationUuid, organizationCode, channelUuid, botToken: openSecret('bot_token'), appToken: openSecret('app_token') }];
  } catch {
    log.warn({ channel_id: channelUuid }, 'cannot open the secrets of a Slack channel');
    return [];
  }
}

function identify(egress: Egress, { organizationCode, botToken, appToken }: SlackApp): string {
  return createHash('sha256')
    .update(JSON.stringify([egress.of(organizationCode).organization, botToken, appToken]))
    .digest('hex');
}

async function keepConnected(
  deps: SlackSocketDeps,
  app: SlackApp,
  channelUuids: SlackPlace['channelUuids'],
  signal: AbortSignal,
): Promise<void> {
  const known = new LRUCache<string, true>({ max: ENVELOPES_REMEMBERED });
  let failures = 0;
  while (!signal.aborted) {
    try {
      await connect(deps, app, { known, channelUuids, signal });
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      deps.log.warn({ channel_id: app.channelUuid, reason: explain(error) }, 'the connection to Slack failed, trying again');
    }
    await pause(backoffMs(failures, BACKOFF), signal);
  }
}

/** One connection, from its address to its end. Slack asks for a new one every few hours. */
async function connect(
  deps: SlackSocketDeps,
  { organizationUuid, organizationCode: organization, channelUuid, botToken, appToken }: SlackApp,
  { known, channelUuids, signal }: { known: LRUCache<string, true>; channelUuids: SlackPlace['channelUuids']; signal: AbortSignal },
): Promise<void> {
  const http = deps.notificationHttp.forConnection({
    connectionId: channelUuid,
    organization,
    requestsPerMinute: REQUESTS_PER_MINUTE,
    signal,
  });
  const api = { http, apiUrl: deps.operator.SLACK_API_URL, token: botToken };
  const { team_id: teamId } = Authenticated.parse(await callSlack(api, 'auth.test'));
  const { url } = Opened.parse(await callSlack({ ...api, token: appToken }, 'apps.connections.open'));
  const ending = new AbortController();
  let place: SlackPlace | null = null;
  const answers = new Set<Promise<void>>();
  await runWebSocket(deps.egress.of(organization), {
    url,
    signal: AbortSignal.any([signal, ending.signal]),
    silenceMs: SILENCE_MS,
    maxBytes: MAX_BYTES,
    onMessage(text, send) {
      const frame = readFrame(text);
      if (frame === null) return;
      if (frame.type === 'hello') {
        const appId = frame.connection_info.app_id;
        if (isAllowed(deps, teamId, appId)) place = { organizationUuid, channelUuids, api, appId, teamId };
        else
          deps.log.warn({ channel_id: channelUuid, team: teamId, app: appId }, 'SLACK_APPS does not contain the app: clicks are ignored');
        return;
      }
      if (frame.type === 'disconnect') ending.abort();
      else if (frame.type !== 'interactive' || place === null || known.has(frame.envelope_id)) acknowledge(send, frame.envelope_id);
      else {
        known.set(frame.envelope_id, true);
        const answered = answer(deps, place, frame.payload, (reply) => acknowledge(send, frame.envelope_id, reply));
        answers.add(answered);
        void answered.finally(() => answers.delete(answered));
      }
    },
  });
  await Promise.all(answers);
}

function isAllowed({ allowedApps }: SlackSocketDeps, teamId: string, appId: string): boolean {
  return allowedApps.length === 0 || allowedApps.includes(`${teamId}/${appId}`);
}

function readFrame(text: string): z.infer<typeof Frame> | null {
  try {
    return Frame.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function acknowledge(send: (text: string) => void, envelopeId: string, payload: object | null = null): void {
  send(JSON.stringify({ envelope_id: envelopeId, ...(payload === null ? {} : { payload }) }));
}

/** Slack waits for three seconds. Only the reply to a form belongs into the acknowledgement. */
const ACKNOWLEDGE_AFTER_MS = 2_000;

async function answer(deps: SlackSocketDeps, place: SlackPlace, payload: unknown, send: (reply: object | null) => void): Promise<void> {
  let isSent = false;
  const sendOnce = (reply: object | null) => {
    if (!isSent) send(reply);
    isSent = true;
  };
  const timer = setTimeout(() => sendOnce(null), ACKNOWLEDGE_AFTER_MS);
  try {
    sendOnce(await handlePayload(deps, place, payload));
  } catch (error) {
    deps.log.warn({ team: place.teamId, reason: explain(error) }, 'a click in Slack failed');
    sendOnce(null);
  } finally {
    clearTimeout(timer);
  }
}

/** Only messages of our own: another error could contain a secret. */
function explain(error: unknown): string {
  return error instanceof DeliveryFailure || error instanceof SkillError ? error.message : 'The service could not handle the reply.';
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
