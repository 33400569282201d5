import { z } from 'zod';
import { CHANNELS } from '../../domain/notification/channel.js';
import { DeliveryFailure, requireAccepted, type Send } from './channel.js';

const Reply = z.object({
  ok: z.boolean(),
  ts: z.string().max(50).optional(),
  channel: z.string().max(50).optional(),
  error: z.string().optional(),
});
/** The place of a sent message. An update needs the id of the Slack channel, not its name. */
const Reference = z.object({ channel: z.string(), ts: z.string() });

/**
 * Sends a message, or updates the one about the same matter.
 * https://docs.slack.dev/reference/methods/chat.postMessage
 * https://docs.slack.dev/reference/methods/chat.update
 */
export const sendSlack: Send = async ({ channel, message, http, sentMessage }) => {
  const { api_url: url, channel: name } = CHANNELS.slack.settings.parse(channel.settings);
  const sent = Reference.safeParse(await sentMessage.find());
  const reply = await http.request({
    method: 'POST',
    url: `${url.replace(/\/+$/, '')}/${sent.success ? 'chat.update' : 'chat.postMessage'}`,
    headers: { authorization: `Bearer ${channel.secrets.get('bot_token') ?? ''}` },
    json: {
      ...(sent.success ? sent.data : { channel: name }),
      text: [message, ...message.items].map(({ title, link }) => `${escapeText(title)}\n<${link}|Open>`).join('\n'),
      unfurl_links: false,
      unfurl_media: false,
    },
  });
  requireAccepted(reply);
  const parsed = Reply.safeParse(reply.json());
  if (!parsed.success) throw new DeliveryFailure('Slack sent an unknown reply.');
  const { ok, error = '', ts, channel: id } = parsed.data;
  if (!ok) throw new DeliveryFailure(`Slack answered: ${/^[a-z_]{1,50}$/.test(error) ? error : 'unknown error'}.`);
  if (ts !== undefined && id !== undefined) await sentMessage.keep({ channel: id, ts });
};

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
