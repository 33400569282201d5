import { z } from 'zod';
import { CHANNELS } from '../../domain/notification/channel.js';
import type { DecisionDetails, Message, Send } from './channel.js';
import { callSlack, escapeText, plainText, type SlackApi, SlackRefusal, toButtonId } from './slack-api.js';

/** The place of a sent message. An update needs the id of the Slack channel, not its name. */
const Reference = z.object({ channel: z.string().max(50), ts: z.string().max(50) });

/**
 * Sends a message, or updates the one about the same matter.
 * https://docs.slack.dev/reference/methods/chat.postMessage
 * https://docs.slack.dev/reference/methods/chat.update
 */
export const sendSlack: Send = async ({ channel, message, http, sentMessage }) => {
  const { api_url: apiUrl, channel: name } = CHANNELS.slack.settings.parse(channel.settings);
  const sent = Reference.safeParse(await sentMessage.find());
  const api = { http, apiUrl, token: channel.secrets.get('bot_token') ?? '' };
  const blocks = message.decision === null ? [] : toBlocks(message, message.decision, channel.secrets.has('app_token'));
  const text = [message, ...message.items].map(({ title, link }) => `${escapeText(title)}\n<${link}|Open>`).join('\n');
  const content = { text, unfurl_links: false, unfurl_media: false };
  // Without the field, an update would keep the blocks of the message.
  if (sent.success && (await update(api, { ...sent.data, ...content, blocks }))) return;
  const reply = await callSlack(api, 'chat.postMessage', { channel: name, ...content, ...(blocks.length === 0 ? {} : { blocks }) });
  const place = Reference.safeParse(reply);
  if (place.success) await sentMessage.keep(place.data);
};

/** False if the message was deleted: it is sent again. */
async function update(api: SlackApi, message: object): Promise<boolean> {
  try {
    await callSlack(api, 'chat.update', message);
    return true;
  } catch (error) {
    if (error instanceof SlackRefusal && error.code === 'message_not_found') return false;
    throw error;
  }
}

/** https://docs.slack.dev/reference/block-kit */
function toBlocks({ title, link }: Message, decision: DecisionDetails, hasButtons: boolean): object[] {
  return [
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: `*${escapeText(title)}*\n<${link}|${decision.kind === 'run' ? 'Open the run' : 'Open the case'}>`,
        verbatim: true,
      },
    },
    { type: 'section', fields: decision.facts.map(({ label, value }) => plainText(`${label}: ${value}`)) },
    ...(decision.isWaiting && hasButtons ? [{ type: 'actions', elements: [approveButton(decision), refuseButton(decision)] }] : []),
  ];
}

function approveButton({ kind, id }: DecisionDetails): object {
  const confirm = toConfirm('Approve this action?', 'The service sends it after the last required approval.', 'Approve');
  return { type: 'button', style: 'danger', action_id: toButtonId('approve', kind), value: id, text: plainText('Approve'), confirm };
}

function refuseButton({ kind, id }: DecisionDetails): object {
  const consequence = kind === 'run' ? '.' : ' and does not propose it again for this alert.';
  const confirm = toConfirm('Refuse this action?', `The service does not send it${consequence}`, 'Refuse');
  return { type: 'button', action_id: toButtonId('refuse', kind), value: id, text: plainText('Refuse'), confirm };
}

function toConfirm(title: string, text: string, action: string): object {
  return { title: plainText(title), text: plainText(text), confirm: plainText(action), deny: plainText('Cancel') };
}
