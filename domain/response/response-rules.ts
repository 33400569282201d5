import { z } from 'zod';
import { storable, text } from '../text.js';
import type { AffectedAssets } from './affected-assets.js';

/** What an organization can protect: a write that touches one is said to, and needs two people. */
export const ProtectedKind = z.enum(['host', 'user', 'tag']);
export type ProtectedKind = z.infer<typeof ProtectedKind>;

const OrganizationCode = storable(32).optional().describe('Needed by a key for all organizations.');

export const ProtectAsset = z.strictObject({
  organization_code: OrganizationCode,
  kind: ProtectedKind,
  value: text(255).describe('A host by its full or short name, an account by its name, a tag as the third party has it.'),
  reason: text(500),
});
export type ProtectAsset = z.infer<typeof ProtectAsset>;

export const ProtectedAsset = z.object({
  asset_id: z.uuid(),
  organization_code: z.string(),
  kind: ProtectedKind,
  value: z.string(),
  reason: z.string(),
  created_by: z.string(),
  created_at: z.int(),
});
export type ProtectedAsset = z.infer<typeof ProtectedAsset>;

/** How many writes an organization sends within an hour before the rest is held. */
export const DEFAULT_WRITES_PER_HOUR = 30;

export const ResponseRules = z.object({
  organization_code: z.string(),
  writes_per_hour: z.int(),
  writes_last_hour: z.int(),
  stopped: z.boolean().describe('Every pending and new write is held.'),
  stopped_by: z.string().nullable(),
  stopped_at: z.int().nullable(),
  stop_reason: z.string().nullable(),
});
export type ResponseRules = z.infer<typeof ResponseRules>;

export const UpdateResponseRules = z.strictObject({
  organization_code: OrganizationCode,
  writes_per_hour: z.int().min(1).max(10_000).describe('What exceeds it is held until there is room again.'),
});

/** To stop all writes of an organization, or to let them go on. */
export const TurnSwitch = z.strictObject({ organization_code: OrganizationCode, reason: text(1000) });

/** The protected assets that a write touches: a host by its full or short name, a user by the account's name, a tag as it is. */
function protectedAmong<Asset extends { readonly kind: ProtectedKind; readonly value: string }>(
  touched: AffectedAssets,
  assets: readonly Asset[],
): Asset[] {
  const fits: Record<ProtectedKind, (value: string) => boolean> = {
    host: (value) => touched.hosts.some((host) => isSameHost(host, value)),
    user: (value) => touched.users.some((user) => accountName(user) === accountName(value)),
    tag: (value) => touched.tags.some((tag) => tag.toLowerCase() === value.toLowerCase()),
  };
  return assets.filter(({ kind, value }) => fits[kind](value.trim()));
}

/** `files` is `files.harbour.example`; `files.other.example` is another. */
function isSameHost(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b || a === b.split('.')[0] || b === a.split('.')[0];
}

/** Of `dana@harbour.example`, `HARBOUR\dana` and `dana`, in lower case. */
function accountName(user: string): string {
  return (user.split('\\').at(-1) ?? user).split('@')[0]?.toLowerCase() ?? '';
}

/** Why a write needs two people, in words; empty where nothing speaks against one. */
export function listCautions(
  touched: AffectedAssets | null,
  assets: readonly { readonly kind: ProtectedKind; readonly value: string; readonly reason: string }[],
): string[] {
  if (touched === null) return ['What it touches could not be found out.'];
  return protectedAmong(touched, assets).map(({ kind, value, reason }) => `It touches the protected ${kind} ${value}: ${reason}`);
}
