import { z } from 'zod';
import { EntityKind } from '../entity/entity.js';
import { parseOwnNetwork, writeNetwork } from './network.js';

/**
 * What an organization knows about itself. Investigations do not treat these as indicators of an attack. Important machines and accounts,
 * such as domain controllers and executives, raise the severity of a case.
 */
export const KnowledgeKind = z.enum([
  'domain',
  'network',
  'mail-relay',
  'syslog-relay',
  'vpn-exit',
  'nat',
  'scanner',
  'test-account',
  'drill-provider',
  'important-machine',
  'important-account',
  'shared-host',
  'service-account',
]);
export type KnowledgeKind = z.infer<typeof KnowledgeKind>;

type Shape = 'domain' | 'network' | 'network or name' | 'name' | 'account';

const SHAPES: Readonly<Record<KnowledgeKind, Shape>> = {
  domain: 'domain',
  network: 'network',
  'mail-relay': 'network or name',
  'syslog-relay': 'network or name',
  'vpn-exit': 'network',
  nat: 'network',
  scanner: 'network or name',
  'test-account': 'account',
  'drill-provider': 'domain',
  'important-machine': 'name',
  'important-account': 'account',
  'shared-host': 'network or name',
  'service-account': 'account',
};

const EXPECTED: Readonly<Record<Shape, string>> = {
  domain: 'must be a domain such as acme.example, of at least two labels',
  network: 'must be an address or a network such as 192.0.2.0/24, with a prefix of at least 8 bits (IPv6: 16 bits)',
  'network or name': 'must be an address, a network such as 192.0.2.0/24, or the name of a host',
  name: 'must be the name of a machine such as dc-01 or dc-01.acme.example',
  account: 'must be an account such as tester, ACME\\tester or tester@acme.example, without spaces',
};

export const MAX_KNOWLEDGE_LENGTH = 255;
const LABELS = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z0-9_](?:[a-z0-9_-]{0,62})$/;
const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_-]{0,62})$/;
const ACCOUNT = /^[^\s\\@"]{1,100}$/;

/** The one spelling of a name: lower case, ASCII, without the final dot. null: not a domain. */
export function canonicalDomain(name: string): string | null {
  const trimmed = name.trim().replace(/\.$/, '');
  if (trimmed.length > MAX_KNOWLEDGE_LENGTH || !URL.canParse(`http://${trimmed}/`)) return null;
  const { hostname, host, username, pathname } = new URL(`http://${trimmed}/`);
  const isPlain = hostname === host && username === '' && pathname === '/' && hostname.length <= 253;
  return isPlain && LABELS.test(hostname) && parseOwnNetwork(hostname) === null ? hostname : null;
}

/** The one spelling of a value that the kind accepts; null where it accepts none. */
export function canonicalKnowledge(kind: KnowledgeKind, given: string): string | null {
  const value = given.trim();
  const shape = SHAPES[kind];
  if (shape === 'domain') return canonicalDomain(value);
  if (shape === 'account') return canonicalAccount(value);
  const network = parseOwnNetwork(value);
  if (shape === 'name' && network !== null) return null;
  if (network !== null || shape === 'network') return network === null ? null : writeNetwork(network);
  const name = value.toLowerCase();
  return HOST_NAME.test(name) ? name : canonicalDomain(value);
}

/** `tester`, `acme\tester` or `tester@acme.example`. */
function canonicalAccount(value: string): string | null {
  const [first = '', second, ...more] = value.toLowerCase().split(/[\\@]/);
  if (value.length > MAX_KNOWLEDGE_LENGTH || more.length > 0 || !ACCOUNT.test(first)) return null;
  if (second === undefined) return first;
  if (value.includes('\\')) return ACCOUNT.test(second) ? `${first}\\${second}` : null;
  const domain = canonicalDomain(second);
  return domain === null ? null : `${first}@${domain}`;
}

/** The shape of the values of a kind, for an error. */
export function explainKnowledgeKind(kind: KnowledgeKind): string {
  return EXPECTED[SHAPES[kind]];
}

export interface KnowledgeEntry {
  readonly kind: KnowledgeKind;
  readonly value: string;
}

/** Bounds the time to read and index them at the start of an investigation. */
export const MAX_KNOWLEDGE = 2_000;

/** Knowledge that stored data suggests. An admin accepts or rejects it. */
export const KnowledgeSuggestion = z.object({
  kind: KnowledgeKind,
  value: z.string(),
  source: z.enum(['prevalence', 'machine-names', 'directory', 'shared-values']),
  reason: z.string(),
});
export type KnowledgeSuggestion = z.infer<typeof KnowledgeSuggestion>;

export const OwnEntity = z.object({
  kind: EntityKind,
  value: z.string(),
  reason: z.string().describe('Why it belongs to the organization.'),
  individual: z
    .boolean()
    .describe('True for one computer or person of the organization, such as a host: alerts that share it are related.'),
  approved_test: z
    .boolean()
    .optional()
    .describe('True for a scanner, a test account or a drill provider: the organization approved its tests.'),
  important: z
    .boolean()
    .optional()
    .describe('True for a machine or account that the organization calls important. It raises the severity.'),
});
export type OwnEntity = z.infer<typeof OwnEntity>;
