import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect, createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { untilAborted } from '../../platform/abort.js';
import { canonicalHost, type EgressEntry, EVERY_ORGANIZATION, parseEgressEntry } from '../../platform/egress-allow.js';
import { withTimeLimit } from './time-limit.js';

export interface EgressOptions {
  /**
   * `host:port` or a network that is allowed in addition to public addresses on port 443, for every organization or, after its code,
   * for one.
   */
  readonly allow: readonly string[];
  /** PEM, trusted in addition to the public authorities. */
  readonly ca: string | null;
  /** Resolves all addresses of a name. Default: the system resolver. */
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
/** The time for each address of a name before the next one is tried. */
const NEXT_ADDRESS_AFTER_MS = 2500;
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** The metadata service of Azure, at an address that looks public. */
const METADATA = '168.63.129.16';

/** The only code that opens sockets to third parties: always TLS, and only to addresses that the policy allows. */
export class Egress {
  /** The organization whose entries it allows in addition to those of all; null: no other entries. */
  readonly organization: string | null;
  readonly #entries: readonly EgressEntry[];
  readonly #ofOrganizations = new Map<string, Egress>();
  readonly #places = new Set<string>();
  readonly #networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  readonly #secureContext: SecureContext;
  readonly #resolve: (name: string) => Promise<readonly string[]>;

  constructor({ allow, ca, resolve = resolveBySystem }: EgressOptions, scope: { organization: string; of: Egress } | null = null) {
    this.organization = scope?.organization ?? null;
    this.#entries = scope === null ? allow.map(requireEntry) : scope.of.#entries;
    for (const entry of this.#entries) {
      if (![null, EVERY_ORGANIZATION, this.organization].includes(entry.organization)) continue;
      if ('network' in entry) this.#networks.push(entry.network);
      else this.#places.add(formatHostPort(entry.host, entry.port));
    }
    if (ca !== null && scope === null) requireCertificate(ca);
    this.#secureContext =
      scope === null
        ? createSecureContext({ minVersion: 'TLSv1.2', ...(ca === null ? {} : { ca: [...rootCertificates, ca] }) })
        : scope.of.#secureContext;
    this.#resolve = resolve;
  }

  /** For connections of one organization. null: of the operator, who uses the entries of every organization only. */
  of(organizationCode: string | null): Egress {
    const code = organizationCode?.toLowerCase() ?? null;
    if (code === null || !this.#entries.some(({ organization }) => organization === code)) return this;
    const known = this.#ofOrganizations.get(code);
    if (known) return known;
    const scoped = new Egress({ allow: [], ca: null, resolve: this.#resolve }, { organization: code, of: this });
    this.#ofOrganizations.set(code, scoped);
    return scoped;
  }

  async connectTls(target: EgressTarget): Promise<TLSSocket> {
    return this.connectWith(target, openTls);
  }

  /** For a protocol that begins TLS itself (STARTTLS). The caller sends no content before it has begun TLS with these options. */
  async connectForStartTls(target: EgressTarget): Promise<{ socket: Socket; tls: TlsOptions }> {
    return this.connectWith(target, async (tls, signal) => {
      const { host, port, lookup, autoSelectFamily } = tls;
      const socket = connectPlain({ host, port, lookup, autoSelectFamily, noDelay: true, keepAlive: true });
      return { socket: await untilEvent(socket, 'connect', signal), tls };
    });
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
    // One forbidden address refuses the name: the result must not depend on which address responds.
    for (const address of addresses) {
      const reason = this.#refusal(address, port);
      if (reason !== null) {
        throw new ThirdPartyError('EgressRefused', `The egress policy refuses ${host}: ${reason}.`, {
          resolution: `To allow it, add ${formatHostPort(host, port)} or its network to EGRESS_ALLOW, after the code of the organization and a colon.`,
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
    if (range !== 'unicast') return `its address is not public (${range})`;
    return port === 443 ? null : `port ${port} is not 443`;
  }
}

function requireEntry(text: string): EgressEntry {
  const entry = parseEgressEntry(text);
  if (entry === null) throw new Error(`EGRESS_ALLOW contains ${JSON.stringify(text)}: use host:port or a network.`);
  return entry;
}

function classifyAddress(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address.toString() === METADATA) return 'metadata';
  const range = address.range();
  // ipaddr.js calls every unknown range unicast, including `::127.0.0.1`.
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
    throw new Error('EGRESS_CA_FILE must contain a certificate in PEM format.');
  }
}

function openTls(options: TlsOptions, signal: AbortSignal): Promise<TLSSocket> {
  return untilEvent(connect(options), 'secureConnect', signal);
}

async function untilEvent<Opened extends Socket>(socket: Opened, event: string, signal: AbortSignal): Promise<Opened> {
  try {
    await once(socket, event, { signal });
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

const UNTRUSTED_RESOLUTION = 'If you run its certificate authority, add it to EGRESS_CA_FILE. Otherwise the connection may be intercepted.';
const UNTRUSTED = { why: 'its certificate is not signed by a trusted authority', resolution: UNTRUSTED_RESOLUTION };
const OLD_TLS = { why: 'it does not support TLS 1.2 or newer', resolution: 'Enable TLS 1.2 or newer on that host.' };
const NOT_TLS = { why: 'the server does not use TLS', resolution: 'Check the host and its port.' };
const NO_NAME = { why: 'the name cannot be resolved', resolution: 'Check the host of the connection and the DNS of this machine.' };

const FAILURES: Readonly<Record<string, { readonly why: string; readonly resolution?: string }>> = {
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: { why: 'the DNS server does not respond' },
  ECONNREFUSED: { why: 'nothing listens on that port' },
  ECONNRESET: { why: 'the connection was reset' },
  ETIMEDOUT: { why: 'the host does not respond' },
  EHOSTUNREACH: { why: 'there is no route to the host' },
  ENETUNREACH: { why: 'there is no route to the host' },
  CERT_HAS_EXPIRED: { why: 'its certificate has expired', resolution: 'Ask its operator to renew the certificate.' },
  CERT_NOT_YET_VALID: { why: 'its certificate is not valid yet', resolution: 'Check the clock of this machine.' },
  ERR_TLS_CERT_ALTNAME_INVALID: { why: 'its certificate is for another name', resolution: 'Check the host of the connection.' },
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

/** If several addresses fail, the error has the code of the first. */
export function readErrorCode(error: unknown): string {
  return hasErrorCode(error) ? error.code : 'unknown error';
}

function hasErrorCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
