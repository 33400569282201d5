import { createHash } from 'node:crypto';
import type { NewAlert } from '../../db/alerts/intake.js';
import { newUuid } from '../../db/ids.js';
import type { Principal } from '../../domain/identity/identity.js';
import { CommandError, invalid, type WrongField } from '../errors.js';
import type { Organization } from '../organizations/wire.js';
import type { Provider } from '../providers/wire.js';
import type { CreateAlert } from './wire.js';

export interface Submission {
  readonly principal: Principal;
  readonly request: CreateAlert;
  readonly idempotencyKey: string | null;
}

/** Returns the row of an alert that its sender may create. The intake stores rows in batches. */
export function acceptAlert(
  submission: Submission,
  foundOrganization: Organization | null,
  foundProvider: Provider | null,
  createdAt: number,
): NewAlert {
  const { principal, request, idempotencyKey } = submission;
  const { organization, provider } = requirePermitted(submission, foundOrganization, foundProvider);
  return {
    alertUuid: newUuid(),
    organizationUuid: organization.organization_uuid,
    organizationCode: organization.organization_code,
    providerUuid: provider.provider_uuid,
    providerSegment: provider.segment,
    alertType: request.alert_type,
    alertContent: request.alert_content,
    createdAtSource: request.created_at_source?.toString() ?? null,
    createdBy: principal.uuid,
    createdByName: principal.name,
    createdAt,
    idempotencyKey,
    bodyDigest: idempotencyKey === null ? null : hashRequest(request),
  };
}

export function reusedKey(): CommandError {
  const detail = 'This Idempotency-Key was already used with another body. Use a new key for a new alert.';
  return invalid([{ parameter: 'Idempotency-Key', detail }]);
}

export function keyOfDeletedAlert(): CommandError {
  return new CommandError('gone', 'The alert of this Idempotency-Key was stored and deleted later. Use a new key to send it again.');
}

/** An organization that the key may not use gets the same error as one that does not exist. */
function requirePermitted({ principal }: Submission, organization: Organization | null, provider: Provider | null) {
  const allowed =
    organization !== null && (principal.organizationUuid === null || principal.organizationUuid === organization.organization_uuid);
  if (allowed && provider) return { organization, provider };
  const wrong: WrongField[] = [];
  if (!allowed)
    wrong.push({
      pointer: '#/organization_code',
      detail: 'This key has no such organization. GET /platformapi/organizations lists the organizations it may use.',
    });
  if (!provider)
    wrong.push({ pointer: '#/alert_provider', detail: 'There is no such provider. GET /platformapi/providers lists the providers.' });
  throw invalid(wrong);
}

/** Hashes the parsed request, so that the spelling of the JSON does not matter. */
function hashRequest(request: CreateAlert): string {
  const { alert_content, alert_provider, organization_code, alert_type, created_at_source } = request;
  const meaning = JSON.stringify([alert_content, alert_provider, organization_code, alert_type, created_at_source?.toString() ?? null]);
  return createHash('sha256').update(meaning).digest('base64');
}
