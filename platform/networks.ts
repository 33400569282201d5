import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** A network in CIDR notation, or one address. Null for any other text. */
export function parseNetwork(given: string): Network | null {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(given) || ipaddr.IPv6.isValidCIDR(given)) return ipaddr.parseCIDR(given);
  if (!isIP(given)) return null;
  const address = ipaddr.process(given);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Whether the address is in one of the networks. An IPv4 address that is mapped to IPv6 counts as IPv4. */
export function isInNetworks(given: string, networks: readonly Network[]): boolean {
  if (!isIP(given)) return false;
  const address = ipaddr.process(given);
  return networks.some((network) => network[0].kind() === address.kind() && address.match(network));
}

/** Whether a server on this host name or address accepts connections only from its own machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback');
}
