import { describe, expect, it } from 'vitest';
import { endpointDetection } from '../../../connectors/endpoint-detection/contract.js';
import { listCautionsOf, type Protection } from '../../../domain/response/response-rules.js';
import { listTargets, readAffectedAssets, selectReads } from '../../../domain/response/write.js';

const { createIndicator } = endpointDetection.skills;
const host = (value: string) => ({ kind: 'host' as const, value, reason: 'Ours.' });
const FILES: Protection = { assets: [host('files.harbour.example')], ownDomains: [] };
const SHORT: Protection = { assets: [host('files')], ownDomains: ['harbour.example'] };
const ADDRESS: Protection = { assets: [host('10.20.0.7')], ownDomains: [] };
const NETWORK: Protection = { assets: [host('10.20.0.0/24')], ownDomains: [] };
const IPV6: Protection = { assets: [host('2001:db8::7')], ownDomains: [] };
const IDN: Protection = { assets: [host('Büro.example')], ownDomains: [] };
const TAG: Protection = { assets: [{ kind: 'tag', value: 'servers', reason: 'Ours.' }], ownDomains: ['harbour.example'] };

/** The cautions of a block that a person requests. The third party has no machine with its name or address. */
function cautionsFor(indicator_type: string, indicator_value: string, protection: Protection): string[] {
  const input = { indicator_type, indicator_value, action: 'Block' };
  const answers = selectReads(createIndicator.touches, input).map((read) => ({ read, output: { items: [] }, isComplete: true }));
  const assets = readAffectedAssets(createIndicator, input, answers);
  return listCautionsOf({ alertUuid: null, assets }, protection, listTargets(createIndicator, input));
}

/** Each spelling names the protected host, contains it, lies in it, or leaves open what it names. */
const BYPASSES: readonly (readonly [type: string, value: string, protection: Protection])[] = [
  // Plain spellings of the name.
  ['DomainName', 'files.harbour.example', FILES],
  ['DomainName', 'FILES.Harbour.EXAMPLE', FILES],
  ['DomainName', 'files.harbour.example.', FILES],
  ['DomainName', 'files.harbour.example..', FILES],
  ['DomainName', ' files.harbour.example', FILES],
  ['DomainName', 'files.harbour.example \t', FILES],
  ['DomainName', '\nfiles.harbour.example', FILES],
  ['DomainName', '\u00a0files.harbour.example', FILES],
  ['DomainName', 'files', FILES],
  ['DomainName', 'files.', FILES],
  ['DomainName', '.files.harbour.example', FILES],
  ['DomainName', 'files..harbour.example', FILES],
  ['DomainName', 'fi\u00adles.harbour.example', FILES],
  ['DomainName', 'fi\u200bles.harbour.example', FILES],
  ['DomainName', 'files\u3002harbour\uff0eexample', FILES],
  ['DomainName', 'ｆｉｌｅｓ.harbour.example', FILES],
  ['DomainName', 'ﬁles.harbour.example', FILES],
  ['DomainName', 'files%2eharbour%2Eexample', FILES],
  ['DomainName', '%66iles.harbour.example', FILES],
  ['DomainName', 'files%252eharbour.example', FILES],
  ['DomainName', 'files.harbour.example:8443', FILES],
  ['DomainName', 'https://files.harbour.example', FILES],
  // Patterns and parents.
  ['DomainName', '*.harbour.example', FILES],
  ['DomainName', '*.files.harbour.example', FILES],
  ['DomainName', 'f*.harbour.example', FILES],
  ['DomainName', '.harbour.example', FILES],
  ['DomainName', 'harbour.example', FILES],
  ['DomainName', 'HARBOUR.example.', FILES],
  ['DomainName', 'example', FILES],
  ['DomainName', '*', FILES],
  ['DomainName', 'files.*', FILES],
  ['DomainName', 'share.files.harbour.example', FILES],
  // URLs.
  ['Url', 'https://files.harbour.example/share', FILES],
  ['Url', 'files.harbour.example/share', FILES],
  ['Url', 'files.harbour.example', FILES],
  ['Url', 'files.harbour.example:8443/share', FILES],
  ['Url', '//files.harbour.example/share', FILES],
  ['Url', '\\\\files.harbour.example\\share', FILES],
  ['Url', 'HTTPS:files.harbour.example', FILES],
  ['Url', 'https:/files.harbour.example/', FILES],
  ['Url', 'https:\\\\files.harbour.example', FILES],
  ['Url', 'https://dana:secret@files.harbour.example/', FILES],
  ['Url', 'https://good.example@files.harbour.example/', FILES],
  ['Url', 'https://files.harbour.example.:443/', FILES],
  ['Url', 'https://files.harbour.example?x=1', FILES],
  ['Url', 'https://files.harbour.example#x', FILES],
  ['Url', 'ftp://FILES.harbour.example/', FILES],
  ['Url', 'smb://FILES.harbour.example/share', FILES],
  ['Url', 'ht\ttps://files.harbour.example', FILES],
  ['Url', 'https://*.harbour.example/', FILES],
  ['Url', 'https://harbour.example/', FILES],
  ['Url', 'https://[files', FILES],
  // Short names in a domain of the organization.
  ['DomainName', 'files.harbour.example', SHORT],
  ['DomainName', 'harbour.example', SHORT],
  ['DomainName', '*.harbour.example', SHORT],
  ['Url', 'https://harbour.example/', SHORT],
  ['DomainName', 'unknown.example', { ...SHORT, ownDomains: [] }],
  // Addresses.
  ['IpAddress', '10.20.0.7', ADDRESS],
  ['IpAddress', ' 10.20.0.7', ADDRESS],
  ['IpAddress', '::ffff:10.20.0.7', ADDRESS],
  ['IpAddress', '::FFFF:0a14:0007', ADDRESS],
  ['IpAddress', '0:0:0:0:0:ffff:0a14:0007', ADDRESS],
  ['IpAddress', '::10.20.0.7', ADDRESS],
  ['IpAddress', '64:ff9b::10.20.0.7', ADDRESS],
  ['IpAddress', '2002:a14:7::1', ADDRESS],
  ['IpAddress', '::ffff:0:10.20.0.7', ADDRESS],
  ['IpAddress', '10.20.7', ADDRESS],
  ['IpAddress', '169082887', ADDRESS],
  ['IpAddress', '0x0a140007', ADDRESS],
  ['IpAddress', '0x0a.0x14.0.7', ADDRESS],
  ['IpAddress', '012.024.0.07', ADDRESS],
  ['IpAddress', '10.20.0.7:8443', ADDRESS],
  ['IpAddress', '10.20.0.0/16', ADDRESS],
  ['IpAddress', '10.20.0.7/32', ADDRESS],
  ['IpAddress', '::ffff:10.20.0.0/112', ADDRESS],
  ['IpAddress', '0.0.0.0/0', ADDRESS],
  ['IpAddress', '10.20.0.1-10.20.0.9', ADDRESS],
  ['Url', 'http://10.20.0.7/share', ADDRESS],
  ['Url', 'http://0x0a.20.7/', ADDRESS],
  ['Url', 'http://[::ffff:a14:7]/', ADDRESS],
  ['Url', 'http://10.20.0.7/24', ADDRESS],
  ['DomainName', '10.20.0.7', ADDRESS],
  ['IpAddress', '10.20.0.99', NETWORK],
  ['IpAddress', '10.20.0.128/25', NETWORK],
  ['IpAddress', '2001:0db8:0:0::7', IPV6],
  ['IpAddress', '[2001:DB8::7]', IPV6],
  ['IpAddress', 'fe80::1%eth0', { assets: [host('fe80::1')], ownDomains: [] }],
  ['Url', 'https://[2001:db8::7]:8443/', IPV6],
  ['IpAddress', '2001:db8::/32', IPV6],
  ['IpAddress', '10.20.0.0/16', FILES],
  ['IpAddress', '::/0', ADDRESS],
  // Other alphabets.
  ['DomainName', 'xn--bro-hoa.example', IDN],
  ['DomainName', 'BÜRO.example', IDN],
  ['DomainName', 'bu\u0308ro.example', IDN],
  ['Url', 'https://b%C3%BCro.example/', IDN],
  // Any host can have the file or the certificate.
  ['FileSha256', 'a'.repeat(64), FILES],
  ['FileSha1', 'b'.repeat(40), SHORT],
  ['FileMd5', 'c'.repeat(32), TAG],
  ['CertificateThumbprint', 'd'.repeat(40), FILES],
  ['DomainName', 'harbour.example', TAG],
];

