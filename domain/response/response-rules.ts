import { z } from 'zod';
import type { AffectedAssets } from '../connection/affected-assets.js';
import { toAccountName } from '../entity/account-name.js';
import type { Entity } from '../entity/entity.js';
import { type Approver, judgeApprovers } from '../identity/approver.js';
import { SkillKeyText } from '../skill-key.js';
import { clip } from '../text.js';
import { affectsHost, type HostTarget, isNested, isNetwork, parseHostTarget } from './host-target.js';
import { PendingRuleChange } from './rule-change.js';
import type { SecondPersonRule } from './sensitive-write.js';
import type { NamedTargets } from './write.js';

/** A write that affects a protected asset shows a caution and needs two approvals. */
export const ProtectedKind = z.enum(['host', 'user', 'tag']);
export type ProtectedKind = z.infer<typeof ProtectedKind>;

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

/** The service holds further writes of the hour. */
export const DEFAULT_WRITES_PER_HOUR = 30;

export const ResponseRules = z.object({
  organization_code: z.string(),
  writes_per_hour: z.int(),
  writes_last_hour: z.int(),
  stopped: z.boolean().describe('Whether all pending and new writes are held.'),
  stopped_by: z.string().nullable(),
  stopped_at: z.int().nullable(),
  stop_reason: z.string().nullable(),
  writes_in_flight: z
    .array(
      z.object({
        proposal_id: z.uuid().nullable(),
        run_id: z.uuid().nullable(),
        connection_id: z.uuid(),
        skill_id: z.string(),
        skill_key: SkillKeyText,
        sent_at: z.int(),
      }),
    )
    .describe('Writes that already left when the rules were read, and have no reply yet. The stop switch does not hold them.'),
  pending_changes: z.array(PendingRuleChange).describe('Requests to relax a rule that wait for a second person.'),
});
export type ResponseRules = z.infer<typeof ResponseRules>;

/** Compares hosts by full or short name, users by account name, and tags ignoring case. */
function findProtected<Asset extends { readonly kind: ProtectedKind; readonly value: string }>(
  affected: AffectedAssets,
  assets: readonly Asset[],
): Asset[] {
  const fits: Record<ProtectedKind, (value: string) => boolean> = {
    host: (value) => affected.hosts.some((host) => isSameHost(host, value)),
    user: (value) => affected.users.some((user) => toAccountName(user) === toAccountName(value)),
    tag: (value) => affected.tags.some((tag) => tag.toLowerCase() === value.toLowerCase()),
  };
  return assets.filter(({ kind, value }) => fits[kind](value.trim()));
}

/** `files` equals `files.harbour.example`, but `files.other.example` does not. A machine in a protected network is protected. */
function isSameHost(affected: string, host: string): boolean {
  const target = parseHostTarget(affected);
  return target === null ? affected.trim().toLowerCase() === host.toLowerCase() : affectsHost(target, host, null) === true;
}

/** What an organization protects, with the domains in which the short names of its hosts are. */
export interface Protection {
  readonly assets: readonly { readonly kind: ProtectedKind; readonly value: string; readonly reason: string }[];
  readonly ownDomains: readonly string[];
}

export const NO_PROTECTION: Protection = { assets: [], ownDomains: [] };
const NO_RULE: WriteRule = { secondPersonRule: 'never', sensitivities: [] };
const NO_TARGETS: NamedTargets = { hosts: [], onAnyHost: [] };

