import { z } from 'zod';
import { clip } from '../text.js';
import { truncateJson } from '../truncate-json.js';
import { ALERT_TYPE_MAX_LENGTH } from './alert.js';

/** An item that a third party reports, mapped to the fields that the intake needs. */
export interface SourceItem {
  /** The third party's own id: the intake takes each id once. */
  readonly sourceId: string;
  /** Changes whenever the third party changes the item. */
  readonly revision: string;
  /** Epoch seconds by the third party's clock; null if the item has no time. */
  readonly at: number | null;
  /** null: the item is not an alert, only an update of an item that may be known. */
  readonly alert: { readonly type: string; readonly content: string; readonly createdAtSource: number | null } | null;
  /** The comment on the case when a known item changes. */
  readonly note: string;
}

/** Epoch seconds, both ends inclusive. */
export interface SourceWindow {
  readonly since: number;
  /** null: up to the present. */
  readonly until: number | null;
}

/** An intake that polls items with one of the connector's skills. */
export interface PolledIntake {
  readonly mode: 'poll';
  /** The skill that lists the items. */
  readonly verb: string;
  /** The input of that skill for a window. */
  buildInput(window: SourceWindow, nowSeconds: number): Record<string, unknown>;
  read(item: unknown): SourceItem;
}

/** An intake that consumes an event stream. */
export interface StreamIntake {
  readonly mode: 'stream';
  read(event: unknown): StreamedEvent;
}

/** How the items of a third party become alerts. The connector's kind is the provider of these alerts. */
export type Intake = PolledIntake | StreamIntake;

export interface StreamedEvent {
  /** The third party's id; null if the event has none. */
  readonly id: string | null;
  readonly at: number | null;
  /** The item for the intake, or null if the event is not worth an alert. `key` identifies the event. */
  toItem(key: string): SourceItem | null;
}

/** The credential field that holds the sealed access data of an event stream. */
export const STREAM_CREDENTIAL = 'stream';

export interface PollReport {
  readonly taken: number;
  /** Comments added to cases of known items. */
  readonly noted: number;
  /** Why the poll ended early; null if it read everything. The next poll continues. */
  readonly ended: string | null;
}

export interface SourceActivities {
  /** Reads the source to its end. If a remote agent has to read it, returns only the window to read. */
  pollSource(connectionId: string): Promise<PollReport | { readonly window: SourceWindow }>;
  /** Returns the id of a skill run that reads the window. */
  askForWindow(connectionId: string, window: SourceWindow): Promise<string>;
  /** Takes the items of that run. If the list was truncated, returns the parts of the window still to read. */
  takeWindow(connectionId: string, window: SourceWindow, resultId: string): Promise<PollReport & { readonly parts: SourceWindow[] }>;
  endPoll(connectionId: string, ended: string | null): Promise<void>;
}

const PARTS = 8;

/** Splits a window that holds more items than one list returns, oldest part first; empty if it is too small to split. */
export function splitWindow(window: SourceWindow, items: readonly SourceItem[]): SourceWindow[] {
  const newest = window.until ?? Math.max(window.since, ...items.flatMap(({ at }) => at ?? []));
  const step = Math.ceil((newest - window.since) / PARTS);
  const parts: SourceWindow[] = [];
  if (newest - window.since <= 1) return parts;
  for (let since = window.since; since < newest; since += step)
    parts.push({ since, until: since + step < newest ? since + step : window.until });
  return parts;
}

/** Schemas for the fields of a third party's item: a missing or malformed field is null. */
export const optionalText = z.string().nullish().catch(null);
export const itemId = z.union([z.string().min(1), z.number()]).transform(String);

/** An alert's content holds 1 MiB of characters. */
const CONTENT_BYTES = 1024 * 1024;
const NOTE_LENGTH = 1000;

export function toAlertBody(item: unknown, createdAtSource: number | null): { content: string; createdAtSource: number | null } {
  return { content: JSON.stringify(truncateJson(item, CONTENT_BYTES).output), createdAtSource };
}

/** Types come from categories and rules, never from names of files or people, so that similar alerts share a playbook. */
export function toAlertType(prefix: string, category: string | null | undefined): string {
  return clip(`${prefix}: ${toWords(category ?? '') || 'Uncategorized'}`, ALERT_TYPE_MAX_LENGTH);
}

/** `CommandAndControl` → "Command and control"; text with spaces stays as it is. */
function toWords(name: string): string {
  if (/\s/.test(name.trim())) return name.trim();
  const split = name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
  return split.charAt(0).toUpperCase() + split.slice(1);
}

/** Lists the fields that have a value: "status New, severity Low". */
export function describeFields<Field extends string>(item: Readonly<Partial<Record<Field, unknown>>>, fields: readonly Field[]): string {
  return fields.flatMap((field) => (item[field] == null ? [] : [`${toWords(field).toLowerCase()} ${item[field]}`])).join(', ');
}

/** Lists the values without their names: "High, New, Unknown". */
export function describeState<Field extends string>(item: Readonly<Partial<Record<Field, unknown>>>, fields: readonly Field[]): string {
  return fields.flatMap((field) => (item[field] == null ? [] : [String(item[field])])).join(', ');
}

export function toNote(text: string): string {
  return clip(text, NOTE_LENGTH);
}

/** A time without a zone is UTC. */
export function toEpochSeconds(time: string | null | undefined): number | null {
  if (time == null) return null;
  const ms = Date.parse(/T[\d:.]+$/.test(time) ? `${time}Z` : time);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

export function toIsoString(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
