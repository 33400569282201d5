import ipaddr from 'ipaddr.js';
import { type Ip, parseIp } from '../entity/ip.js';

export interface OwnNetwork {
  readonly first: Ip;
  readonly prefix: number;
}

/** A shorter prefix is a mistake: it would make a large part of the Internet an own network. */
const SHORTEST_PREFIX = { ipv4: 8, ipv6: 16 } as const;
const WIDTH = { ipv4: 32, ipv6: 128 } as const;

/** Reads an address or a network in CIDR form. Bits after the prefix are cleared. null: neither, or too large. */
export function parseOwnNetwork(text: string): OwnNetwork | null {
  const [address = '', length, ...more] = text.split('/');
  const ip = parseIp(address);
  if (ip === null || more.length > 0) return null;
  if (length === undefined) return { first: ip, prefix: countBits(ip) };
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (prefix < SHORTEST_PREFIX[ip.kind()] || prefix > countBits(ip)) return null;
  return { first: findFirst(ip, prefix), prefix };
}

export function countBits(ip: Ip): number {
  return WIDTH[ip.kind()];
}

/** The first address of the network of this length that contains the address. */
export function findFirst(ip: Ip, prefix: number): Ip {
  const masked = ip.toByteArray().map((byte, n) => byte & (0xff << (8 - Math.min(8, Math.max(0, prefix - 8 * n)))));
  return ipaddr.fromByteArray(masked);
}

/** `192.0.2.0/24`; one address stays without a length. */
export function writeNetwork({ first, prefix }: OwnNetwork): string {
  return prefix === countBits(first) ? first.toString() : `${first}/${prefix}`;
}
