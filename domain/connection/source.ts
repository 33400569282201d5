import { z } from 'zod';
import { ALERT_TYPE_MAX_LENGTH } from '../alert/alert.js';
import { clip } from '../text.js';
import { truncateJson } from '../truncate-json.js';

/** Something a third party reports, in the form in which it is taken. */
export interface SourceItem {
  /** The third party's own: what keeps it from being taken twice. */
  readonly sourceId: string;
  /** Changes when the third party changes it. */
  readonly revision: string;
  /** Epoch seconds by the third party's clock; null where it tells none. */
  readonly at: number | null;
  /** null: nothing to investigate by itself, only news of what may have been taken before. */
  readonly alert: { readonly type: string; readonly content: string; readonly createdAtSource: number | null } | null;
  /** What the case is told when the item was taken before and has changed. */
  readonly note: string;
}

/** Epoch seconds; both ends belong to it. */
export interface SourceWindow {
  readonly since: number;
  /** null: to the third party's own present. */
  readonly until: number | null;
}

/** A third party that is asked again and again what it reports. */
export interface PolledSource {
  /** The fixed provider of its alerts. */
  readonly provider: string;
  /** The activity's name of the skill that lists. */
  readonly skill: string;
  question(window: SourceWindow, nowSeconds: number): Record<string, unknown>;
  read(item: unknown): SourceItem;
}

export interface PollReport {
  readonly taken: number;
  /** Notes on cases of what was taken before. */
  readonly noted: number;
  /** Why it ended before everything was read; null when it was. The next poll goes on. */
  readonly ended: string | null;
}

export interface SourceActivities {
  /** Reads it to the end; where a remote agent has to, answers only what is to be read. */
  pollSource(connectionId: string): Promise<PollReport | { readonly window: SourceWindow }>;
  /** The id of a run that reads the window. */
  askForWindow(connectionId: string, window: SourceWindow): Promise<string>;
  /** Takes what the run has brought; where that was not all, the parts are still to be read. */
  takeWindow(connectionId: string, window: SourceWindow, resultId: string): Promise<PollReport & { readonly parts: SourceWindow[] }>;
  endPoll(connectionId: string, ended: string | null): Promise<void>;
}

const PARTS = 8;

/** A window that holds more than can be listed, in parts, oldest first; none where it is too small for that. */
export function splitWindow(window: SourceWindow, items: readonly SourceItem[]): SourceWindow[] {
  const newest = window.until ?? Math.max(window.since, ...items.flatMap(({ at }) => at ?? []));
  const step = Math.ceil((newest - window.since) / PARTS);
  const parts: SourceWindow[] = [];
  if (newest - window.since <= 1) return parts;
  for (let since = window.since; since < newest; since += step)
    parts.push({ since, until: since + step < newest ? since + step : window.until });
  return parts;
}

/** An alert's content holds 1 MiB of characters. */
const CONTENT_BYTES = 1024 * 1024;
const NOTE_LENGTH = 1000;
/** How far our clock may be behind that of a third party that wants to be told an end. */
const CLOCKS_APART_SECONDS = 24 * 3600;

const word = z.string().nullish().catch(null);
const id = z.union([z.string().min(1), z.number()]).transform(String);

const Incident = z.looseObject({
  incidentId: id,
  redirectIncidentId: id.nullish().catch(null),
  incidentName: word,
  severity: word,
  status: word,
  classification: word,
  determination: word,
  assignedTo: word,
  createdTime: word,
  lastUpdateTime: word,
  alerts: z.array(z.looseObject({ category: word, severity: word })).catch([]),
});

const EndpointAlert = z.looseObject({
  id,
  category: word,
  severity: word,
  status: word,
  classification: word,
  determination: word,
  assignedTo: word,
  alertCreationTime: word,
  lastUpdateTime: word,
});

