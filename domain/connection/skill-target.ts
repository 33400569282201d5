import { clip } from '../text.js';

/** The input fields that name the object of a skill call, the most telling first. Other fields only limit or describe the call. */
const TARGET_FIELDS = [
  'indicator_value',
  'value',
  'computer_dns_name',
  'hostname',
  'machine_id',
  'action_id',
  'incident_id',
  'investigation_id',
  'alert_id',
  'cve_id',
  'detection_sha256',
  'application_sha256',
  'connector_guid',
  'email',
  'user_id',
  'ip',
  'last_ip_address',
  'internal_ip',
  'external_ip',
  'entity',
  'entities',
  'product_name',
  'name',
  'query',
] as const;

const TARGET_LENGTH = 80;

/** The object of a skill call in a few characters, for titles: "203.0.113.66". null for a call that lists everything. */
export function describeTarget(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const given = new Map<string, unknown>(Object.entries(input));
  const field = TARGET_FIELDS.find((name) => describeValue(given.get(name)) !== '');
  return field === undefined ? null : clip(describeValue(given.get(field)), TARGET_LENGTH);
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) {
    const [first = '', ...others] = value.map(describeValue);
    return others.length === 0 ? first : `${first} and ${others.length} more`;
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** "Isolate Machine: hr-ws-014". */
export function titleWithTarget(title: string, target: string | null): string {
  return target === null ? title : `${title}: ${target}`;
}
