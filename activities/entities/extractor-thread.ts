import { extractCVEs, isDomain, refang } from 'ioc-extractor';
import type { Activity } from '../../domain/alert/activity.js';
import type { RoleText } from '../../domain/alert/alert-content.js';
import type { AlertHeader } from '../../domain/alert/alert-header.js';
import { isFieldPath } from '../../domain/alert/named-values.js';
import { canonicalUrl } from '../../domain/entity/canonical.js';
import { type Entity, EntityCollection, type EntityKind, type EntityRole } from '../../domain/entity/entity.js';
import { canonicalIp } from '../../domain/entity/ip.js';
import type { ProvenName } from '../../domain/entity/names.js';
import { withoutInvisible } from '../../domain/text.js';
import { readContent } from './read-content.js';

export interface EntitiesFound {
  readonly entities: Entity[];
  readonly overfull: EntityKind[];
}

/** The named entities of a content, and the text to search for indicators. */
export interface ContentRead extends EntitiesFound {
  readonly text: string;
  readonly roles: readonly RoleText[];
  readonly names: readonly ProvenName[];
  readonly header: AlertHeader;
  readonly activity: Activity;
}

export async function read(content: string): Promise<ContentRead> {
  const { named, text, roles, names, header, activity } = await readContent(withoutInvisible(content));
  return { entities: named.list(), overfull: named.overfull(), text, roles, names, header, activity };
}

export type IndicatorSearch = Pick<ContentRead, 'entities' | 'text' | 'roles'>;

/**
 * ioc-extractor refangs text and knows the top-level domains, but its search takes exponential time (4 s for 90 bytes) and
 * reads `evil-site.com -- x` as `site.com`. So this module finds the words in linear time and uses ioc-extractor for each word.
 */
export function findIndicators({ text, entities: named, roles }: IndicatorSearch): EntitiesFound {
  const known = new Set(named.filter((entity) => !isRemoteHost(entity)).map(({ value }) => value));
  const roleOf = findRoles(roles, known);
  const users = new Map(named.filter(({ kind }) => kind === 'user').map(({ value, role }) => [value, role]));
  const ownAddresses = new Set([...users.keys(), ...listOwnAddresses(roleOf)]);
  const found = new EntityCollection();
  takeAll({ text: clean(text), known, ownAddresses }, found);
  const entities = found.list().map((entity): Entity => {
    const role = (entity.kind === 'email' ? users.get(entity.value) : undefined) ?? roleOf.get(`${entity.kind} ${entity.value}`);
    return role === undefined ? entity : { ...entity, role };
  });
  return { entities, overfull: found.overfull() };
}

/** The host at the other end of a connection is also a domain to look up. */
function isRemoteHost({ kind, value, role }: Entity): boolean {
  // A machine's full name has more than two labels, or it is a single label.
  return kind === 'host' && (role === 'destination' ? value.includes('.') : /^[^.]+\.[^.]+$/.test(value));
}

const OWN_ROLES: readonly EntityRole[] = ['recipient', 'victim', 'actor', 'reporter'];

function listOwnAddresses(roleOf: ReadonlyMap<string, EntityRole>): string[] {
  return [...roleOf].flatMap(([entity, role]) =>
    entity.startsWith('email ') && OWN_ROLES.includes(role) ? [entity.slice('email '.length)] : [],
  );
}

/** A network address has a source; the address of a mail has a sender. */
const MAIL_ROLES: Partial<Record<EntityRole, EntityRole>> = { source: 'sender', destination: 'recipient' };

/** The first role that the content states for each indicator, by kind and value. */
function findRoles(texts: readonly RoleText[], known: ReadonlySet<string>): Map<string, EntityRole> {
  const roleOf = new Map<string, EntityRole>();
  for (const { role, text, mailOnly } of texts) {
    const found = new EntityCollection();
    takeAll({ text: clean(text), known, ownAddresses: 'all' }, found);
    for (const { kind, value } of found.list()) {
      const key = `${kind} ${value}`;
      const stated = kind === 'email' ? (MAIL_ROLES[role] ?? role) : role;
      if (!roleOf.has(key) && (kind === 'email' || !mailOnly)) roleOf.set(key, stated);
    }
  }
  return roleOf;
}

interface Search {
  readonly text: string;
  /** Hosts and IDs from named fields. They are not also domains or hashes. */
  readonly known: ReadonlySet<string>;
  /** The domains of these addresses are no indicators: they are the organization's own. */
  readonly ownAddresses: ReadonlySet<string> | 'all';
}

function takeAll(search: Search, found: EntityCollection): void {
  takeIps(search.text, found);
  takeNames(search, found);
  // Mail filters put the original link into the query of their own, and phishing links put the recipient there.
  takeNames({ ...search, text: collectQueries(found) }, found);
  takeHashes(search, found);
  for (const cve of extractCVEs(search.text, { sort: false })) found.add({ kind: 'cve', value: cve.toUpperCase() });
}

