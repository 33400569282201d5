import { z } from 'zod';
import type { DecisionDetails, Deliver, Message } from '../kit/deliver.js';
import { callSlack, escapeText, plainText, type SlackApi, SlackRefusal, toButtonId } from './api.js';
import type { slack } from './contract.js';

/** The place of a sent message. An update needs the id of the Slack channel, not its name. */
const Place = z.object({ channel: z.string().max(50), ts: z.string().max(50) });

/**
 * Sends a message, or updates the one with the same correlation key.
 * https://docs.slack.dev/reference/methods/chat.postMessage
 * https://docs.slack.dev/reference/methods/chat.update
 */
export const deliverSlack: Deliver<typeof slack> = async ({
  settings: { api_url: apiUrl, channel },
  secrets,
  message,
  http,
  sentPlace,
}) => {
  const sent = Place.safeParse(sentPlace);
  const api = { http, apiUrl, token: secrets.bot_token };
  const blocks = message.decision === null ? [] : toBlocks(message, message.decision, secrets.app_token !== undefined);
  const text = [message, ...message.items].map(({ title, link }) => `${escapeText(title)}\n<${link}|Open>`).join('\n');
  const content = { text, unfurl_links: false, unfurl_media: false };
  // Without the field, an update would keep the blocks of the message.
  if (sent.success && (await update(api, { ...sent.data, ...content, blocks }))) return null;
  const reply = await callSlack(api, 'chat.postMessage', { channel, ...content, ...(blocks.length === 0 ? {} : { blocks }) });
  return Place.safeParse(reply).data ?? null;
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
