import type { InvestigationStatus } from '../domain/alert/alert.js';
import type { CaseStatus } from '../domain/case/case.js';
import type { EntityKind } from '../domain/entity/entity.js';
import type { RecordKind } from '../domain/record/record.js';
import type { SlaFilter } from '../domain/sla/clock.js';
import type { Severity, Verdict } from '../domain/verdict/evidence.js';

// The router needs these values before a page loads. The schemas of domain/ would add zod to the first load.

/** The specification's labels. */
export const STATUS_LABELS: Readonly<Record<InvestigationStatus, string>> = {
  0: 'Created',
  5: 'Submitted',
  10: 'Inprogress',
  15: 'Completed',
  20: 'Failed',
};
export const STATUS_CODES: readonly InvestigationStatus[] = [0, 5, 10, 15, 20];

export const CASE_STATUS_LABELS: Readonly<Record<CaseStatus, string>> = { open: 'Open', in_progress: 'In progress', closed: 'Closed' };
export const SLA_LABELS: Readonly<Record<SlaFilter, string>> = { breached: 'Breached', due_soon: 'Due soon', acknowledged: 'Acknowledged' };
/** The most urgent first. */
export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'informational'];
export const VERDICTS: readonly Verdict[] = ['malicious', 'suspicious', 'inconclusive', 'benign'];

export const ENTITY_LABELS: Readonly<Record<EntityKind, string>> = {
  ip: 'Address',
  domain: 'Domain',
  url: 'URL',
  hash: 'Hash',
  cve: 'CVE',
  email: 'Email',
  user: 'Account',
  host: 'Host',
  'machine-id': 'Machine ID',
  'incident-id': 'Incident ID',
  'alert-id': 'Alert ID',
  'investigation-id': 'Investigation ID',
};

export const RECORD_LABELS: Readonly<Record<RecordKind, string>> = {
  alert: 'Alert',
  incident: 'Incident',
  investigation: 'Investigation',
  'intelligence-alert': 'Intelligence alert',
  indicator: 'Own indicator',
};

export function keysOf<Key extends string>(labels: Readonly<Record<Key, string>>): Key[] {
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the labels have exactly these keys.
  return Object.keys(labels) as Key[];
}

export function toChoices<Key extends string>(labels: Readonly<Record<Key, string>>): { value: Key; label: string }[] {
  return keysOf(labels).map((value) => ({ value, label: labels[value] }));
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