const HARMLESS: readonly (readonly [type: string, value: string, protection: Protection])[] = [
  ['DomainName', 'bad.example', FILES],
  ['DomainName', 'files.other.example', FILES],
  ['DomainName', 'otherfiles.harbour.example', FILES],
  ['DomainName', 'notharbour.example', FILES],
  ['DomainName', 'harbour.example.bad.example', FILES],
  ['DomainName', 'files.harbour.example.bad.example', FILES],
  ['DomainName', 'file', FILES],
  ['DomainName', '*.bad.example', FILES],
  ['DomainName', 'bad.example', SHORT],
  ['DomainName', 'cdn.bad.example', SHORT],
  ['DomainName', 'bad.example', TAG],
  ['Url', 'https://bad.example/files.harbour.example', FILES],
  ['Url', 'https://files.harbour.example@bad.example/', FILES],
  ['Url', 'https://bad.example/?to=https://files.harbour.example/', FILES],
  ['Url', 'bad.example/10.20.0.7', ADDRESS],
  ['Url', 'https://bad.example:8443/#files', SHORT],
  ['IpAddress', '203.0.113.66', FILES],
  ['IpAddress', '203.0.113.66', ADDRESS],
  ['IpAddress', '10.20.0.70', ADDRESS],
  ['IpAddress', '::ffff:10.20.1.7', NETWORK],
  ['IpAddress', '203.0.113.0/24', ADDRESS],
  ['IpAddress', '2001:db8::8', IPV6],
  ['DomainName', 'buro.example', IDN],
  ['FileSha256', 'a'.repeat(64), { assets: [], ownDomains: [] }],
  ['DomainName', 'bad%252eexample', { assets: [], ownDomains: [] }],
];

describe('a block that can affect a protected asset', () => {
  it.each(BYPASSES)('needs two approvals as the %s %j', (type, value, protection) => {
    expect(cautionsFor(type, value, protection)).not.toEqual([]);
  });
});

describe('a block of another target', () => {
  it.each(HARMLESS)('needs one approval as the %s %j', (type, value, protection) => {
    expect(cautionsFor(type, value, protection)).toEqual([]);
  });
});
