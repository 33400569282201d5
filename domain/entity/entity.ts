import { z } from 'zod';
import { isStorable } from '../text.js';

export const ENTITY_KINDS = [
  'ip',
  'domain',
  'url',
  'hash',
  'cve',
  'email',
  'user',
  'host',
  'machine-id',
  'incident-id',
  'alert-id',
  'investigation-id',
] as const;
export const EntityKind = z.enum(ENTITY_KINDS);
export type EntityKind = z.infer<typeof EntityKind>;

export const ENTITY_ROLES = ['source', 'destination', 'victim', 'sender', 'recipient', 'actor', 'reporter'] as const;
export const EntityRole = z.enum(ENTITY_ROLES);
export type EntityRole = z.infer<typeof EntityRole>;

/** A value in an alert, in one normalised spelling, so that alerts that share it can be found. */
export const Entity = z.object({
  kind: EntityKind,
  value: z.string().min(1).max(2048).refine(isStorable, 'must not contain NUL characters or unpaired surrogates'),
  role: EntityRole.optional().describe('The role that the alert states for it; absent where it states none.'),
});
export type Entity = z.infer<typeof Entity>;

export const MAX_ENTITIES_PER_KIND = 100;

/** "Any address" and "every machine here" name no machine. Logs have them where an address is not known. */
const NO_MACHINE: ReadonlySet<string> = new Set(['0.0.0.0', '::', '255.255.255.255']);

/** Each valid entity once, by kind, in the order of first appearance, with the first role that the alert states. */
export class EntityCollection {
  readonly #rolesByKind = new Map<EntityKind, Map<string, EntityRole | undefined>>(ENTITY_KINDS.map((kind) => [kind, new Map()]));
  readonly #overfull = new Set<EntityKind>();

  add({ kind, value, role }: Entity): void {
    if (kind === 'ip' && NO_MACHINE.has(value)) return;
    const roles = this.#rolesByKind.get(kind);
    if (!roles) return;
    if (roles.has(value)) roles.set(value, roles.get(value) ?? role);
    else if (roles.size === MAX_ENTITIES_PER_KIND) this.#overfull.add(kind);
    else if (Entity.safeParse({ kind, value }).success) roles.set(value, role);
  }

  list(): Entity[] {
    return ENTITY_KINDS.flatMap((kind) =>
      [...(this.#rolesByKind.get(kind) ?? [])].map(([value, role]) => ({ kind, value, ...(role === undefined ? {} : { role }) })),
    );
  }

  overfull(): EntityKind[] {
    return ENTITY_KINDS.filter((kind) => this.#overfull.has(kind));
  }
}

export type HashAlgorithm = 'md5' | 'sha1' | 'sha256' | 'sha512';
const ALGORITHM_BY_LENGTH: Readonly<Record<number, HashAlgorithm>> = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' };

/** The algorithm that a hash has by its length; null where the value is not a hash. */
export function hashAlgorithm(value: string): HashAlgorithm | null {
  return /^[0-9a-f]+$/i.test(value) ? (ALGORITHM_BY_LENGTH[value.length] ?? null) : null;
}