/** ioc-extractor refangs `hXXp` and `[DOT]` only if the text also contains a lower-case form. */
const UPPERCASE_DEFANG = /hxxp|[[({](?:dot|at)[\])}]/gi;
const MESSAGE_IDS = /^(?:message-id|in-reply-to|references):[^\n]*(?:\n[ \t][^\n]*)*/gim;

/** Letters, digits, dots, hyphens and at signs of East Asian text. */
const FULLWIDTH = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff0e\uff0d\uff20]/g;

function clean(text: string): string {
  const shown = withoutInvisible(text)
    .replace(MESSAGE_IDS, '')
    .replace(FULLWIDTH, (char) => char.normalize('NFKC'));
  return refang(shown.replace(UPPERCASE_DEFANG, (word) => word.toLowerCase()))
    .replaceAll('&amp;', '&')
    .replace(/\.{2,}/g, ' ');
}

/** A browser version looks like an IP address: `Chrome/126.0.0.0`. */
const IPV4 = /(?<![\w.]|(?:Chrome|Chromium|Edg|EdgA|Edge|OPR|Electron)\/)\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\w)/;
const IPV6 = /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,8}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{1,4})?(?!\w|:[\w:]|\.\w)/;
const IP = new RegExp(`${IPV4.source}|${IPV6.source}`, 'gi');

function takeIps(text: string, found: EntityCollection): void {
  for (const [candidate] of text.matchAll(IP)) {
    // `::` and `a::b` are usually code.
    const value = /\d/.test(candidate) ? canonicalIp(candidate) : null;
    if (value) found.add({ kind: 'ip', value });
  }
}

const HASH = /\b(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})\b/gi;

/** The beginning of a resource name of the investigation platform (`rrn:`) or of Amazon (`arn:`). */
const RESOURCE_NAME = /\b[ra]rn:[\w:./-]*$/;

function takeHashes({ text, known }: Search, found: EntityCollection): void {
  for (const { 0: candidate, index } of text.matchAll(HASH)) {
    const value = candidate.toLowerCase();
    const isPartOfId = /[:/]/.test(text[index - 1] ?? '') && RESOURCE_NAME.test(text.slice(Math.max(0, index - 256), index));
    if (/\D/.test(value) && !known.has(value) && !isPartOfId) found.add({ kind: 'hash', value });
  }
}

/** One pass keeps domains, URLs and email addresses in the order of the text. */
function takeNames(search: Search, found: EntityCollection): void {
  const { text, known } = search;
  const urls = text.matchAll(URL_CANDIDATE);
  let url = urls.next().value;
  let end = 0;
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', end)) {
    if (url && url.index <= dot) {
      const written = urlAt(text, url);
      takeUrl(written, found);
      end = url.index + written.length;
      url = urls.next().value;
      continue;
    }
    let start = dot;
    while (start > end && isNameCharacter(text, start - 1)) start -= 1;
    end = dot + 1;
    while (end < text.length && isNameCharacter(text, end)) end += 1;
    const word = text.slice(start, Math.min(end, start + 2 * MAX_DOMAIN_LENGTH));
    if (text[start - 1] === '@') takeEmail(search, start - 1, word, found);
    else if (text[end] !== '@' && !isPathOrCall(text, start, end)) takeDomain(word, known, found);
  }
  for (; url; url = urls.next().value) takeUrl(urlAt(text, url), found);
}

/** A comma can be part of a URL, but not if the URL is a field of a comma-separated list. */
function urlAt(text: string, { 0: candidate, index }: RegExpExecArray): string {
  return text[index - 1] === ',' ? (candidate.split(',', 1)[0] ?? '') : candidate;
}

