import { generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';

export interface Authority {
  readonly caPem: string;
  /** A server certificate for these host names and addresses. */
  issue(hosts: string[]): Promise<{ key: string; cert: string }>;
}

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const createPair = (): Promise<Pair> => promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
const LIFETIME_MS = 365 * 24 * 3600 * 1000;

/** A certificate authority of this process. Its key stays in memory. Only processes with `caPem` trust it. */
export async function createAuthority(): Promise<Authority> {
  const name = `alert-investigator stand-ins ${randomBytes(4).toString('hex')}`;
  const own = await createPair();
  const caPem = certify({ subject: name, issuer: name, publicKey: own.publicKey, signWith: own.privateKey, extensions: [IS_AUTHORITY] });
  return {
    caPem,
    async issue(hosts) {
      const pair = await createPair();
      const cert = certify({
        subject: hosts[0] ?? 'nobody',
        issuer: name,
        publicKey: pair.publicKey,
        signWith: own.privateKey,
        extensions: [alternativeNames(hosts)],
      });
      return { key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
    },
  };
}

// X.509 (RFC 5280) in DER: each value has a tag, a length and its content.
const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTC_TIME = 0x17;
const UTF8_STRING = 0x0c;
const VERSION_3 = der(0xa0, der(INTEGER, Buffer.from([2])));
const ECDSA_WITH_SHA256 = der(SEQUENCE, oid('2a8648ce3d040302'));
const TRUE = Buffer.from('0101ff', 'hex');
const IS_AUTHORITY = der(SEQUENCE, oid('551d13'), TRUE, der(OCTET_STRING, der(SEQUENCE, TRUE)));

function certify(wanted: {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signWith: KeyObject;
  extensions: readonly Buffer[];
}): string {
  const nowMs = Date.now();
  const toBeSigned = der(
    SEQUENCE,
    VERSION_3,
    // The first byte keeps the number positive and without leading zeros.
    der(INTEGER, Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    commonName(wanted.issuer),
    // Valid since an hour ago, for clients with a slow clock.
    der(SEQUENCE, time(nowMs - 3_600_000), time(nowMs + LIFETIME_MS)),
    commonName(wanted.subject),
    wanted.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...wanted.extensions)),
  );
  const signature = sign('sha256', toBeSigned, wanted.signWith);
  const certificate = der(SEQUENCE, toBeSigned, ECDSA_WITH_SHA256, der(BIT_STRING, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  );
  return der(SEQUENCE, oid('551d11'), der(OCTET_STRING, der(SEQUENCE, ...names)));
}

function commonName(name: string): Buffer {
  return der(SEQUENCE, der(SET, der(SEQUENCE, oid('550403'), der(UTF8_STRING, Buffer.from(name)))));
}

function time(ms: number): Buffer {
  return der(UTC_TIME, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
