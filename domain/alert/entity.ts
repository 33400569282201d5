import { z } from 'zod';
import { isStorable } from '../text.js';

export const ENTITY_KINDS = ['ip', 'domain', 'url', 'hash', 'cve', 'email', 'user', 'host', 'machine-id', 'incident-id'] as const;
export const EntityKind = z.enum(ENTITY_KINDS);
export type EntityKind = z.infer<typeof EntityKind>;

/** A value in an alert, in one normalised spelling, so that alerts that share it can be found. */
export const Entity = z.object({
  kind: EntityKind,
  value: z.string().min(1).max(2048).refine(isStorable, 'must not contain NUL characters or unpaired surrogates'),
});
export type Entity = z.infer<typeof Entity>;

export const MAX_ENTITIES_PER_KIND = 100;

/** Each valid entity once, by kind, in the order of first appearance. */
export class EntityCollection {
  readonly #valuesByKind = new Map<EntityKind, Set<string>>(ENTITY_KINDS.map((kind) => [kind, new Set()]));
  readonly #overfull = new Set<EntityKind>();

  add({ kind, value }: Entity): void {
    const values = this.#valuesByKind.get(kind);
    if (!values || values.has(value)) return;
    if (values.size === MAX_ENTITIES_PER_KIND) this.#overfull.add(kind);
    else if (Entity.safeParse({ kind, value }).success) values.add(value);
  }

  list(): Entity[] {
    return ENTITY_KINDS.flatMap((kind) => [...(this.#valuesByKind.get(kind) ?? [])].map((value) => ({ kind, value })));
  }

  overfull(): EntityKind[] {
    return ENTITY_KINDS.filter((kind) => this.#overfull.has(kind));
  }
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6 = /^[0-9a-f:.]{2,45}$/i;
const IPV4_IN_IPV6 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** One spelling for each address. IPv4-mapped IPv6, as dual-stack sockets log it, becomes IPv4. null: not an address. */
export function canonicalIp(address: string): string | null {
  if (IPV4.test(address)) return address;
  const asUrl = `http://[${address}]/`;
  if (!IPV6.test(address) || !URL.canParse(asUrl)) return null;
  const canonical = new URL(asUrl).hostname.slice(1, -1);
  const [, high, low] = IPV4_IN_IPV6.exec(canonical) ?? [];
  return high && low ? [high, low].flatMap(parseHex).join('.') : canonical;
}

function parseHex(hex: string): number[] {
  const value = Number.parseInt(hex, 16);
  return [value >> 8, value & 0xff];
}
