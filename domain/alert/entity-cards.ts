import { z } from 'zod';
import { clip } from '../text.js';

const CARD_KINDS = ['device', 'person', 'trips', 'reputation', 'vulnerability'] as const;

/** A part of a stored answer in the words of an analyst. */
export const EntityCard = z.object({
  card: z.enum(CARD_KINDS),
  result_id: z.uuid(),
  connection: z.string(),
  skill_id: z.string(),
  at: z.int().describe('When the third party gave the answer.'),
  entries: z
    .array(z.object({ title: z.string(), fields: z.array(z.object({ name: z.string(), value: z.string() })) }))
    .describe('Such as one device or one trip each; at most 10. Empty: the third party knows none.'),
});
export type EntityCard = z.infer<typeof EntityCard>;

interface CardRule {
  readonly card: EntityCard['card'];
  /** The field of the answer with a list of entries. Without it the answer is the entry. */
  readonly list?: string;
  /** The first of these fields with a value is the title. */
  readonly titles: readonly string[];
  /** The label of each field, in the order of the card. A `[]` takes the field of each element. */
  readonly fields: Readonly<Record<string, string>>;
}

const MACHINE = {
  card: 'device',
  titles: ['computerDnsName', 'id'],
  fields: {
    osPlatform: 'Operating system',
    healthStatus: 'Health',
    riskScore: 'Risk',
    exposureLevel: 'Exposure',
    deviceValue: 'Value',
    onboardingStatus: 'Onboarding',
    lastIpAddress: 'Address',
    lastExternalIpAddress: 'External address',
    firstSeen: 'First seen',
    lastSeen: 'Last seen',
    'machineTags[]': 'Tags',
  },
} as const satisfies CardRule;

/** By the connector and the title of the skill. */
const RULES: Readonly<Record<string, CardRule>> = {
  'endpoint-detection/List machines': { ...MACHINE, list: 'items' },
  'endpoint-detection/Get machine': MACHINE,
  'malware-protection/List computers': {
    card: 'device',
    list: 'items',
    titles: ['hostname', 'connector_guid'],
    fields: {
      operating_system: 'Operating system',
      active: 'Active',
      connector_version: 'Sensor version',
      'internal_ips[]': 'Addresses',
      external_ip: 'External address',
      install_date: 'Installed',
      last_seen: 'Last seen',
    },
  },
  'travel-booking/Get Users': {
    card: 'person',
    list: 'items',
    titles: ['user_name', 'email'],
    fields: { given_name: 'First name', family_name: 'Last name', email: 'E-mail', active: 'Active', manager_email: 'Manager' },
  },
  'travel-booking/Search User Travel': {
    card: 'trips',
    list: 'trips',
    titles: ['name', 'trip_id'],
    fields: {
      start_date: 'From',
      end_date: 'To',
      'places[].city': 'Places',
      'places[].country': 'Countries',
      cancelled: 'Cancelled',
    },
  },
  'threat-intelligence/Get Enrichment': {
    card: 'reputation',
    titles: ['criticality_label', 'kind'],
    fields: {
      found: 'Known',
      score: 'Risk score',
      cvss_score: 'CVSS',
      'rules[]': 'Rules',
      summary: 'Summary',
      first_seen: 'First seen',
      last_seen: 'Last seen',
    },
  },
  'endpoint-detection/List vulnerabilities': {
    card: 'vulnerability',
    list: 'items',
    titles: ['id', 'name'],
    fields: {
      severity: 'Severity',
      cvssV3: 'CVSS',
      epss: 'EPSS',
      exposedMachines: 'Exposed machines',
      publicExploit: 'Public exploit',
      exploitVerified: 'Exploit verified',
      publishedOn: 'Published',
      description: 'Description',
    },
  },
};

/** The skills whose answers make a card, as connector and title. */
export const CARD_SKILLS: readonly string[] = Object.keys(RULES);

const ENTRIES_AT_MOST = 10;
const VALUE_LENGTH = 300;

/** The card of an answer; null where its skill has none. */
export function makeCard(answer: {
  readonly result_id: string;
  readonly connector: string;
  readonly connection: string;
  readonly skill_id: string;
  readonly at: number;
  readonly output: unknown;
}): EntityCard | null {
  const { connector, output, ...source } = answer;
  const rule = new Map(Object.entries(RULES)).get(`${connector}/${answer.skill_id}`);
  if (!rule || !isRecord(output)) return null;
  const items = rule.list === undefined ? [output] : readPath(output, `${rule.list}[]`);
  const entries = items.filter(isRecord).slice(0, ENTRIES_AT_MOST);
  return { ...source, card: rule.card, entries: entries.map((entry) => describeEntry(entry, rule)) };
}

function describeEntry(entry: Readonly<Record<string, unknown>>, { titles, fields }: CardRule): EntityCard['entries'][number] {
  const shown = Object.entries(fields).flatMap(([path, name]) => {
    const value = showValues(readPath(entry, path));
    return value === '' ? [] : [{ name, value }];
  });
  const title = titles.map((path) => showValues(readPath(entry, path))).find((value) => value !== '');
  return { title: title ?? 'Unnamed', fields: shown };
}

function showValues(values: readonly unknown[]): string {
  const texts = values.flatMap((value) => {
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || [] : [];
  });
  return clip([...new Set(texts)].join(', '), VALUE_LENGTH);
}

/** `places[].city` → the city of each place. */
function readPath(value: unknown, path: string): unknown[] {
  let found: unknown[] = [value];
  for (const part of path.split('.')) {
    const name = part.replace(/\[\]$/, '');
    const next = found.flatMap((each) => (isRecord(each) && each[name] != null ? [each[name]] : []));
    found = part.endsWith('[]') ? next.flatMap((each) => (Array.isArray(each) ? each : [])) : next;
  }
  return found;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
