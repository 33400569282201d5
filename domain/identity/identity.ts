import { z } from 'zod';
import { storable, text } from '../text.js';

const ROLES = ['sender', 'analyst', 'admin'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** The caller. Its scope comes from the key or the session, never from the request. */
export interface Principal {
  /** The API key, or the user of a session. */
  readonly uuid: string;
  /** The name of the user, or of the key of a service. */
  readonly name: string;
  readonly role: Role;
  /** null: all organizations. */
  readonly organizationUuid: string | null;
  /** The person who acts. Approval rules compare persons, because one person can have several keys. */
  readonly personUuid: string;
  /** null: the key of a service. */
  readonly userUuid: string | null;
  /** null: an API key. */
  readonly sessionUuid: string | null;
  /** The chat account of a user who decides from a message. The audit log shows it. */
  readonly via?: string;
}

/** The role with fewer rights. */
export function lowerRole(one: Role, other: Role): Role {
  return ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other;
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
  segment: z.string().describe('The upper-case name of this provider in alert ids.'),
  created_at: z.int(),
});
export type Provider = z.infer<typeof Provider>;

/** Case ids are `<org>-CASE-<n>`: a provider with this segment would give alerts the same ids. */
export const RESERVED_SEGMENTS: readonly string[] = ['CASE'];

/** A segment has no hyphen, so that an alert id splits from the right into number, provider and organization. */
export function providerSegment(providerName: string): string {
  return providerName.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

/** Systems that send alerts and have no connector. */
const GENERAL_PROVIDERS = ['siem', 'email-security', 'identity-provider', 'firewall', 'cloud-security', 'custom'];

/** The providers of a new database: one for each connector, and the general ones. */
export function listStartingProviders(connectorKinds: readonly string[]): string[] {
  return [...connectorKinds, ...GENERAL_PROVIDERS];
}

/** The last second that an ISO 8601 timestamp with a four-digit year can express. */
const END_OF_9999 = 253_402_300_799;

export const CreateApiKey = z.strictObject({
  name: text(100),
  role: Role,
  organization_code: storable(32).nullable().describe('null: all organizations'),
  expires_at: z.int().positive().max(END_OF_9999).optional().describe('Unix epoch seconds. Default: the key never expires.'),
  service: text(100).optional().describe('The program that uses the key. Default: the user who creates the key; without one, the name.'),
});

export const ApiKey = z.object({
  key_uuid: z.uuid().describe('The id of the principal, as in `created_by` of an alert.'),
  name: z.string(),
  role: Role,
  organization_code: z.string().nullable(),
  owner: z.string().nullable().describe('The name of the user whom the key acts for; null for the key of a service.'),
  service: z.string().nullable().describe('The program that uses the key; null for the key of a user.'),
  created_at: z.int(),
  expires_at: z.int().nullable(),
  revoked_at: z.int().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = ApiKey.extend({ api_key: z.string().describe('Shown only once: the service stores only a hash.') });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

/** The role of a user in one organization or in all. */
export const Membership = z.object({ organization_code: z.string().nullable().describe('null: all organizations'), role: Role });

/** The signed-in caller of the dashboard, and facts that its pages need. */
export const Session = z.object({
  key_uuid: z.uuid().nullable().describe('The API key of the session; null after a sign-in as a user.'),
  user_uuid: z.uuid().nullable().describe('null: the key of a service.'),
  name: z.string(),
  memberships: z.array(Membership).describe('The roles that the user can select; empty for a key.'),
  has_second_step: z.boolean().nullable().describe('Whether the sign-in asks for a code; null where the user cannot change it.'),
  role: Role,
  organization_code: z.string().nullable().describe('null: all organizations'),
  temporal_web: z.string().nullable().describe('The address of Temporal Web. The run of an alert is at `/workflows/<alert_id>`.'),
});
export type Session = z.infer<typeof Session>;

export const SignIn = z.strictObject({ api_key: storable(500) });
