import { Webhook } from 'standardwebhooks';
import { describeEvent, type NotificationEvent } from '../../domain/notification/event.js';
import { type Deliver, requireAccepted } from '../kit/deliver.js';
import type { webhook } from './contract.js';

/** A receiver sends a short reply, which is not read. */
const MAX_REPLY_BYTES = 64 * 1024;

/**
 * CloudEvents 1.0 in structured mode, signed by Standard Webhooks.
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const deliverWebhook: Deliver<typeof webhook> = async ({ settings: { url }, signingSecrets, event, message, http }) => {
  const body = toCloudEvent(event, message.link);
  const at = new Date();
  const payload = JSON.stringify(body);
  const signatures = signingSecrets.map((secret) => new Webhook(secret).sign(event.id, at, payload));
  const reply = await http.request({
    method: 'POST',
    url,
    json: body,
    maxBytes: MAX_REPLY_BYTES,
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
  });
  requireAccepted(reply);
  return null;
};

function toCloudEvent(event: NotificationEvent, link: string) {
  return {
    specversion: '1.0',
    id: event.id,
    source: `/organizations/${event.organization}`,
    type: event.name,
    subject: link,
    time: new Date(event.at * 1000).toISOString(),
    datacontenttype: 'application/json',
    // The extension for sequences: the text has the order of the numbers.
    sequence: String(event.sequence).padStart(10, '0'),
    data: { title: describeEvent(event).title, link, organization_code: event.organization, ...event.data },
  };
}
