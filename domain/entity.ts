import { z } from 'zod';

export const ENTITY_KINDS = ['ip', 'domain', 'url', 'hash', 'cve', 'email', 'user', 'host', 'machine-id', 'incident-id'] as const;
export const EntityKind = z.enum(ENTITY_KINDS);
export type EntityKind = z.infer<typeof EntityKind>;

/** Something an alert speaks of, in one normal spelling, so that two alerts that share it can be found. */
export const Entity = z.object({ kind: EntityKind, value: z.string().min(1).max(2048) });
export type Entity = z.infer<typeof Entity>;

/** An alert that carries more than this of one kind is not helped by looking at each. */
export const MAX_ENTITIES_PER_KIND = 100;
