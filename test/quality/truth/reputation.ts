import { COMPANY, INDICATORS } from '../../../connectors/kit/stand-in/company.js';
import { hashFileName } from './estate.js';

/** The indicators that the intelligence platform knows. All others are unknown. */
export const IPS = {
  bad: {
    commandServer: '203.0.113.5',
    torExit: '203.0.113.17',
    passwordSprayer: '203.0.113.23',
    stealerPanel: '203.0.113.41',
    ransomPanel: '203.0.113.88',
    commandServerV6: '2001:db8:bad::17',
  },
  doubtful: { vpnExit: '198.51.100.77', scanner: '198.51.100.130' },
  good: {
    cdn: '192.0.2.20',
    hotelInOslo: '192.0.2.44',
    resolver: '192.0.2.53',
    updates: '192.0.2.80',
    cloud: '192.0.2.99',
    airportInNewYork: '192.0.2.120',
  },
} as const;

/** `hаrbour-reed` with a Cyrillic а, in the form of browsers and the platform. */
export const HOMOGLYPH = { seen: 'h\u0430rbour-reed.example', known: new URL('http://h\u0430rbour-reed.example/').hostname } as const;

export const DOMAINS = {
  bad: {
    mailboxRenewal: 'secure-mailbox-renewal.example',
    invoicePortal: 'invoice-portal-eu.example',
    commandServer: 'cdn-telemetry-sync.example',
    payroll: 'harbour-reed-payroll.example',
    dropZone: 'files-drop-anon.example',
    ransomChat: 'ransom-chat.example',
    homoglyph: HOMOGLYPH.known,
  },
  doubtful: { fileShare: 'free-file-share.example', dynamic: 'dyn-dns-host.example', young: 'registered-yesterday.example' },
  good: {
    own: COMPANY.domain,
    updates: 'updates.vendor.example',
    cdn: 'cdn.widely-used.example',
    news: 'news.shipping-weekly.example',
    newsSender: 'shipping-weekly.example',
    identity: 'login.identity.example',
    storage: 'storage.cloud.example',
    conference: 'portconference.example',
  },
} as const;

/** Popular names, among which an attacker hides a malicious one. */
export const POPULAR = Array.from({ length: 24 }, (_, n) => `popular-${String(n + 1).padStart(2, '0')}.example`);

export const URLS = {
  bad: {
    mailboxRenewal: 'https://secure-mailbox-renewal.example/renew?u=staff',
    invoicePortal: 'https://invoice-portal-eu.example/download/4471',
    payroll: 'https://harbour-reed-payroll.example/signin',
    dropZone: 'https://files-drop-anon.example/u/9f2c',
    /** A phishing page on a host with a good reputation. */
    onGoodHost: 'https://storage.cloud.example/u/8841/office-login.html',
  },
  doubtful: { shortLink: 'https://free-file-share.example/d/77ab' },
  good: {
    newsletter: 'https://news.shipping-weekly.example/issue/212',
    conference: 'https://portconference.example/programme',
    updates: 'https://updates.vendor.example/catalog.xml',
    storage: 'https://storage.cloud.example/harbour-reed/reports/q3.xlsx',
  },
} as const;

export const FILES = {
  bad: {
    loader: hashFileName('loader'),
    ransomware: hashFileName('ransomware'),
    stealer: hashFileName('stealer'),
    miner: hashFileName('miner'),
    webShell: hashFileName('web shell'),
    loaderMd5: hashFileName('loader', 'md5'),
  },
  doubtful: { toolbar: hashFileName('toolbar'), remoteTool: hashFileName('remote tool') },
  good: {
    adminTool: hashFileName('admin tool'),
    updater: hashFileName('updater'),
    backupAgent: hashFileName('backup agent'),
    officeMacro: hashFileName('macro of the accounting department'),
  },
} as const;

export const CVES = {
  /** On the company's computers, and exploited. */
  bad: { onDatabase: 'CVE-2025-11111' },
  /** A proof of concept is public. */
  doubtful: { onQuiet: 'CVE-2025-33333' },
  /** No known exploitation. */
  good: { archiver: INDICATORS.quietCve, printing: 'CVE-2025-22222' },
} as const;

const SCORES = { bad: 91, doubtful: 45, good: 0 } as const;
const RULES = {
  bad: [{ rule: 'Recent Validated Threat', criticality: 3, text: 'Several independent sightings.' }],
  doubtful: [{ rule: 'Historically Reported', criticality: 2, text: 'Older sightings by one source.' }],
  good: [],
} as const;

const LISTS = [
  { kind: 'ip', type: 'IpAddress', known: IPS },
  { kind: 'domain', type: 'InternetDomainName', known: DOMAINS },
  { kind: 'domain', type: 'InternetDomainName', known: { bad: {}, doubtful: {}, good: POPULAR } },
  { kind: 'url', type: 'URL', known: URLS },
  { kind: 'hash', type: 'Hash', known: FILES },
  { kind: 'vulnerability', type: 'CyberVulnerability', known: CVES },
] as const;

/** Returns the indicators by kind and value, as the stand-in stores them. */
export function knownIndicators() {
  return LISTS.flatMap(({ kind, type, known }) =>
    (['bad', 'doubtful', 'good'] as const).flatMap((repute) =>
      Object.values<string>(known[repute]).map(
        (value) => [`${kind}/${value}`, { type, score: SCORES[repute], evidence: RULES[repute] }] as const,
      ),
    ),
  );
}