/** Ends before a comma that separates two URLs. */
const URL_CANDIDATE = /\b(?:https?|ftp):\/\/(?:(?!,(?:https?|ftp):\/\/)[^\s"'<>`{}|\\^“”‘’，。；：！？、（）【】《》「」])+/gi;
const MAX_URL_LENGTH = 2048;

function takeUrl(candidate: string, found: EntityCollection): void {
  const written = trimUrl(candidate.slice(0, 2 * MAX_URL_LENGTH));
  if (!URL.canParse(written)) return;
  const url = new URL(written);
  // More people see entities than the content, so an entity contains no password.
  url.username = '';
  url.password = '';
  url.href = canonicalUrl(url.href);
  if (candidate.length <= MAX_URL_LENGTH) found.add({ kind: 'url', value: url.href });
  const ip = canonicalIp(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  if (ip) found.add({ kind: 'ip', value: ip });
  else if (/^[\w-]+(?:\.[\w-]+)+$/.test(url.hostname)) found.add({ kind: 'domain', value: url.hostname });
}

/** Removes punctuation of the surrounding sentence: a full stop, or a bracket that opens before the URL. */
function trimUrl(candidate: string): string {
  const unopened = { ')': surplus(candidate, ')', '('), ']': surplus(candidate, ']', '[') };
  let end = candidate.length;
  for (; end > 0; end -= 1) {
    const last = candidate[end - 1] ?? '';
    if (last === ')' || last === ']') {
      if (unopened[last] <= 0) break;
      unopened[last] -= 1;
    } else if (!/[.,;:!?*_~…]/u.test(last)) break;
  }
  return candidate.slice(0, end);
}

function surplus(text: string, closing: string, opening: string): number {
  return text.split(closing).length - text.split(opening).length;
}

function collectQueries(found: EntityCollection): string {
  const urls = found.list().filter(({ kind }) => kind === 'url');
  const parameters = urls.flatMap(({ value }) => value.split(/[?&#]/).slice(1));
  return parameters.map((parameter) => percentDecoded(parameter.slice(parameter.indexOf('=') + 1))).join('\n');
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const LOCAL_PART_CHARACTER = /[\w.!#$%'*+^~=-]/;
const MAX_LOCAL_PART_LENGTH = 64;

function takeEmail({ text, ownAddresses }: Search, at: number, host: string, found: EntityCollection): void {
  const domain = parseDomain(host);
  if (!domain) return;
  let start = at;
  while (start > 0 && at - start <= MAX_LOCAL_PART_LENGTH && LOCAL_PART_CHARACTER.test(text[start - 1] ?? '')) start -= 1;
  const written = text.slice(start, at);
  // `sender=jane@…` is a field and its value; `bounce+jane=example.com@…` is one address.
  const local = (written.includes('+') ? written : written.slice(written.lastIndexOf('=') + 1)).replace(/^\W+/, '');
  const isLocalPart = local.length > 0 && local.length <= MAX_LOCAL_PART_LENGTH && !local.endsWith('.');
  const address = `${local.toLowerCase()}@${domain}`;
  if (isLocalPart) found.add({ kind: 'email', value: address });
  if (ownAddresses !== 'all' && !(isLocalPart && ownAddresses.has(address))) found.add({ kind: 'domain', value: domain });
}

/** Reserved top-level domains for private networks, examples and hidden services. */
const SPECIAL_TOP_LEVEL = new Set(['example', 'test', 'invalid', 'local', 'internal', 'lan', 'corp', 'intranet', 'onion']);
const MAX_DOMAIN_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** `setup.sh` is usually a file, although .sh is a top-level domain. */
const LIKE_A_FILE = /^[^.]+\.(?:zip|mov|sh|py)$|\.(?:pdf|docx?|xlsx?|pptx?|txt|jpe?g|png|html?|js|exe|dll)\.(?:zip|mov|sh|py)$/;

function takeDomain(word: string, known: ReadonlySet<string>, found: EntityCollection): void {
  if (known.has(trimWord(word).toLowerCase())) return;
  const domain = parseDomain(word);
  if (domain && !known.has(domain) && !LIKE_A_FILE.test(domain) && !isFieldPath(domain)) found.add({ kind: 'domain', value: domain });
}

/** Returns null if the word is not a domain. Also tries its ASCII part, because some languages write no spaces around a domain. */
function parseDomain(word: string): string | null {
  const name = trimWord(word);
  if (name.length > MAX_DOMAIN_LENGTH || !name.includes('.')) return null;
  if (/^[\w.-]+$/.test(name)) return asciiDomain(name.toLowerCase());
  const afterText = ASCII_AFTER_TEXT.exec(name)?.[1];
  if (afterText !== undefined) return asciiDomain(trimWord(afterText).toLowerCase());
  const url = `http://${name}/`;
  const international = URL.canParse(url) ? asciiDomain(new URL(url).hostname) : null;
  return international ?? asciiDomain(trimWord(/[\w-]*\.[\w.-]+/.exec(name)?.[0] ?? '').toLowerCase());
}

/** A sentence in Chinese, Japanese or Korean that runs into a domain. */
const ASCII_AFTER_TEXT = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+([\w-]+\.[\w.-]+)/u;

function asciiDomain(name: string): string | null {
  const written = name.split('.');
  // `_dmarc.example.com` is a DNS record of example.com, not a host.
  const labels = written.slice(written.findLastIndex((label) => label.includes('_')) + 1);
  const topLevel = labels.at(-1) ?? '';
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label));
  return isName && (SPECIAL_TOP_LEVEL.has(topLevel) || isDomain(`a.${topLevel}`)) ? labels.join('.') : null;
}

/** Removes surrounding punctuation and markup (`_evil.example_`). A regular expression like `-+$` would take quadratic time. */
function trimWord(word: string): string {
  let start = 0;
  let end = word.length;
  while (end > 0 && '._-'.includes(word[end - 1] ?? '')) end -= 1;
  const opening = word[end] === '_' ? '._-' : '.-';
  while (start < end && opening.includes(word[start] ?? '')) start += 1;
  return word.slice(start, end);
}

function isNameCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0x80) return /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(text[at] ?? '');
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || '._-'.includes(text[at] ?? '')
  );
}

/** `/opt/setup.sh` and `items.select(x)` are not domains. `//evil.example` and `\\\\server.example` are. */
function isPathOrCall(text: string, start: number, end: number): boolean {
  const before = text[start - 1];
  if ((before === '/' || before === '\\') && text[start - 2] !== before) return true;
  return text[end] === '(' && !/\d/.test(text[end + 1] ?? '');
}
