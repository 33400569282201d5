import { canonicalIp } from '../entity/entity.js';

/** The leading bits that all addresses of a network share. */
export interface Network {
  readonly width: 32 | 128;
  readonly prefix: number;
  /** The whole address as a number, with zeros after the prefix. */
  readonly bits: bigint;
}

/** A shorter prefix is a mistake: it would make a large part of the Internet an own network. */
const SHORTEST_PREFIX = { 32: 8, 128: 16 } as const;

/** Reads an address as a network of one address. null: not an address. */
export function parseAddress(text: string): Network | null {
  const address = text.length > 45 ? null : canonicalIp(text);
  if (address === null) return null;
  return address.includes(':')
    ? { width: 128, prefix: 128, bits: readIpv6(address) }
    : { width: 32, prefix: 32, bits: address.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n) };
}

/** Reads an address or a network in CIDR form. Bits after the prefix are cleared. null: neither, or too large. */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, ...more] = text.split('/');
  const whole = parseAddress(address);
  if (whole === null || more.length > 0) return null;
  if (length === undefined) return whole;
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (prefix < SHORTEST_PREFIX[whole.width] || prefix > whole.width) return null;
  return { ...whole, prefix, bits: truncate(whole, prefix) };
}

/** The bits of the network of this length that contains the address. */
export function truncate({ width, bits }: Network, prefix: number): bigint {
  const rest = BigInt(width - prefix);
  return (bits >> rest) << rest;
}

/** `192.0.2.0/24`; one address stays without a length. */
export function writeNetwork({ width, prefix, bits }: Network): string {
  const address = width === 32 ? writeIpv4(bits) : writeIpv6(bits);
  return prefix === width ? address : `${address}/${prefix}`;
}

function writeIpv4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
}

function writeIpv6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, n) => ((bits >> BigInt(112 - 16 * n)) & 0xffffn).toString(16)).join(':');
  return canonicalIp(groups) ?? groups;
}

/** The address is in its canonical spelling, with at most one `::` and no dots. */
function readIpv6(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce((bits, group) => bits * 65_536n + BigInt(`0x${group}`), 0n);
}
