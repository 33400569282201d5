import { z } from 'zod';
import { SecretExpiresOn } from '../../domain/connection/secret-expiry.js';
import { ConnectorField, DefineConnection, Fields } from '../connections/wire.js';

const DEFAULT_HOURS = 72;
const MAX_HOURS = 720;

const validity = {
  valid_hours: z.int().min(1).max(MAX_HOURS).default(DEFAULT_HOURS).describe('The hours until the link expires: at most 30 days.'),
};

/** A link to the credentials of an existing connection. */
export const CreateCredentialLink = z.strictObject(validity);
export type CreateCredentialLink = z.infer<typeof CreateCredentialLink>;

/** A link that creates a connection when the customer sends its credentials. */
export const CreateConnectionLink = DefineConnection.extend(validity);
export type CreateConnectionLink = z.infer<typeof CreateConnectionLink>;

export const CredentialLink = z.object({
  link_id: z.uuid(),
  organization_code: z.string(),
  connector: z.string(),
  instance_name: z.string(),
  connection_id: z.uuid().nullable().describe('null: the credentials create the connection.'),
  created_by: z.string(),
  created_at: z.int(),
  expires_at: z.int(),
});
export type CredentialLink = z.infer<typeof CredentialLink>;

export const CreatedCredentialLink = CredentialLink.extend({
  path: z.string().describe('The customer’s page, as a path of the dashboard. It is shown only once.'),
});
export type CreatedCredentialLink = z.infer<typeof CreatedCredentialLink>;

/** The page of a link, for a person without a key. */
export const Handover = z.object({
  organization: z.string(),
  asked_by: z.string(),
  title: z.string(),
  products: z.array(z.string()),
  instance_name: z.string(),
  setup: z.array(z.string()),
  permissions: z.array(z.string()),
  credentials: z.array(ConnectorField),
  /** The places that the credentials are sent to. */
  settings: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Receives the credentials in cleartext. null: the service itself calls the third party. */
  remote_agent: z.object({ name: z.string() }).nullable(),
  expires_at: z.int(),
});
export type Handover = z.infer<typeof Handover>;

export const HandedOver = z.strictObject({
  credentials: Fields,
  secret_expires_on: SecretExpiresOn.nullish(),
  consents_to_agent: z.boolean().optional().describe('Required if a remote agent receives the credentials.'),
});
export type HandedOver = z.infer<typeof HandedOver>;
