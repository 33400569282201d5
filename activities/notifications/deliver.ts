import { Context } from '@temporalio/activity';
import type { HttpClient } from '../../connectors/kit/http.js';
import type { Topic } from '../../db/changes.js';
import type { Db, PgClient } from '../../db/client.js';
import {
  blockChannel,
  claimDelivery,
  type DueDelivery,
  promoteFirst,
  readNextDue,
  recordAttempt,
} from '../../db/notifications/deliveries.js';
import { findMessage, keepMessage } from '../../db/notifications/messages.js';
import { SkillError } from '../../domain/connection/skill-errors.js';
import { CHANNELS, type ChannelKind } from '../../domain/notification/channel.js';
import { DELIVERY_BACKOFF, type DeliveryBackoff, type NotificationActivities } from '../../domain/notification/delivery.js';
import { describeEvent, findMatter, type NotificationEvent, parseEvent } from '../../domain/notification/event.js';
import { PAGES } from '../../domain/pages.js';
import { backoffMs } from '../../platform/backoff.js';
import type { Keyring } from '../../platform/keyring.js';
import type { Logger } from '../../platform/log.js';
import { type Attempt, DeliveryFailure, type Message, type Send } from './channel.js';
import { readDecisionDetails } from './decision-details.js';
import { sendEmail } from './email.js';
import { sendPagerDuty } from './pagerduty.js';
import { sendSlack } from './slack.js';
import { sendTeams } from './teams.js';
import { sendWebhook } from './webhook.js';

export interface NotificationDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly keyring: Keyring;
  readonly egress: Attempt['egress'];
  readonly log: Logger;
  /** Its own client: the requests of channels do not count for the limits of connections. */
  readonly notificationHttp: HttpClient;
  /** The address of the dashboard in links. */
  readonly publicUrl: string;
  readonly deliveryBackoff?: DeliveryBackoff;
}

export const NOTIFICATION_ACTIVITY_TOPICS = {
  deliverNotifications: ['settings'],
} as const satisfies Record<keyof NotificationActivities, readonly Topic[]>;

const SENDERS: Readonly<Record<ChannelKind, Send>> = {
  webhook: sendWebhook,
  email: sendEmail,
  slack: sendSlack,
  teams: sendTeams,
  pagerduty: sendPagerDuty,
};

/** Requests in flight for each channel. */
const LANES = 8;
/** Longer than an attempt can take. */
const LEASE_SECONDS = 30;
/** One pass of the workflow. */
const PASS_MS = 120_000;
const REQUESTS_PER_MINUTE = 60_000;
/** A digest counts the others. */
const LISTED_EVENTS = 50;

export function createNotificationActivities(deps: NotificationDeps): NotificationActivities {
  return {
    async deliverNotifications({ channelId }) {
      const endsAtMs = Date.now() + PASS_MS;
      const signal = Context.current().cancellationSignal;
      const lane = async () => {
        while (!signal.aborted && Date.now() < endsAtMs) {
          const due = await claim(deps.pg, channelId);
          if (due === null) return;
          await deliver(deps, due, signal);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      return { nextInMs: await readNextDue(deps.pg, channelId) };
    },
  };
}

async function claim(pg: PgClient, channelId: string): Promise<DueDelivery | null> {
  const due = await claimDelivery(pg, channelId, LEASE_SECONDS);
  if (due !== null || !(await promoteFirst(pg, channelId))) return due;
  return claimDelivery(pg, channelId, LEASE_SECONDS);
}

async function deliver(deps: NotificationDeps, due: DueDelivery, signal: AbortSignal): Promise<void> {
  const { pg, log } = deps;
  const { deliveryUuid, channelUuid, attempts } = due;
  try {
    await send(deps, due, signal);
  } catch (error) {
    // A stopping worker leaves the delivery to the next one.
    if (signal.aborted) return;
    const message = explain(error);
    log.warn({ delivery_id: deliveryUuid, channel_id: channelUuid, attempt: attempts + 1, reason: message }, 'a notification failed');
    if (error instanceof DeliveryFailure && error.pauseSeconds !== null) await blockChannel(pg, channelUuid, error.pauseSeconds);
    // Jitter, so that the retries of an outage do not arrive together.
    const retryInMs = Math.ceil(backoffMs(attempts, deps.deliveryBackoff ?? DELIVERY_BACKOFF) * (0.75 + Math.random() / 4));
    await recordAttempt(pg, due, { ok: false, error: message, retryInMs });
    return;
  }
  await recordAttempt(pg, due, { ok: true });
}

async function send(deps: NotificationDeps, due: DueDelivery, signal: AbortSignal): Promise<void> {
  const { pg, keyring, egress, notificationHttp, publicUrl } = deps;
  const { organizationUuid, channelUuid, settings } = due;
  const event = parseEvent(due.event);
  const wantsDetails = 'details' in CHANNELS[due.kind].settings.shape && settings['details'] !== false && due.others.length === 0;
  const decision = wantsDetails ? await readDecisionDetails(deps.db, organizationUuid, event) : null;
  const opened = due.secrets.map(({ field, ...sealed }) => {
    return [field, keyring.open(sealed, { organizationUuid, connectionUuid: channelUuid, field })] as const;
  });
  const matter = due.others.length > 0 ? null : findMatter(event);
  await SENDERS[due.kind]({
    channel: { settings, secrets: new Map(opened) },
    event,
    message: { ...writeMessage([event, ...due.others.map((other) => parseEvent(other.event))], publicUrl), decision },
    http: notificationHttp.forConnection({ connectionId: channelUuid, requestsPerMinute: REQUESTS_PER_MINUTE, signal }),
    egress,
    sentMessage: {
      find: async () => (matter === null ? null : findMessage(pg, channelUuid, matter)),
      keep: async (reference) => {
        if (matter !== null) await keepMessage(pg, channelUuid, matter, reference);
      },
    },
    signal,
  });
}

/** Several events are one message with their headlines. */
function writeMessage(events: readonly NotificationEvent[], publicUrl: string): Omit<Message, 'decision'> {
  const items = events.map((event) => {
    const { title, path } = describeEvent(event);
    return { title, link: `${publicUrl}${path}` };
  });
  const [first] = items;
  if (first && items.length === 1) return { ...first, items: [] };
  const more = items.length - LISTED_EVENTS;
  return {
    title: `${items.length} events of ${events[0]?.organization}`,
    link: `${publicUrl}${PAGES.overview}`,
    items: more > 0 ? [...items.slice(0, LISTED_EVENTS), { title: `And ${more} more`, link: `${publicUrl}${PAGES.cases}` }] : items,
  };
}

/** Only messages of our own: another error could contain a secret. */
function explain(error: unknown): string {
  return error instanceof DeliveryFailure || error instanceof SkillError ? error.message : 'The service could not send the message.';
}
