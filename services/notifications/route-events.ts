import { findContract } from '../../channels/catalogue.js';
import type { Transaction } from '../../db/client.js';
import { newUuid } from '../../db/ids.js';
import { insertEntries, listMembers } from '../../db/notifications/inbox.js';
import {
  bringForward,
  type EventRow,
  insertDeliveries,
  listUnroutedEvents,
  markRouted,
  type NewDelivery,
  tryLockRouter,
} from '../../db/notifications/routing.js';
import { type ActiveRule, listActiveRules } from '../../db/notifications/rules.js';
import { DELIVER_FOR_SECONDS } from '../../domain/notification/delivery.js';
import { isForInbox, listNamed, MAX_INBOXES } from '../../domain/notification/inbox.js';
import { matchesRule, withDecisions } from '../../domain/notification/rule.js';
import { scheduleEvent } from '../../domain/notification/schedule.js';
import { inTransaction, type ServiceContext } from '../context.js';

/**
 * Compares the oldest events with the rules and adds their deliveries and inbox entries. One process at a time does this, so that the
 * deliveries of a subject are added in the order of its events. Wakes the channels, and returns the users that get something.
 */
export function routeEvents(context: ServiceContext, limit: number): Promise<{ routed: number; users: string[] }> {
  return inTransaction(context, async ({ db, now: readNow, runner, afterCommit }) => {
    const events = (await tryLockRouter(db)) ? await listUnroutedEvents(db, limit) : [];
    if (events.length === 0) return { routed: 0, users: [] };
    const now = readNow();
    const eventNos = events.map(({ eventNo }) => eventNo);
    const organizationUuids = [...new Set(events.map(({ organizationUuid }) => organizationUuid))];
    const rules = (await listActiveRules(db, organizationUuids)).map(addDecisions);
    const deliveries = events.flatMap((event) => planDeliveries(event, rules, now));
    await insertDeliveries(db, deliveries, { now, forSeconds: DELIVER_FOR_SECONDS });
    if (deliveries.length > 0) await bringForward(db, eventNos);
    const users = await addToInboxes(db, events, organizationUuids);
    await markRouted(db, eventNos, now);
    afterCommit(() => runner.wakeChannels([...new Set(deliveries.map(({ channelUuid }) => channelUuid))]));
    return { routed: events.length, users };
  });
}

function addDecisions(rule: ActiveRule): ActiveRule {
  return findContract(rule.kind)?.bringsDecisions ? { ...rule, events: withDecisions(rule.events) } : rule;
}

/** One delivery for each channel: of several rules, the one that sends first counts. */
function planDeliveries(event: EventRow, rules: readonly ActiveRule[], now: number): NewDelivery[] {
  const { organizationUuid, eventNo, subjectUuid } = event;
  const planned = rules
    .filter((rule) => rule.organizationUuid === organizationUuid && matchesRule(rule, event))
    .map((rule) => ({ rule, ...scheduleEvent(rule, event, now) }))
    .sort((one, other) => one.sendAt - other.sendAt || Number(one.isDigest) - Number(other.isDigest));
  const channels = new Set(planned.map(({ rule }) => rule.channelUuid));
  return [...channels].flatMap((channelUuid) => {
    const first = planned.find(({ rule }) => rule.channelUuid === channelUuid);
    if (!first) return [];
    const { rule, isDigest, sendAt } = first;
    const subject = isDigest ? rule.ruleUuid : subjectUuid;
    return [{ organizationUuid, eventNo, channelUuid, subjectUuid: subject, isDigest, notBefore: sendAt > now ? sendAt : null }];
  });
}

/** Adds the events to the inboxes of the users who want them. Returns the users. */
async function addToInboxes(db: Transaction, events: readonly EventRow[], organizationUuids: readonly string[]): Promise<string[]> {
  const named = events.flatMap((event) => listNamed(event).map((name) => ({ organization: event.organizationUuid, name })));
  const members = await listMembers(db, organizationUuids, named, MAX_INBOXES);
  const entries = events.flatMap((event) => {
    const recipients = members.filter((member) => member.organizationUuid === event.organizationUuid && isForInbox(member, event));
    const names = new Set(listNamed(event));
    const namedFirst = [...recipients.filter(({ name }) => names.has(name)), ...recipients.filter(({ name }) => !names.has(name))];
    return namedFirst.slice(0, MAX_INBOXES).map(({ userUuid, organizationUuid }) => {
      return { entryUuid: newUuid(), userUuid, organizationUuid, eventNo: event.eventNo };
    });
  });
  if (entries.length > 0) await insertEntries(db, entries);
  return [...new Set(entries.map(({ userUuid }) => userUuid))];
}
