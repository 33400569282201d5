import { z } from 'zod';
import { ProtectedKind } from '../../domain/response/response-rules.js';
import { nameText, storable, text } from '../../domain/text.js';

const OrganizationCode = storable(32).optional().describe('Required for a key that covers all organizations.');

export const ProtectAsset = z.strictObject({
  organization_code: OrganizationCode,
  kind: ProtectedKind,
  value: nameText(255).describe('A host by its full or short name, an account by its name, or a tag as the third party spells it.'),
  reason: text(500),
});
export type ProtectAsset = z.infer<typeof ProtectAsset>;

export const UpdateResponseRules = z.strictObject({
  organization_code: OrganizationCode,
  writes_per_hour: z.int().min(1).max(10_000).describe('Writes above the limit are held until the limit allows them.'),
});
export type UpdateResponseRules = z.infer<typeof UpdateResponseRules>;

/** To stop or resume all writes of an organization. */
export const TurnSwitch = z.strictObject({ organization_code: OrganizationCode, reason: text(1000) });
