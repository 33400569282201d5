import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Network, parseNetwork } from './networks.js';

type Destination = { readonly host: string; readonly port: number } | { readonly network: Network };

/** An entry of EGRESS_ALLOW: one port of a host, or every port of a network. */
export type EgressEntry = Destination & {
  /** The code of the organization in lower case, EVERY_ORGANIZATION, or null where the entry names none. */
  readonly organization: string | null;
};

export const EVERY_ORGANIZATION = '*';

/** An entry that is complete without an organization names none: `FACE:1::/32` is a network. */
export function parseEgressEntry(entry: string): EgressEntry | null {
  const unnamed = parseDestination(entry);
  if (unnamed !== null) return { ...unnamed, organization: null };
  const [, organization = '', rest = ''] = /^(\*|[a-z0-9][a-z0-9_-]*):(.+)$/i.exec(entry) ?? [];
  const named = parseDestination(rest.replace(/^\[([^\]]+)\]\//, '$1/'));
  return named && { ...named, organization: organization.toLowerCase() };
}

/** The entries that name no organization, which each organization can use. */
export function listUnnamed(allow: readonly string[]): string[] {
  return allow.filter((entry) => parseEgressEntry(entry)?.organization === null);
}

function parseDestination(entry: string): Destination | null {
  if (entry.includes('/')) {
    const network = parseNetwork(entry);
    return network && { network };
  }
  const [, name = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(entry) ?? [];
  const host = canonicalHost(name);
  const port = Number(digits);
  if (host === null || port < 1 || port > 65_535) return null;
  return { host: isIP(host) ? ipaddr.process(host).toString() : host, port };
}

/**
 * The canonical form of a host by the rules of URLs: `0x7f.1`, `127.1` and `2130706433` are all 127.0.0.1. Null for text that is
 * not a host, including an IPv6 address with a zone.
 */
export function canonicalHost(given: string): string | null {
  const host = isIPv6(given) ? `[${given}]` : given;
  if (!/^(\[[^\]]+\]|[^\s:/?#@\\]+)$/.test(host) || !URL.canParse(`https://${host}`)) return null;
  return new URL(`https://${host}`).hostname.replace(/^\[|\]$|\.$/g, '');
}
