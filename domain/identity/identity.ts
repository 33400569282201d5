import { z } from 'zod';
import { storable, text } from '../text.js';

const ROLES = ['sender', 'analyst', 'admin'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** Who is calling: everything about scope comes from the key, nothing from the request. */
export interface Principal {
  readonly uuid: string;
  readonly name: string;
  readonly role: Role;
  /** null: every organization. */
  readonly organizationUuid: string | null;
}

export const CreateOrganization = z.strictObject({
  organization_code: z
    .string()
    .max(32)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/, 'letters, digits, _ and -, beginning and ending with a letter or digit'),
  name: text(200),
});

export const Organization = z.object({
  organization_uuid: z.uuid(),
  organization_code: z.string(),
  name: z.string(),
  created_at: z.int(),
});
export type Organization = z.infer<typeof Organization>;

export const CreateProvider = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(
      /^[A-Za-z0-9](?:[A-Za-z0-9 _.-]*[A-Za-z0-9])?$/,
      'letters, digits, spaces, _ . and -, beginning and ending with a letter or digit',
    ),
});

export const Provider = z.object({
  provider_uuid: z.uuid(),
  name: z.string(),
  segment: z.string().describe('The upper-case part of an alert id that stands for this provider.'),
  created_at: z.int(),
});
export type Provider = z.infer<typeof Provider>;

/** Case ids are `<org>-CASE-<n>`: a provider with this segment would give alerts the same ids. */
export const RESERVED_SEGMENTS: readonly string[] = ['CASE'];

/** A segment holds no hyphen, so an alert id always splits from the right into number, provider and organization. */
export function providerSegment(providerName: string): string {
  return providerName.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

/** Systems that send alerts and have no connector. */
const GENERAL_PROVIDERS = ['siem', 'email-security', 'identity-provider', 'firewall', 'cloud-security', 'custom'];

/** The providers of a new database: one for each connector, and the general ones. */
export function listStartingProviders(connectorKinds: readonly string[]): string[] {
  return [...connectorKinds, ...GENERAL_PROVIDERS];
}

/** The last second that fits an ISO 8601 timestamp of four digits. */
const END_OF_9999 = 253_402_300_799;

export const CreateApiKey = z.strictObject({
  name: text(100),
  role: Role,
  organization_code: storable(32).nullable().describe('null: every organization'),
  expires_at: z.int().positive().max(END_OF_9999).optional().describe('Unix epoch seconds; absent: never'),
});

export const ApiKey = z.object({
  key_uuid: z.uuid().describe('The principal: what `created_by` of an alert refers to.'),
  name: z.string(),
  role: Role,
  organization_code: z.string().nullable(),
  created_at: z.int(),
  expires_at: z.int().nullable(),
  revoked_at: z.int().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = ApiKey.extend({ api_key: z.string().describe('Shown this once: only its hash is kept.') });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

/** Who is signed in to the dashboard, and what its pages need to know besides. */
export const Session = z.object({
  name: z.string(),
  role: Role,
  organization_code: z.string().nullable().describe('null: every organization'),
  temporal_web: z.string().nullable().describe('Where runs are looked at: an alert’s is under `/workflows/<alert_id>` there.'),
});
export type Session = z.infer<typeof Session>;

export const SignIn = z.strictObject({ api_key: storable(500) });