const IntelligenceAlert = z.looseObject({
  id,
  type: word,
  rule: z.looseObject({ name: word }).nullish().catch(null),
  review: z.looseObject({ status_in_portal: word, status: word, assignee: word, note: word }).nullish().catch(null),
  log: z.looseObject({ triggered: word, status_date: word, note_date: word }).nullish().catch(null),
});

/** By the connector's kind. */
export const POLLED_SOURCES: Readonly<Record<string, PolledSource>> = {
  'incident-source': {
    provider: 'incident-source',
    skill: 'incidentSource.listIncidents',
    question: ({ since, until }) => ({
      time_field: 'lastUpdateTime',
      since: toIsoString(since),
      ...(until === null ? {} : { until: toIsoString(until) }),
    }),
    read(item) {
      const incident = Incident.parse(item);
      const { incidentId, redirectIncidentId: into, status, lastUpdateTime, createdTime } = incident;
      // What went into another incident is reported there.
      const isRedirected = into != null || status === 'Redirected';
      const alert = { type: toAlertType('Incident', gravestCategory(incident.alerts)), ...toBody(item, createdTime) };
      const changed = describeChange(incident, ['status', 'severity', 'classification', 'determination', 'assignedTo']);
      return {
        sourceId: incidentId,
        revision: lastUpdateTime ?? `${status} ${into ?? ''}`,
        at: toEpochSeconds(lastUpdateTime ?? createdTime),
        alert: isRedirected ? null : alert,
        note: toNote(
          isRedirected
            ? `The incident ${incidentId} went into another one${into == null ? '' : `, ${into}`}.`
            : `The incident ${incidentId} changed at its source: ${changed}, alerts ${incident.alerts.length}.`,
        ),
      };
    },
  },

  'endpoint-detection': {
    provider: 'endpoint-detection',
    skill: 'endpointDetection.listAlerts',
    question: ({ since, until }) => ({
      updated_since: toIsoString(since),
      ...(until === null ? {} : { updated_until: toIsoString(until) }),
    }),
    read(item) {
      const alert = EndpointAlert.parse(item);
      const changed = describeChange(alert, ['status', 'severity', 'classification', 'determination', 'assignedTo']);
      return {
        sourceId: alert.id,
        revision: alert.lastUpdateTime ?? alert.status ?? '',
        at: toEpochSeconds(alert.lastUpdateTime ?? alert.alertCreationTime),
        alert: { type: toAlertType('Endpoint alert', alert.category), ...toBody(item, alert.alertCreationTime) },
        note: toNote(`The alert ${alert.id} changed at its source: ${changed}.`),
      };
    },
  },

  'threat-intelligence': {
    provider: 'threat-intelligence',
    skill: 'threatIntelligence.listAlerts',
    question: ({ since, until }, nowSeconds) => ({ from: since, to: until ?? Math.max(since, nowSeconds) + CLOCKS_APART_SECONDS }),
    read(item) {
      const { id: alertId, type, rule, review, log } = IntelligenceAlert.parse(item);
      const status = review?.status_in_portal ?? review?.status ?? null;
      return {
        sourceId: alertId,
        revision: clip(JSON.stringify([status, review?.assignee ?? null, log?.status_date ?? null, log?.note_date ?? null]), 500),
        at: toEpochSeconds(log?.triggered),
        alert: { type: toAlertType('Intelligence alert', rule?.name ?? type), ...toBody(item, log?.triggered) },
        note: toNote(
          `The alert ${alertId} changed at its source: ${describeChange({ status, assignee: review?.assignee, note: review?.note }, ['status', 'assignee', 'note'])}.`,
        ),
      };
    },
  },
};

/** The kind whose event stream feeds the intake, and the provider of its alerts. */
export const STREAM_SOURCE = 'malware-protection';

/** Whether what connections of this kind report can become alerts. */
export function feedsIntake(kind: string): boolean {
  return kind === STREAM_SOURCE || Object.hasOwn(POLLED_SOURCES, kind);
}

