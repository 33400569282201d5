import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import parseForwarded from 'forwarded-parse';
import ipaddr from 'ipaddr.js';
import { isInNetworks, parseNetwork } from '../../platform/networks.js';

export type FindClientAddress = (request: Pick<FastifyRequest, 'headers' | 'ip'>) => string;

/**
 * Finds the address of the client behind the trusted proxies. A proxy appends the address of its own client, so the last address that
 * is not a trusted proxy is the client. Addresses further to the left come from the client and prove nothing.
 */
export function createFindClientAddress(trustedProxies: readonly string[]): FindClientAddress {
  const networks = trustedProxies.map(parseNetwork).filter((network) => network !== null);
  const isTrusted = (address: string) => isInNetworks(address, networks);
  const findClient = (peer: string, forwarded: readonly string[]) => {
    const client = forwarded.findLast((address) => !isTrusted(address)) ?? forwarded[0];
    // A proxy may hide its client ("unknown", "_hidden").
    return client !== undefined && isIP(client) ? client : peer;
  };
  return ({ headers, ip }) => {
    if (!isTrusted(ip)) return ip;
    const found = [readForwardedFor(headers['x-forwarded-for']), readForwarded(headers.forwarded)]
      .filter((forwarded) => forwarded !== null)
      .map((forwarded) => findClient(ip, forwarded));
    // The proxy sets one of the headers and passes the other one on from the client. If they differ, none is certain.
    return new Set(found).size === 1 ? (found[0] ?? ip) : ip;
  };
}

/** The part of an address that limits count: one client has all IPv6 addresses of a /64. */
export function toClientNetwork(address: string): string {
  if (!isIP(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

function readForwardedFor(header: string | string[] | undefined): string[] | null {
  if (header === undefined) return null;
  return [header].flat().join(',').split(',').map(stripPort);
}

function readForwarded(header: string | undefined): string[] | null {
  if (header === undefined) return null;
  try {
    return parseForwarded(header).map((element) => stripPort(element['for'] ?? ''));
  } catch {
    return [];
  }
}

/** `192.0.2.1:4711`, `[2001:db8::1]` and `[2001:db8::1]:4711` without port and brackets. */
function stripPort(node: string): string {
  return node.trim().replace(/^\[([^\]]+)\](?::\w+)?$|^([\d.]+):\w+$/, '$1$2');
}
