import { refang } from '../entity/canonical.js';
import type { Entity } from '../entity/entity.js';
import { canonicalIp } from '../entity/ip.js';
import type { NamedKind } from './field-names.js';

const PLACEHOLDER =
  /^(?:-|--|n\/?a|none|null|nil|unknown|undefined|not available|anonymous|\(null\)|localhost|unbekannt|keine?r?|inconnu|desconocido|неизвестно|不明|未知)$/i;
/** What a sender fills in: `{{user}}`, `${host.name}`, `%USERNAME%`, `<device>`. */
const TEMPLATE = /\$\{|\{\{|\{%|^[{<%$][\p{L}_ .:-]+[}>%]?$/u;
/** The path of a field instead of its value: `actor.user.name`. */
const FIELD_PATH =
  /^(?:actor|user|host|device|source|src|destination|dest|dst|target|client|server|subject|event|process|account|agent|observer|principal|entity|alert|fields|data|properties|winlog|cloud|file|group|rule|service|threat)(?:[._][a-z]{2,20}){0,4}[._](?:name|id|uid|user|username|hostname|host|fqdn|upn|email|mail|displayname|domain|value|group)$/i;

export function isFieldPath(text: string): boolean {
  return FIELD_PATH.test(text);
}

/** Longer than the numbers that systems give to their accounts, shorter than a time. */
const EMPLOYEE_NUMBER = /^\d{5,9}$/;
/** Text of fixed width in a ticket: `{{84507}}`. */
const MONOSPACED = /^\{\{([^{}]*\d[^{}]*)\}\}$/;
/** A counter or a row number. */
const DIGIT = /^\d$/;
const BUILT_IN_ACCOUNT = /^(?:nt authority\\)?(?:system|local service|network service|anonymous logon)$/i;
const HOST_NAME = /^(?=.*[a-z])[a-z0-9_][a-z0-9_.-]{0,252}$/i;
const ID = /^(?=.*[1-9a-f])(?=.*\d)[a-z0-9][\w:.-]{0,127}$/i;
/** `hostname: ws-014; 94d8a3b6…`: the digest of a file in a list is no machine. */
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{128})$/i;
const DEVICE_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const MAX_RAW_LENGTH = 1024;

const NORMALIZERS: Record<NamedKind, (raw: string) => Entity | null> = {
  user(raw) {
    const value = raw
      .normalize('NFC')
      .replace(/\\{2,}/g, '\\')
      .replace(/(@.*[^.])\.$/, '$1')
      .toLowerCase();
    const isName =
      value.length <= 256 &&
      (/\p{L}/u.test(value) || EMPLOYEE_NUMBER.test(value)) &&
      !/\p{Cc}|:\/\//u.test(value) &&
      !BUILT_IN_ACCOUNT.test(value);
    return isName ? { kind: 'user', value } : null;
  },
  host(raw) {
    const value = raw.replace(/^(\[.*\]|[^:]+):\d{1,5}$/, '$1').replace(/^\[(.*)\]$|\.$/g, '$1');
    const ip = canonicalIp(value);
    if (ip) return { kind: 'ip', value: ip };
    if (DEVICE_ID.test(value)) return { kind: 'machine-id', value: value.toLowerCase() };
    return HOST_NAME.test(value) && !value.includes('..') && !DIGEST.test(value) ? { kind: 'host', value: value.toLowerCase() } : null;
  },
  'machine-id'(raw) {
    const value = raw.replace(/^\{(.*)\}$/, '$1').toLowerCase();
    return ID.test(value) ? { kind: 'machine-id', value } : null;
  },
  'incident-id'(raw) {
    const value = raw.replace(/^#/, '');
    return ID.test(value) ? { kind: 'incident-id', value } : null;
  },
  'alert-id'(raw) {
    const value = raw.replace(/^#/, '');
    return ID.test(value) ? { kind: 'alert-id', value } : null;
  },
  'investigation-id'(raw) {
    return ID.test(raw) ? { kind: 'investigation-id', value: raw } : null;
  },
};

/** The entity that a named value is, in its normalised spelling; null where the value is a placeholder, stands for a value, or has another form. */
export function readNamedValue(kind: NamedKind, raw: string): Entity | null {
  if (raw.length > MAX_RAW_LENGTH) return null;
  const value = refang(raw.trim().replace(MONOSPACED, '$1'));
  const isStandIn = isFieldPath(value) || [PLACEHOLDER, TEMPLATE, DIGIT].some((form) => form.test(value));
  return isStandIn ? null : NORMALIZERS[kind](value);
}

/**
 * Ids that no other value looks like: of an endpoint alert, of a playbook alert, resource names of the investigation platform,
 * and the number in the address of an incident's page.
 */
const ID_FORMS = new RegExp(
  [
    String.raw`(?<![\w-])(?<endpointAlert>[a-z]{2}\d{17,19}_-?\d{4,12})(?!\w)`,
    String.raw`(?<![\w:])(?<playbookAlert>task:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])`,
    String.raw`(?<![\w:])(?<resource>rrn:[a-z]{1,20}:[\w-]{0,20}:[\w-]{0,40}:[a-z]{1,20}:[\w:-]{1,80})`,
    String.raw`\/incidents?2?\/(?<incident>\d{2,12})(?![\w-])`,
  ].join('|'),
  'g',
);
/** `DOMAIN\user`. A path has more backslashes, a drive or a file name, and a registry key has a known root. */
const ACCOUNT_FORM = /(?<![\w\\/:.@%-])[A-Z][A-Z0-9-]{1,14}\\{1,2}[A-Za-z0-9][\w.$-]{1,63}(?![\w\\$])/g;
const NOT_AN_ACCOUNT =
  /^(?:HK[A-Z_]+|REGISTRY|BUILTIN|AUTHORITY|SERVICE|SOFTWARE|SYSTEM|WINDOWS|PIPE|DEVICE)\\|\.(?:exe|dll|sys|ps1|bat|cmd|vbs|js|lnk|docx?|xlsx?|pdf|zip|txt)$/i;

/** Words for kinds of devices, as companies use them in the names of their machines. */
const DEVICE_WORD =
  'ws|wks|wkst|pc|lt|lap|laptop|nb|notebook|desktop|dt|tablet|mac|mbp|imac|vm|vdi|srv|svr|server|host|node|dc|db|sql|fs|nas|web|app|mail|exch|term|kiosk|pos|print|prn|fw|vpn|gw|esx|win|lnx';
/** `ab-ws-101`, `DESKTOP-7F3K2Q`, `web-prod-03`: a word for a device and a number. Also the first part of a full name. */
const HOST_FORM = new RegExp(
  String.raw`(?<![\w.\\/@:=?&%#$-])(?:[a-z0-9]{1,15}-){0,3}(?:${DEVICE_WORD})\d{0,6}(?:-[a-z0-9]{1,15}){0,3}(?![\w@\\/(=$-])`,
  'gi',
);
/** `web-1` alone is too short to be sure, and a region of a cloud looks the same. */
const IS_HOST = /^(?=.*\d)(?=.*-)(?=.{5})(?!(?:cve|rfc|iso|sha|utf|kb|ms|us|eu|ap|sa|ca|af|me)-)[a-z0-9-]+$/i;

/** Entities that their form alone identifies, in any text. */
export function findEntitiesByForm(text: string): Entity[] {
  const ids = [...text.matchAll(ID_FORMS)].flatMap(({ groups = {} }): Entity[] => {
    const alertId = groups['endpointAlert'] ?? groups['playbookAlert'];
    if (alertId !== undefined) return [{ kind: 'alert-id', value: alertId }];
    if (groups['incident'] !== undefined) return [{ kind: 'incident-id', value: groups['incident'] }];
    const value = (groups['resource'] ?? '').replace(/[:-]+$/, '');
    if (value.startsWith('rrn:investigation:')) return [{ kind: 'investigation-id', value }];
    return value.startsWith('rrn:alerts:') ? [{ kind: 'alert-id', value }] : [];
  });
  const accounts = [...text.matchAll(ACCOUNT_FORM)].flatMap(([written]) => {
    const name = written.replace(/[.-]$/, '');
    const entity = NOT_AN_ACCOUNT.test(name) ? null : readNamedValue('user', name);
    return entity ? [entity] : [];
  });
  return [...ids, ...accounts];
}

/** Names in a text that only machines have. */
export function findHostsByForm(text: string): string[] {
  return [...text.matchAll(HOST_FORM)].flatMap(([name]) => (IS_HOST.test(name) ? [name.toLowerCase()] : []));
}
