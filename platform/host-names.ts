import { isIP } from 'node:net';
import { isLoopback } from './networks.js';

/** The host of a `Host` header or of a setting as browsers spell it, without port, brackets and final dot. null: it names no host. */
export function readHostName(header: string): string | null {
  if (!/^[^\s/?#@\\]+$/.test(header) || !URL.canParse(`http://${header}`)) return null;
  return new URL(`http://${header}`).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '') || null;
}

export type IsOwnHost = (header: string | undefined) => boolean;

/**
 * Recognizes requests that name this service. The page of another site can make its own name lead to this machine (DNS rebinding), and
 * the browser then sends that name. It cannot do so with an address: `anyAddress` accepts each of them.
 */
export function createHostCheck(names: readonly string[], { anyAddress = false } = {}): IsOwnHost {
  const own = new Set(names.map(readHostName));
  return (header) => {
    const name = header === undefined ? null : readHostName(header);
    return name !== null && (own.has(name) || isLoopback(name) || (anyAddress && isIP(name) !== 0));
  };
}

/** The host and port of a URL, for `createHostCheck`; none without a URL. */
export function listHosts(...urls: readonly (string | undefined)[]): string[] {
  return urls.flatMap((url) => (url !== undefined && URL.canParse(url) ? [new URL(url).host] : []));
}
