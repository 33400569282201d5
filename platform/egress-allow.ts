import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Network, parseNetwork } from './networks.js';

/** An entry of EGRESS_ALLOW: one port of a host, or every port of a network. */
export type EgressEntry = { readonly host: string; readonly port: number } | { readonly network: Network };

export function parseEgressEntry(entry: string): EgressEntry | null {
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