const StreamEvent = z.looseObject({
  id: id.nullish().catch(null),
  timestamp: z.number().nullish().catch(null),
  date: word,
  event_type: word,
  detection: word,
  detection_id: id.nullish().catch(null),
  severity: word,
  computer: z.looseObject({ hostname: word }).nullish().catch(null),
  cloud_ioc: z.looseObject({}).nullish().catch(null),
});

/** Events below this are the everyday of a computer: scans, updates, policies. */
const ALARMING: readonly string[] = ['medium', 'high', 'critical'];
const END_OF_2099 = 4_102_444_799;

export interface StreamedEvent {
  /** The third party's id; events of threat hunting have none. */
  readonly id: string | null;
  readonly at: number | null;
  /** What it is to the intake; null where it is nobody's concern. `key` names the event. */
  itemOf(key: string): SourceItem | null;
}

export function readStreamEvent(event: unknown): StreamedEvent {
  const parsed = StreamEvent.safeParse(event);
  if (!parsed.success) return { id: null, at: null, itemOf: () => null };
  const { id: eventId = null, timestamp, date, event_type, detection, detection_id, severity, computer, cloud_ioc } = parsed.data;
  const at = timestamp != null && timestamp >= 0 && timestamp <= END_OF_2099 ? Math.floor(timestamp) : toEpochSeconds(date);
  const isAlarming = detection != null || cloud_ioc != null || ALARMING.includes(severity?.toLowerCase() ?? '');
  return {
    id: eventId,
    at,
    itemOf: (key) =>
      isAlarming
        ? {
            // Detected and quarantined come apart, in any order: they are one matter.
            sourceId: detection_id == null ? `event ${key}` : `detection ${detection_id}`,
            revision: key,
            at,
            alert: {
              type: toAlertType('Malware event', detection_id == null ? event_type : 'Detection'),
              ...toBody(event, null),
              createdAtSource: at,
            },
            note: toNote(`${event_type ?? 'An event'} of the same detection on ${computer?.hostname ?? 'an unnamed computer'}.`),
          }
        : null,
  };
}

function toBody(item: unknown, created: string | null | undefined) {
  return { content: JSON.stringify(truncateJson(item, CONTENT_BYTES).output), createdAtSource: toEpochSeconds(created) };
}

/** A bounded set of types, so that alerts of one kind share a playbook: categories and rules, never names of files or people. */
function toAlertType(what: string, category: string | null | undefined): string {
  return clip(`${what}: ${words(category ?? '') || 'Uncategorized'}`, ALERT_TYPE_MAX_LENGTH);
}

/** `CommandAndControl` is "Command and control"; what has spaces is words already. */
function words(name: string): string {
  if (/\s/.test(name.trim())) return name.trim();
  const split = name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
  return split.charAt(0).toUpperCase() + split.slice(1);
}

const SEVERITIES = ['informational', 'low', 'medium', 'high'];

function gravestCategory(alerts: readonly { category?: string | null | undefined; severity?: string | null | undefined }[]): string | null {
  const rankSeverity = (severity: string | null | undefined) => SEVERITIES.indexOf(severity?.toLowerCase() ?? '');
  const [gravest] = alerts
    .filter(({ category }) => category != null)
    .toSorted((a, b) => rankSeverity(b.severity) - rankSeverity(a.severity));
  return gravest?.category ?? null;
}

function describeChange<Field extends string>(item: Readonly<Partial<Record<Field, unknown>>>, fields: readonly Field[]): string {
  return fields.flatMap((field) => (item[field] == null ? [] : [`${words(field).toLowerCase()} ${item[field]}`])).join(', ');
}

function toNote(text: string): string {
  return clip(text, NOTE_LENGTH);
}

/** Third parties that leave the zone out mean UTC. */
function toEpochSeconds(time: string | null | undefined): number | null {
  if (time == null) return null;
  const ms = Date.parse(/T[\d:.]+$/.test(time) ? `${time}Z` : time);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

function toIsoString(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
