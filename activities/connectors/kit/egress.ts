import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, type LookupFunction } from 'node:net';
import { connect, createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { ThirdPartyError } from '../../../domain/connection/skill-errors.js';
import { untilAborted } from '../../../platform/abort.js';
import { canonicalHost, parseEgressEntry } from '../../../platform/egress-allow.js';
import { withTimeLimit } from './time-limit.js';

export interface EgressOptions {
  /** `host:port` or a network: where connections may lead beside public addresses on port 443. */
  readonly allow: readonly string[];
  /** PEM, trusted beside the public authorities. */
  readonly ca: string | null;
  /** All addresses of a name. The system's way unless told. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

export interface EgressTarget {
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
}

/** Options for `tls.connect`, by Node or by a library. */
export interface TlsOptions {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: true;
  readonly noDelay: true;
  readonly keepAlive: true;
  readonly autoSelectFamily: true;
  readonly autoSelectFamilyAttemptTimeout: number;
  /** Answers with the checked addresses only. */
  readonly lookup: LookupFunction;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Each address of a name has this long before the next one is tried. */
const NEXT_ADDRESS_AFTER_MS = 2500;
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Azure answers machines about themselves at this address, which looks public. */
const METADATA = '168.63.129.16';

/** The only place that opens a socket to a third party: TLS always, and only to where the policy lets it. */
export class Egress {
  readonly #places = new Set<string>();
  readonly #networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  readonly #secureContext: SecureContext;
  readonly #resolve: (name: string) => Promise<readonly string[]>;

  constructor({ allow, ca, resolve = resolveBySystem }: EgressOptions) {
    for (const text of allow) {
      const entry = parseEgressEntry(text);
      if (entry === null) throw new Error(`EGRESS_ALLOW holds ${JSON.stringify(text)}, which is neither host:port nor a network.`);
      if ('network' in entry) this.#networks.push(entry.network);
      else this.#places.add(formatHostPort(entry.host, entry.port));
    }
    if (ca !== null) requireCertificate(ca);
    this.#secureContext = createSecureContext({ minVersion: 'TLSv1.2', ...(ca === null ? {} : { ca: [...rootCertificates, ca] }) });
    this.#resolve = resolve;
  }

  async connectTls(target: EgressTarget): Promise<TLSSocket> {
    return this.connectWith(target, openTls);
  }

  /**
   * For a library that opens its own socket. The options connect by TLS to the addresses that passed the check: the name is
   * resolved once, so it cannot lead elsewhere later.
   */
  async connectWith<Connected>(
    { host: given, port, signal, limitMs = CONNECT_TIMEOUT_MS }: EgressTarget & { readonly limitMs?: number },
    open: (options: TlsOptions, signal: AbortSignal) => Promise<Connected>,
  ): Promise<Connected> {
    const host = canonicalHost(given);
    if (host === null) throw new ThirdPartyError('EgressRefused', 'The connection has no valid host name or address.');
    return withTimeLimit(limitMs, signal, async (limit) => {
      try {
        const addresses = await untilAborted(this.#admittedAddresses(host, port), limit);
        return await open(this.#tlsOptions(host, port, addresses), limit);
      } catch (error) {
        if (error instanceof ThirdPartyError) throw error;
        if (signal.aborted) throw unavailable(`The connection to ${host} was cancelled.`);
        if (limit.aborted) throw unavailable(`${host} cannot be reached: no connection within ${limitMs / 1000} seconds.`);
        // An error without a code is the library's own, such as a refused login.
        throw hasErrorCode(error) ? explain(error, host) : error;
      }
    });
  }

  #tlsOptions(host: string, port: number, addresses: readonly string[]): TlsOptions {
    return {
      host,
      port,
      // TLS has no server name for an IP address: Node then compares the certificate with the address.
      servername: isIP(host) ? '' : host,
      secureContext: this.#secureContext,
      rejectUnauthorized: true,
      noDelay: true,
      keepAlive: true,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      lookup: (_name, _options, found) =>
        found(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
    };
  }

  async #admittedAddresses(host: string, port: number): Promise<readonly string[]> {
    const addresses = isIP(host) ? [host] : await this.#resolve(host);
    if (addresses.length === 0) throw unavailable(`${host} cannot be reached: the name has no address.`);
    if (this.#places.has(formatHostPort(host, port))) return addresses;
    // One wrong address refuses the name: what it leads to must not depend on which one answers.
    for (const address of addresses) {
      const reason = this.#refusal(address, port);
      if (reason !== null) {
        throw new ThirdPartyError('EgressRefused', `${host} is not connected to: ${reason}.`, {
          resolution: `If this service is meant to connect there, add ${formatHostPort(host, port)} or its network to EGRESS_ALLOW.`,
        });
      }
    }
    return addresses;
  }

  #refusal(text: string, port: number): string | null {
    if (!ipaddr.isValid(text)) return 'its address is not an IP address';
    const address = ipaddr.process(text);
    if (this.#places.has(formatHostPort(address.toString(), port))) return null;
    if (this.#networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))) return null;
    const range = classifyAddress(address);
    if (range !== 'unicast') return `it leads to an address that is not public (${range})`;
    return port === 443 ? null : `port ${port} is not 443`;
  }
}

function classifyAddress(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address.toString() === METADATA) return 'metadata';
  const range = address.range();
  // ipaddr.js calls everything that it has no name for unicast, `::127.0.0.1` too.
  return address instanceof ipaddr.IPv6 && range === 'unicast' && !address.match(GLOBAL_IPV6) ? 'reserved' : range;
}

function formatHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

async function resolveBySystem(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

function requireCertificate(pem: string): void {
  try {
    new X509Certificate(pem);
  } catch {
    throw new Error('EGRESS_CA_FILE holds no certificate in PEM.');
  }
}

async function openTls(options: TlsOptions, signal: AbortSignal): Promise<TLSSocket> {
  const socket = connect(options);
  try {
    await once(socket, 'secureConnect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  }
}

function unavailable(message: string, resolution?: string): ThirdPartyError {
  return new ThirdPartyError('Unavailable', message, { mayHaveHappened: false, ...(resolution === undefined ? {} : { resolution }) });
}

const TRUST_IT = 'Give its certificate authority in EGRESS_CA_FILE if it is one of your own; otherwise somebody may stand in between.';
const UNTRUSTED = { why: 'its certificate is signed by nobody we trust', resolution: TRUST_IT };
const OLD_TLS = { why: 'it does not speak TLS 1.2 or newer', resolution: 'Let it speak TLS 1.2 or newer.' };
const NOT_TLS = { why: 'what answers there does not speak TLS', resolution: 'Check the host and its port.' };
const NO_NAME = { why: 'the name cannot be resolved', resolution: 'Check the host in the connection, and the DNS of this machine.' };

const FAILURES: Readonly<Record<string, { readonly why: string; readonly resolution?: string }>> = {
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: { why: 'the DNS does not answer' },
  ECONNREFUSED: { why: 'nothing listens there' },
  ECONNRESET: { why: 'the connection was reset' },
  ETIMEDOUT: { why: 'nobody answers there' },
  EHOSTUNREACH: { why: 'there is no way to it from here' },
  ENETUNREACH: { why: 'there is no way to it from here' },
  CERT_HAS_EXPIRED: { why: 'its certificate has expired', resolution: 'Let its operator renew the certificate.' },
  CERT_NOT_YET_VALID: { why: 'its certificate is not valid yet', resolution: 'Check the clock of this machine.' },
  ERR_TLS_CERT_ALTNAME_INVALID: { why: 'its certificate is for another name', resolution: 'Check the host in the connection.' },
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OLD_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: OLD_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
};

function explain(error: unknown, host: string): ThirdPartyError {
  const code = readErrorCode(error);
  const { why, resolution } = FAILURES[code] ?? { why: `the connection failed (${code})` };
  return unavailable(`${host} cannot be reached: ${why}.`, resolution);
}

/** Several addresses fail as one error, whose code is that of the first. */
export function readErrorCode(error: unknown): string {
  return hasErrorCode(error) ? error.code : 'unknown error';
}

function hasErrorCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
