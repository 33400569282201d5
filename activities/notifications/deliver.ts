import { Context } from '@temporalio/activity';
import { requireContract } from '../../channels/catalogue.js';
import { implementations } from '../../channels/implementations.js';
import { findForeignSettings, fixedSettings, type OperatorSettings } from '../../channels/kit/define.js';
import { type Deliver, DeliveryFailure, type Message } from '../../channels/kit/deliver.js';
import type { Egress } from '../../connectors/kit/egress.js';
import type { HttpClient } from '../../connectors/kit/http.js';
import type { Topic } from '../../db/changes.js';
import type { Db, PgClient } from '../../db/client.js';
import { type DueDelivery, readNextDue } from '../../db/notifications/deliveries.js';
import { findMessage, keepMessage } from '../../db/notifications/messages.js';
import { SkillError } from '../../domain/connection/skill-errors.js';
import type { DeliveryBackoff, NotificationActivities } from '../../domain/notification/delivery.js';
import { describeEvent, findCorrelationKey, type NotificationEvent, parseEvent } from '../../domain/notification/event.js';
import { PAGES } from '../../domain/pages.js';
import { toLine } from '../../domain/text.js';
import type { Keyring } from '../../platform/keyring.js';
import type { Logger } from '../../platform/log.js';
import { claimDelivery } from '../../services/notifications/claim-delivery.js';
import { endDelivery } from '../../services/notifications/end-delivery.js';
import { openSecret, PREVIOUS_SIGNING_SECRET, SIGNING_SECRET } from '../../services/notifications/seal-secrets.js';
import { readDecisionDetails } from './decision-details.js';

export interface NotificationDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly keyring: Keyring;
  readonly egress: Egress;
  readonly log: Logger;
  /** Its own client: the requests of channels do not count for the limits of connections. */
  readonly notificationHttp: HttpClient;
  /** The address of the dashboard in links. */
  readonly publicUrl: string;
  readonly operator: OperatorSettings;
  readonly deliveryBackoff?: DeliveryBackoff;
}

export const NOTIFICATION_ACTIVITY_TOPICS = {
  deliverNotifications: ['settings'],
} as const satisfies Record<keyof NotificationActivities, readonly Topic[]>;

const senders: Readonly<Record<string, Deliver | undefined>> = implementations;

/** Requests in flight for each channel. */
const LANES = 8;
/** One pass of the workflow. */
const PASS_MS = 120_000;
const REQUESTS_PER_MINUTE = 60_000;
/** A digest counts the others. */
const MAX_LISTED_EVENTS = 50;

export function createNotificationActivities(deps: NotificationDeps): NotificationActivities {
  return {
    async deliverNotifications({ channelId }) {
      const endsAtMs = Date.now() + PASS_MS;
      const signal = Context.current().cancellationSignal;
      const lane = async () => {
        while (!signal.aborted && Date.now() < endsAtMs) {
          const due = await claimDelivery(deps.pg, channelId);
          if (due === null) return;
          await deliver(deps, due, signal);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      return { nextInMs: await readNextDue(deps.pg, channelId) };
    },
  };
}

async function deliver(deps: NotificationDeps, due: DueDelivery, signal: AbortSignal): Promise<void> {
  const { pg, log, deliveryBackoff } = deps;
  const { deliveryUuid, channelUuid, attempts } = due;
  try {
    await send(deps, due, signal);
  } catch (error) {
    // A stopping worker leaves the delivery to the next one.
    if (signal.aborted) return;
    const reason = explain(error);
    log.warn({ delivery_id: deliveryUuid, channel_id: channelUuid, attempt: attempts + 1, reason }, 'a notification failed');
    const pauseSeconds = error instanceof DeliveryFailure ? error.pauseSeconds : null;
    return endDelivery(pg, due, { reason, pauseSeconds }, deliveryBackoff);
  }
  await endDelivery(pg, due, null);
}

async function send(deps: NotificationDeps, due: DueDelivery, signal: AbortSignal): Promise<void> {
  const { pg, keyring, egress, notificationHttp, publicUrl, operator } = deps;
  const { organizationUuid, channelUuid, kind } = due;
  const contract = requireContract(kind);
  const event = parseEvent(due.event);
  const isDigest = due.others.length > 0;
  const [foreign] = findForeignSettings(contract, due.settings, operator);
  if (foreign) throw new DeliveryFailure(`${foreign.message} Then enter the settings and secrets of the channel again.`);
  const settings = contract.settings.parse({ ...due.settings, ...fixedSettings(contract, operator) });
  const decision = settings['details'] === true && !isDigest ? await readDecisionDetails(deps.db, organizationUuid, event) : null;
  const { [SIGNING_SECRET]: current, [PREVIOUS_SIGNING_SECRET]: previous, ...secrets } = openSecrets(keyring, due);
  const key = contract.updatesMessages && !isDigest ? findCorrelationKey(event) : null;
  const sender = senders[kind];
  if (!sender) throw new Error(`The channel ${kind} has no implementation.`);
  const place = await sender({
    settings,
    secrets: contract.secrets.parse(secrets),
    signingSecrets: [current, previous].filter((secret) => secret !== undefined),
    event,
    message: { ...writeMessage([event, ...due.others.map((other) => parseEvent(other.event))], publicUrl), decision },
    http: notificationHttp.forConnection({
      connectionId: channelUuid,
      organization: event.organization,
      requestsPerMinute: REQUESTS_PER_MINUTE,
      signal,
    }),
    egress: egress.of(event.organization),
    sentPlace: key === null ? null : await findMessage(pg, channelUuid, key),
    signal,
  });
  if (place && key !== null) await keepMessage(pg, channelUuid, key, place);
}

function openSecrets(keyring: Keyring, due: DueDelivery): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(due.secrets.map((secret) => [secret.field, openSecret(keyring, due, secret)]));
}

/** Several events are one message with their headlines. */
function writeMessage(events: readonly NotificationEvent[], publicUrl: string): Omit<Message, 'decision'> {
  const items = events.map((event) => {
    const { title, path } = describeEvent(event);
    return { title: toLine(title), link: `${publicUrl}${path}` };
  });
  const [first] = items;
  if (first && items.length === 1) return { ...first, items: [] };
  const more = items.length - MAX_LISTED_EVENTS;
  return {
    title: toLine(`${items.length} ${events[0]?.organization} events`),
    link: `${publicUrl}${PAGES.overview}`,
    items: more > 0 ? [...items.slice(0, MAX_LISTED_EVENTS), { title: `And ${more} more`, link: `${publicUrl}${PAGES.cases}` }] : items,
  };
}

/** Only messages of our own: another error could contain a secret. */
function explain(error: unknown): string {
  return error instanceof DeliveryFailure || error instanceof SkillError ? error.message : 'The service could not send the message.';
}
