import { z } from 'zod';

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
  /** A user who must set up two-factor authentication before anything else. */
  readonly needsTwoFactor?: true;
  /** The chat account of a user who decides from a message. The audit log shows it. */
  readonly via?: string;
}

/** The role with fewer rights. */
export function lowerRole(one: Role, other: Role): Role {
  return ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other;
}

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
