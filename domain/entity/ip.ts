import ipaddr from 'ipaddr.js';

export type Ip = ipaddr.IPv4 | ipaddr.IPv6;

// ipaddr.js throws on any other text, which costs 100 times more. Logs are full of times and MAC addresses.
const IPV4_SHAPE = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const IPV6_SHAPE = /^(?=.*::|(?:[^:]*:){6,7}[^:]*$)[0-9a-f:.]{2,45}$/i;

function isIpv4(text: string): boolean {
  return IPV4_SHAPE.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text);
}

/** The IPv4 part has no leading zeros either, which some programs read as octal numbers. */
function isIpv6(text: string): boolean {
  const end = text.slice(text.lastIndexOf(':') + 1);
  return IPV6_SHAPE.test(text) && (!end.includes('.') || isIpv4(end)) && ipaddr.IPv6.isValid(text);
}

/** IPv4-mapped IPv6, as dual-stack sockets log it, becomes IPv4. null: not an address. */
export function parseIp(text: string): Ip | null {
  return isIpv4(text) || isIpv6(text) ? ipaddr.process(text) : null;
}

/** One spelling for each address; null: not an address. */
export function canonicalIp(text: string): string | null {
  return isIpv4(text) ? text : (parseIp(text)?.toString() ?? null);
}