/** The reasons why a write needs two approvals; empty where one is enough. */
export function listCautions(affected: AffectedAssets | null, protection: Protection, named: NamedTargets = NO_TARGETS): string[] {
  const { assets, ownDomains } = protection;
  const targets = named.hosts.map((text) => ({ text, target: parseHostTarget(text) }));
  const effects = assets.map((asset) => ({ asset, on: targets.map(({ target }) => affectsAsset(target, asset, ownDomains)) }));
  const known = new Set(affected === null ? [] : findProtected(affected, assets));
  for (const { asset, on } of effects) if (on.includes(true)) known.add(asset);
  const unclear = targets.filter((_, index) => effects.some(({ on }) => on[index] === null)).map(({ text }) => text);
  const uncertain = assets.length === 0 ? [] : [...new Set([...unclear, ...named.onAnyHost])];
  return [
    ...(affected === null ? ['The affected assets could not be determined.'] : []),
    ...assets.filter((asset) => known.has(asset)).map(({ kind, value, reason }) => `Affects the protected ${kind} ${value}: ${reason}`),
    // A known effect says more.
    ...(known.size > 0 ? [] : uncertain.map((text) => `It is not certain that ${clip(text, 100)} affects no protected asset.`)),
  ];
}

/** null: that cannot be known. Only the third party knows the users and tags of hosts. */
function affectsAsset(
  target: HostTarget | null,
  { kind, value }: Protection['assets'][number],
  ownDomains: readonly string[],
): boolean | null {
  if (kind === 'host') return affectsHost(target, value, ownDomains);
  if (target === null || isNetwork(target)) return null;
  return target.kind === 'name' && ownDomains.some((domain) => isNested(target.name, domain)) ? null : false;
}

/** What the connection and the contract of a write say about a second person. */
export interface WriteRule {
  readonly secondPersonRule: SecondPersonRule;
  readonly sensitivities: readonly string[];
}

/** A manual write reads its affected assets only if the organization protects some: without those it does not matter what it affects. */
export function listCautionsOf(
  { alertUuid, assets }: { readonly alertUuid: string | null; readonly assets: AffectedAssets | null },
  protection: Protection = NO_PROTECTION,
  named: NamedTargets = NO_TARGETS,
  rule: WriteRule = NO_RULE,
): string[] {
  const cautions = alertUuid === null && protection.assets.length === 0 ? [] : listCautions(assets, protection, named);
  return [...cautions, ...listDefaultCautions(rule)];
}

/** A sensitive write needs two people by default. Where every write does, that says more. */
export function listDefaultCautions({ secondPersonRule, sensitivities }: WriteRule): readonly string[] {
  return secondPersonRule === 'sensitive' ? sensitivities : [];
}

/** The reasons why a host or an account is a protected asset. */
export function listProtections({ kind, value }: Pick<Entity, 'kind' | 'value'>, assets: Protection['assets']): string[] {
  const affected: AffectedAssets = {
    hosts: kind === 'host' ? [value] : [],
    users: kind === 'user' || kind === 'email' ? [value] : [],
    tags: [],
  };
  return findProtected(affected, assets).map((asset) => `Protected ${asset.kind} ${asset.value}: ${asset.reason}`);
}

/** The approvals of a write, and how far they satisfy the rules. */
export interface Approvals {
  /** Of this proposal, without the approvals of the write that it undoes. */
  readonly needed: number;
  readonly given: number;
  /** For each approval of this proposal, why it does not count; null where it counts. */
  readonly uncounted: readonly (string | null)[];
  readonly needsTwoPeople: boolean;
}

/**
 * Two people where the connection requires them or a caution applies. The approvals of a write count for its undo too, so an
 * undo needs one only if its write needs more approvals now than it had.
 */
export function weighApprovals(
  { secondPersonRule, ofWrite }: { secondPersonRule: SecondPersonRule; ofWrite: readonly Approver[] },
  caution: readonly string[],
  own: readonly Approver[],
): Approvals {
  if (secondPersonRule !== 'always' && caution.length === 0)
    return { needed: ofWrite.length > 0 ? 0 : 1, given: own.length, uncounted: own.map(() => null), needsTwoPeople: false };
  const judged = judgeApprovers([...ofWrite, ...own]);
  const countIn = (reasons: readonly (string | null)[]) => reasons.filter((reason) => reason === null).length;
  const uncounted = judged.slice(ofWrite.length);
  return { needed: Math.max(0, 2 - countIn(judged.slice(0, ofWrite.length))), given: countIn(uncounted), uncounted, needsTwoPeople: true };
}
