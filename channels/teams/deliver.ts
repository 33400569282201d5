import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { HttpReply, HttpRequest } from '../../connectors/kit/implement.js';
import { requestWithToken, type TokenSource } from '../../connectors/kit/oauth.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { type Attempt, type Deliver, DeliveryFailure, type Message, requireAccepted } from '../kit/deliver.js';
import type { teams } from './contract.js';

/** The thread of a message in the channel, and the message. */
const Place = z.object({ conversation: z.string().max(500), activity: z.string().max(200) });
const Started = z.object({ id: z.string().min(1).max(500), activityId: z.string().min(1).max(200) });
/** The scope of the Bot Framework in the public cloud. */
const SCOPE = 'https://api.botframework.com/.default';

/**
 * Starts a thread in the channel, or updates the message with the same correlation key.
 * https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference
 */
export const deliverTeams: Deliver<typeof teams> = async (attempt) => {
  const { message, sentPlace } = attempt;
  const { service_url: serviceUrl, channel_id: channelId, tenant_id: tenantId } = attempt.settings;
  const conversations = `${serviceUrl.replace(/\/+$/, '')}/v3/conversations`;
  const activity = { type: 'message', summary: message.title, attachments: [toAttachment(message)] };
  const sent = Place.safeParse(sentPlace);
  if (sent.success) {
    const { conversation, activity: id } = sent.data;
    const url = `${conversations}/${encodeURIComponent(conversation)}/activities/${encodeURIComponent(id)}`;
    const reply = await request(attempt, { method: 'PUT', url, json: { ...activity, id } });
    // A deleted message is sent again.
    if (reply.status !== 404) {
      requireAccepted(reply);
      return null;
    }
  }
  const start = { isGroup: true, tenantId, channelData: { channel: { id: channelId }, tenant: { id: tenantId } }, activity };
  const reply = await request(attempt, { method: 'POST', url: conversations, json: start });
  requireAccepted(reply);
  const started = Started.safeParse(reply.json());
  if (!started.success) throw new DeliveryFailure('Teams sent an unknown reply.');
  return { conversation: started.data.id, activity: started.data.activityId };
};

async function request({ settings, secrets, http }: Attempt<typeof teams>, given: HttpRequest): Promise<HttpReply> {
  const { tenant_id: tenantId, app_id: appId, login_url: loginUrl } = settings;
  const { app_password: secret } = secrets;
  const source: TokenSource = {
    url: `${loginUrl.replace(/\/+$/, '')}/${tenantId}/oauth2/v2.0/token`,
    form: { grant_type: 'client_credentials', client_id: appId, client_secret: secret, scope: SCOPE },
    refusal: ({ status }) =>
      new ThirdPartyError('CredentialsRejected', `The sign-in of the bot was refused (HTTP ${status}). Check its secret.`),
  };
  // Tokens are shared by the channels of one bot. Another secret is another entry.
  const id = `teams ${appId} ${createHash('sha256').update(secret).digest('hex')}`;
  return requestWithToken({ connection: { id, generation: 0, settings, credentials: {} }, http }, source, given);
}

/** Text runs are shown as they are: a text block would format Markdown in hostile names. */
function toAttachment({ title, link, items, decision }: Message): object {
  const toBlock = (text: string, weight: 'bolder' | 'default') => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, weight }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      toBlock(title, 'bolder'),
      ...(decision?.facts ?? []).map(({ label, value }) => toBlock(`${label}: ${value}`, 'default')),
      ...items.map((item) => toBlock(`${item.title} ${item.link}`, 'default')),
    ],
    actions: [{ type: 'Action.OpenUrl', title: decision?.isWaiting ? 'Review' : 'Open', url: link }],
  };
  return { contentType: 'application/vnd.microsoft.card.adaptive', content };
}
