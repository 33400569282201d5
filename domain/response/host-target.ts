import ipaddr from 'ipaddr.js';
import type { Ip } from '../entity/ip.js';

/** The hosts that a text names. `name`: lower case, ASCII, without dots at the ends. */
export type HostTarget =
  | { readonly kind: 'name'; readonly name: string; readonly isPattern: boolean }
  | { readonly kind: 'network'; readonly first: Ip; readonly prefix: number };

// Other schemes than these need a slash, because `files:8443` is a host with a port.
const SCHEME = /^(?:(?:https?|wss?|ftps?|file):|[a-z][a-z0-9+.-]*:(?=[\\/]))/i;
const LABEL = /^[a-z0-9_*](?:[a-z0-9_*-]{0,61}[a-z0-9_*])?$/;
const MAX_NAME = 253;

/**
 * Reads a name, an address, a network or a URL in each spelling that a third party could accept, by the rules of URLs: `0x0a.20.7` is
 * an address, `FILES%2eharbour.example.` a name. null: it names no host, or it is not certain which.
 */
export function parseHostTarget(text: string): HostTarget | null {
  // URLs leave these characters out too.
  const bare = text
    .replace(/[\t\r\n]/g, '')
    .trim()
    .replace(SCHEME, '')
    .replace(/^[\\/]+/, '');
  const address = readAddress(bare);
  if (address !== null) return address;
  if (!URL.canParse(`http://${bare}`)) return null;
  const { hostname, pathname } = new URL(`http://${bare}`);
  return readAddress(hostname + (/^\/\d{1,3}$/.test(pathname) ? pathname : '')) ?? readName(hostname);
}

function readName(hostname: string): HostTarget | null {
  const labels = hostname
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '');
  const name = labels.join('.');
  if (name === '' || name.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) return null;
  const lastPattern = labels.findLastIndex((label) => label.includes('*'));
  if (lastPattern === labels.length - 1) return null;
  const isPattern = lastPattern >= 0 || hostname.startsWith('.');
  return { kind: 'name', name: labels.slice(lastPattern + 1).join('.'), isPattern };
}

/** One address, also in brackets or with a zone, or a network in CIDR form. */
function readAddress(text: string): HostTarget | null {
  const [, literal = '', length] = /^\[?([0-9a-f:.]+?)(?:%[^\]/]*)?\]?(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const isAddress = ipaddr.IPv6.isValid(literal) || ipaddr.IPv4.isValidFourPartDecimal(literal);
  if (!isAddress) return null;
  const given = ipaddr.parse(literal);
  const embedded = given instanceof ipaddr.IPv6 ? readEmbedded(given) : null;
  const first = embedded ?? given;
  const bits = first.kind() === 'ipv4' ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length) - (embedded === null ? 0 : 96);
  if (prefix > bits) return null;
  return { kind: 'network', first, prefix: Math.max(0, prefix) };
}

/** Networks of IPv6 that contain the addresses of IPv4, and the place of the first byte. */
const EMBEDDING: readonly (readonly [network: string, at: number])[] = [
  ['::ffff:0:0/96', 12],
  ['::ffff:0:0:0/96', 12],
  ['64:ff9b::/96', 12],
  ['2002::/16', 2],
  ['::/96', 12],
];
const EMBEDDING_NETWORKS = EMBEDDING.map(([network, at]) => ({ network: ipaddr.IPv6.parseCIDR(network), at }));

function readEmbedded(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const found = EMBEDDING_NETWORKS.find(({ network }) => address.match(network));
  const isSpecial = ['unspecified', 'loopback'].includes(address.range());
  return found === undefined || isSpecial ? null : new ipaddr.IPv4(address.toByteArray().slice(found.at, found.at + 4));
}

/** The one spelling of a name or of an address; null for a text that names several hosts or none. */
export function readSingleHost(text: string): { readonly kind: 'name' | 'address'; readonly value: string } | null {
  const target = parseHostTarget(text);
  if (target?.kind === 'name') return target.isPattern ? null : { kind: 'name', value: target.name };
  if (target === null || target.prefix !== bitsOf(target.first)) return null;
  return { kind: 'address', value: target.first.toString() };
}

const bitsOf = (address: Ip) => (address.kind() === 'ipv4' ? 32 : 128);

/** More than one address. */
export function isNetwork(target: HostTarget): boolean {
  return target.kind === 'network' && target.prefix < bitsOf(target.first);
}

/** Whether one of two domains is the other or contains it. */
export function isNested(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

function firstLabel(name: string): string {
  return name.split('.')[0] ?? name;
}

/**
 * Whether a write to the target affects the protected host. null: that cannot be known. `domains`: those of the organization, in
 * which its short names are; without any, each domain can be one. null for a target that is one machine.
 */
export function affectsHost(target: HostTarget | null, host: string, domains: readonly string[] | null): boolean | null {
  const asset = parseHostTarget(host);
  if (target === null || asset === null) return null;
  if (target.kind === 'network' && asset.kind === 'network') {
    // A network of IPv6 can contain the addresses of IPv4.
    if (target.first.kind() !== asset.first.kind()) return target.first.kind() === 'ipv6' && isNetwork(target) ? null : false;
    const prefix = Math.min(target.prefix, asset.prefix);
    return matches(target.first, asset.first, prefix);
  }
  // The third party lists the machines that have one address. It does not list those of a network.
  if (target.kind === 'network') return isNetwork(target) ? null : false;
  if (asset.kind === 'network') return target.isPattern ? null : false;
  if (isNested(target.name, asset.name)) return true;
  if (!target.isPattern && (firstLabel(target.name) === asset.name || target.name === firstLabel(asset.name))) return true;
  if (asset.name.includes('.') || domains === null) return false;
  if (domains.length === 0) return target.isPattern || target.name.includes('.') ? null : false;
  return domains.some((domain) => isNested(target.name, domain));
}

function matches(one: Ip, other: Ip, prefix: number): boolean {
  if (one instanceof ipaddr.IPv4 && other instanceof ipaddr.IPv4) return one.match(other, prefix);
  return one instanceof ipaddr.IPv6 && other instanceof ipaddr.IPv6 && one.match(other, prefix);
}
