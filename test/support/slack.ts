import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Authority, startStandIn } from '../../connectors/kit/stand-in/stand-in.js';
import { waitFor } from './wait-for.js';

const TEAM = 'T0HARBOUR';
const APP = 'A0INVEST';
const CHANNELS: Readonly<Record<string, string>> = { '#soc': 'C0SOC', '#oncall': 'C0ONCALL' };

interface Posted {
  readonly channel: string;
  readonly ts: string;
  text: string;
  blocks: readonly Block[];
}

interface Block {
  readonly type: string;
  readonly fields?: readonly { readonly text: string }[];
  readonly elements?: readonly { readonly action_id: string; readonly value?: string }[];
}

type Body = Record<string, never> & { readonly channel: string; readonly ts: string; readonly text: string; readonly blocks: Block[] };

export type SlackStandIn = Awaited<ReturnType<typeof startSlack>>;

/** Slack's Web API and Socket Mode, with the replies and payloads of its documentation. */
export async function startSlack(authority: Authority) {
  const tokens = { bot_token: `xoxb-${randomUUID()}`, app_token: `xapp-${randomUUID()}` };
  const state = {
    messages: [] as Posted[],
    ephemeral: [] as { readonly user: string; readonly text: string; readonly blocks: readonly Block[] }[],
    views: [] as { readonly trigger_id: string }[],
    sockets: [] as WebSocket[],
    /** The acknowledgements by envelope. */
    acknowledged: new Map<string, unknown>(),
  };
  const define = (app: FastifyInstance) => {
    const method = (name: string, token: string, perform: (body: Body, host: string) => object) =>
      app.post<{ Body: Body }>(`/api/${name}`, async ({ headers, body }) =>
        headers.authorization === `Bearer ${token}`
          ? { ok: true, ...perform(body, headers.host ?? '') }
          : { ok: false, error: 'invalid_auth' },
      );
    method('auth.test', tokens.bot_token, () => ({ team: 'Harbour', team_id: TEAM, user_id: 'U0BOT', bot_id: 'B0BOT' }));
    method('apps.connections.open', tokens.app_token, (_body, host) => ({ url: `wss://${host}/link/?ticket=${randomUUID()}` }));
    method('chat.postMessage', tokens.bot_token, ({ channel, text, blocks = [] }) => {
      const message = { channel: CHANNELS[channel] ?? channel, ts: `1700.${state.messages.length}`, text, blocks };
      state.messages.push(message);
      return { channel: message.channel, ts: message.ts, message };
    });
    method('chat.update', tokens.bot_token, ({ ts, text, blocks }) => {
      const found = state.messages.find((message) => message.ts === ts);
      if (!found) return { ok: false, error: 'message_not_found' };
      Object.assign(found, { text, blocks });
      return { channel: found.channel, ts };
    });
    method('chat.postEphemeral', tokens.bot_token, (body) => {
      state.ephemeral.push({ user: body['user'] ?? '', text: body.text, blocks: body.blocks });
      return { message_ts: '1700.9' };
    });
    method('views.open', tokens.bot_token, (body) => {
      state.views.push({ trigger_id: body['trigger_id'] ?? '' });
      return { view: { id: 'V0', ...(body['view'] ?? {}) } };
    });
    const server = new WebSocketServer({ noServer: true });
    app.server.on('upgrade', (request, socket, head) => {
      server.handleUpgrade(request, socket, head, (opened) => {
        state.sockets.push(opened);
        opened.on('message', (data) => {
          const { envelope_id: id, payload = null } = JSON.parse(String(data));
          state.acknowledged.set(id, payload);
        });
        opened.on('close', () => state.sockets.splice(state.sockets.indexOf(opened), 1));
        opened.send(
          JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: APP }, debug_info: { host: 'applink-1' } }),
        );
      });
    });
    app.addHook('onClose', async () => {
      for (const open of server.clients) open.terminate();
    });
    return state;
  };
  const standIn = await startStandIn({ authority, define });

  /** Sends an envelope, and returns the reply in its acknowledgement. */
  async function deliver(payload: object, envelopeId: string = randomUUID()): Promise<unknown> {
    state.acknowledged.delete(envelopeId);
    const socket = await waitFor('a Socket Mode connection', async () => state.sockets[0] ?? null);
    socket.send(JSON.stringify({ envelope_id: envelopeId, type: 'interactive', accepts_response_payload: true, payload }));
    await waitFor('the acknowledgement', async () => state.acknowledged.has(envelopeId));
    return state.acknowledged.get(envelopeId);
  }

  const origin = (user: string) => ({
    api_app_id: APP,
    token: 'verification-token-of-the-app',
    team: { id: TEAM, domain: 'harbour' },
    enterprise: null,
    is_enterprise_install: false,
    user: { id: user, username: user.toLowerCase(), name: user.toLowerCase(), team_id: TEAM },
    trigger_id: `13345224609.738474920.${randomUUID()}`,
  });

  /** The payload of a click on a button of a message. */
  const toClick = (user: string, { channel, ts }: Pick<Posted, 'channel' | 'ts'>, action: { action_id: string; value?: string }) => ({
    ...origin(user),
    type: 'block_actions',
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    channel: { id: channel, name: 'soc' },
    state: { values: {} },
    response_url: 'https://hooks.slack.invalid/actions/T0/1/x',
    actions: [{ block_id: 'x', type: 'button', text: { type: 'plain_text', text: 'x' }, action_ts: '1700.5', ...action }],
  });

  return {
    ...standIn,
    tokens,
    state,
    apiUrl: `${standIn.url}/api`,
    app: `${TEAM}/${APP}`,
    settings: (channel: '#soc' | '#oncall') => ({ channel }),
    deliver,
    toClick,
    click: (...given: Parameters<typeof toClick>) => deliver(toClick(...given)),
    /** Submits the form that asks for a code. */
    submitCode: (user: string, code: string) =>
      deliver({
        ...origin(user),
        type: 'view_submission',
        view: {
          id: 'V0',
          type: 'modal',
          callback_id: 'link-account',
          state: { values: { code: { code: { type: 'plain_text_input', value: code } } } },
        },
      }),
    /** The last reply that only this user sees. */
    lastReplyTo: (user: string) => state.ephemeral.findLast((reply) => reply.user === user)?.text ?? expect.fail(`no reply to ${user}`),
  };
}

export function listFacts({ blocks }: Posted): string[] {
  return blocks.flatMap(({ fields = [] }) => fields.map(({ text }) => text));
}

export function listButtons({ blocks }: Pick<Posted, 'blocks'>) {
  return blocks.flatMap(({ elements = [] }) => elements);
}
