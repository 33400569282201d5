import { EntityCollection, type EntityRole } from '../entity/entity.js';
import type { ProvenName } from '../entity/names.js';
import { type Activity, ActivityReader } from './activity.js';
import { type AlertHeader, findTechniques, HeaderReader } from './alert-header.js';
import { findMeaning, meaningOfField, type NameMeaning } from './field-names.js';
import { compact, type Field, findJson, NO_FIELD, walkJson } from './json-walk.js';
import { findLabelledValues, hasForm } from './labels-in-text.js';
import { type LogEvent, parseLogEvent, parseSyslogHeader } from './log-formats.js';
import { listPassingOn } from './mail-thread.js';
import { findEntitiesByForm, findHostsByForm, readNamedValue } from './named-values.js';
import { StatedNames } from './stated-names.js';
import { readTable, splitMarkdownTables, type TableLayout } from './tables.js';
import { findUnnamedAccounts } from './unnamed-fields.js';

/** A text whose entities have a role, because its field states it. */
export interface RoleText {
  readonly role: EntityRole;
  readonly text: string;
  /** The role holds only for email addresses. */
  readonly mailOnly: boolean;
}

/** Entities that the content names by field (`"machineId": …`, `user=…`), and the remaining text to search. */
export interface AlertReading {
  readonly named: EntityCollection;
  /** The strings of JSON without escapes, one on each line: `\nevil.example` must not become `nevil.example`. */
  readonly text: string;
  readonly roles: readonly RoleText[];
  /** Short and full names that the content states for one host or account. */
  readonly names: readonly ProvenName[];
  readonly header: AlertHeader;
  readonly activity: Activity;
}

/** Reads a text of one format with the reader. False: the text has another format, and nothing was read. */
export type TextFormat = (text: string, reader: ContentReader, depth: number) => boolean;

export function readAlertContent(content: string, formats: readonly TextFormat[] = []): AlertReading {
  const reader = new ContentReader(formats);
  reader.readText(content);
  return reader.result(content);
}

/** Collectors wrap events as JSON strings inside JSON; deeper nesting does not occur in real events. */
const MAX_DEPTH = 4;
/** Objects between other text. */
const MAX_JSON_PARTS = 1000;
const MAX_ROLE_TEXTS = 2000;
const MAX_ROLE_TEXT_LENGTH = 1024;
/** Shorter texts are in no format, except JSON. */
const MIN_FORMAT_LENGTH = 20;

export class ContentReader {
  readonly #formats: readonly TextFormat[];
  readonly #named = new EntityCollection();
  readonly #texts: string[] = [];
  readonly #roles = new Map<string, RoleText>();
  readonly #names = new StatedNames();
  readonly #header = new HeaderReader();
  readonly #activity = new ActivityReader();
  readonly #logHosts: string[] = [];
  readonly #hostsByForm = new Set<string>();
  /** False in a mail: any sender can write one, so its text is no event. */
  readsActivity = true;

  constructor(formats: readonly TextFormat[]) {
    this.#formats = formats;
  }

  result(content: string): AlertReading {
    this.#addHostsByForm();
    // Behind a relay, the host in the header of a log line is the relay. The message then names the host itself.
    if (!this.#named.list().some(({ kind }) => kind === 'host' || kind === 'machine-id'))
      for (const host of this.#logHosts) this.#addNamed({ kind: 'host', weak: true }, host);
    return {
      named: this.#named,
      text: this.#texts.join('\n'),
      roles: [...this.#roles.values()],
      names: this.#names.list(),
      header: this.#header.result(findTechniques(content)),
      activity: this.#activity.result(),
    };
  }

  /** Reads a command that another text holds in an encoded form. */
  readDecodedCommand(command: string): void {
    if (this.readsActivity) this.#activity.readCommand(command);
    this.readProse(command);
  }

  /** Reads a text of any format. */
  readText(content: string, within: Field = NO_FIELD, depth = 0): void {
    let rest = content;
    for (let count = 0; count < MAX_JSON_PARTS && depth <= MAX_DEPTH; count += 1) {
      const json = findJson(rest);
      if (!json) break;
      this.#readOtherThanJson(rest.slice(0, json.start), depth);
      this.#readJson(rest.slice(json.start, json.end), within, depth);
      rest = rest.slice(json.end);
    }
    this.#readOtherThanJson(rest, depth);
  }

  #readOtherThanJson(text: string, depth: number): void {
    if (text.trim() === '') return;
    if (depth <= MAX_DEPTH && text.length >= MIN_FORMAT_LENGTH) {
      if (this.#readLogEvents(text, depth)) return;
      if (this.#formats.some((format) => format(text, this, depth))) return;
      if (this.#readMarkdown(text, depth)) return;
    }
    this.readProse(text);
  }

  /** Reads one named value of any format. */
  readField(field: Field, value: string, depth: number, type: 'string' | 'number' | 'cut off' = 'string'): void {
    const meaning = meaningOfField(field);
    if (type !== 'cut off') {
      this.#header.readField(field, value);
      if (this.readsActivity) this.#activity.readField(field, value);
      if (meaning.kind !== undefined) this.#addNamed(meaning, value);
    }
    if (type === 'number' || (isOtherDigest(field) && DIGEST.test(value.trim()))) return;
    if (NOT_SEARCHED.test(field.name)) {
      for (const entity of findEntitiesByForm(value)) this.#named.add(entity);
      return;
    }
    this.#addRole(meaning, value);
    const isPlain = !/^\s*[[{<]|:\/\//.test(value);
    if (isPlain && meaning.kind !== undefined) this.#addText(value);
    else if (isPlain && FILE_FIELD.test(field.name)) this.#addText(`/${value}`);
    else this.readText(value, field, depth + 1);
  }

  /** Reads the rows of a table. False: no row or column has a known name. */
  readRows(rows: readonly (readonly string[])[], depth: number, layout: TableLayout = {}): boolean {
    const records = new Map<number, Map<string, string>>();
    const readCell = (title: string, value: string, number: number) => {
      const name = compact(title);
      const record = records.get(number) ?? new Map<string, string>();
      records.set(number, record.set(name, value));
      this.readField({ name, owner: '' }, value, depth);
    };
    const isTable = readTable(rows, readCell, layout);
    for (const record of records.values()) this.#readNames(NO_FIELD, record);
    return isTable;
  }

  readProse(text: string): void {
    const message = this.#readSyslogHeaders(text.replace(JIRA_ROW, '$1: $2'));
    if (this.readsActivity) this.#activity.readProse(message);
    for (const text of listPassingOn(message)) this.#addRole({ role: 'reporter', mailOnly: true }, text);
    const labelled = /[:=：＝]|[\d.\\-]/.test(message) ? findLabelledValues(message) : [];
    for (const { meaning, label, value } of labelled) {
      this.#header.readField({ name: label, owner: '' }, value);
      if (meaning.kind !== undefined) this.#addNamed(meaning, value);
      else this.#addRole(meaning, value);
    }
    for (const account of findUnnamedAccounts(message)) this.#addNamed({ kind: 'user' }, account);
    this.#addText(message);
  }

  /** A short name adds nothing where a field holds the full name. */
  #addHostsByForm(): void {
    const named = this.#named.list().filter(({ kind }) => kind === 'host');
    const known = new Set(named.map(({ value }) => value.split('.', 1)[0]));
    for (const value of this.#hostsByForm) if (!known.has(value)) this.#named.add({ kind: 'host', value });
  }

  #addText(text: string): void {
    this.#texts.push(text);
    for (const host of this.#hostsByForm.size < MAX_HOSTS_BY_FORM ? findHostsByForm(text) : []) this.#hostsByForm.add(host);
    for (const entity of findEntitiesByForm(text)) this.#named.add(entity);
  }

  #addNamed(meaning: NameMeaning, value: string): void {
    const { kind, role, weak } = meaning;
    if (kind === undefined || (weak && !hasForm(kind, value.trim()))) return;
    const entity = readNamedValue(kind, value);
    if (entity) this.#named.add(role === undefined ? entity : { ...entity, role });
  }

  #addRole({ kind, role, mailOnly }: NameMeaning, value: string): void {
    const text = value.trim();
    if (role === undefined || text === '' || text.length > MAX_ROLE_TEXT_LENGTH || this.#roles.size === MAX_ROLE_TEXTS) return;
    const key = `${role} ${text}`;
    if (!this.#roles.has(key)) this.#roles.set(key, { role, text, mailOnly: mailOnly === true });
    if (kind !== undefined || mailOnly) return;
    // `dest: web-01` names a host, although `dest` can also hold an address.
    const isHostName = /-/.test(text) && !text.includes('.') && hasForm('host', text);
    const named = isHostName ? [readNamedValue('host', text)] : text.length <= 128 ? findEntitiesByForm(text) : [];
    for (const entity of named) if (entity) this.#named.add({ ...entity, role });
  }

  #readJson(json: string, within: Field, depth: number): void {
    walkJson(json, 0, {
      within,
      onKey: (key) => {
        if (INDICATOR_AS_KEY.test(key)) this.#addText(key);
      },
      onScalar: (field, value, type) => this.readField(field, value, depth, type),
      onFlag: (field, value) => {
        if (this.readsActivity) this.#activity.readField(field, value);
      },
      onObjectEnd: (field, members) => {
        this.#readNameAndValue(members);
        this.#readNames(field, members);
      },
    });
  }

  /** The sender of a mail writes any name into it. */
  #readNames(object: Field, members: ReadonlyMap<string, string>): void {
    if (this.readsActivity) this.#names.readObject(object, members);
  }

  /** `{"name": "User", "value": "jane"}`, and `{"type": "account", "name": "jane"}`. */
  #readNameAndValue(members: ReadonlyMap<string, string>): void {
    const value = findFirst(members, ['value', 'val', 'values']);
    const label = findFirst(members, ['name', 'key', 'label', 'field', 'fieldname', 'title']);
    const type = compact(findFirst(members, ['type', 'entitytype', 'kind']) ?? '');
    if (value !== undefined && label !== undefined) this.#readMember(findMeaning(compact(label)), compact(label), value);
    if (type === '' || findMeaning(type)?.kind === undefined) return;
    if (value !== undefined) this.#readMember(findMeaning(type), type, value);
    for (const name of ['name', 'id', 'uid']) {
      const member = members.get(name);
      const suffix = members.get('upnsuffix');
      // The id of an account is not its name.
      const isAccountId = name !== 'name' && findMeaning(type)?.kind === 'user';
      if (member !== undefined && !isAccountId)
        this.#readMember(findMeaning(type + name), type, suffix === undefined ? member : `${member}@${suffix}`);
    }
  }

  #readMember(meaning: NameMeaning | undefined, name: string, value: string): void {
    this.#header.readField({ name, owner: '' }, value);
    if (this.readsActivity) this.#activity.readField({ name, owner: '' }, value);
    if (!meaning) return;
    this.#addNamed(meaning, value);
    this.#addRole(meaning, value);
  }

  #readLogEvents(text: string, depth: number): boolean {
    if (!/\b(?:CEF|LEEF):\s?[012]/.test(text)) return false;
    let isFound = false;
    const other: string[] = [];
    for (const line of text.split('\n')) {
      const event = parseLogEvent(line);
      if (event) this.#readLogEvent(event, depth);
      else other.push(line);
      isFound ||= event !== null;
    }
    if (isFound && other.length > 0) this.readProse(other.join('\n'));
    return isFound;
  }

  #readLogEvent({ format, name, severity, fields }: LogEvent, depth: number): void {
    if (severity !== null) this.#header.readSeverity(severity);
    if (format === 'CEF') this.#header.readRuleName(name);
    this.#activity.readField({ name: 'eventname', owner: '' }, name);
    this.#addText(name);
    const externalId = INCIDENT.test(name) ? 'incidentid' : 'externalid';
    this.#readNames(NO_FIELD, new Map(fields.map((field) => [compact(field.name), field.value])));
    for (const field of fields) {
      const fieldName = compact(field.name);
      this.readField({ name: fieldName === 'externalid' ? externalId : fieldName, owner: '' }, field.value, depth);
    }
  }

  #readMarkdown(text: string, depth: number): boolean {
    const parts = splitMarkdownTables(text);
    if (!parts) return false;
    for (const rows of parts.tables) {
      if (this.readRows(rows, depth)) continue;
      for (const row of rows) this.readProse(row.join('\n'));
    }
    this.readProse(parts.text);
    return true;
  }

  /** Returns the text without the headers of its log lines, which name relays. */
  #readSyslogHeaders(text: string): string {
    if (!/^(?:<\d{1,3}>|[A-Z][a-z]{2} [ \d]\d |\d{4}-\d\d-\d\dT)/m.test(text)) return text;
    const lines = text.split('\n').map((line) => {
      const header = parseSyslogHeader(line);
      if (!header) return line;
      if (header.severity !== null) this.#header.readSyslogSeverity(header.severity);
      const message = line.slice(header.length);
      const hasMessage = /\S/.test(message.replace(/^[\w./-]{1,64}(?:\[\d{1,10}\])?:/, ''));
      if (header.host !== null && hasMessage && this.#logHosts.length < MAX_LOG_HOSTS) this.#logHosts.push(header.host);
      return message;
    });
    return lines.join('\n');
  }
}

/** A row of a ticket with a label and a value: `||Host|{{ws-014}}|`. */
const JIRA_ROW = /^\|\|([^|\n]{1,60})\|(?:\{\{)?([^|{}\n]{1,500})(?:\}\})?\|[ \t]*$/gm;
const MAX_LOG_HOSTS = 20;
const MAX_HOSTS_BY_FORM = 1000;

function findFirst(members: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = members.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The event of a platform that forwards its incidents: its `externalId` is the id of the incident. */
const INCIDENT = /incident|vorfall|инцидент|インシデント/i;

/** Keys can be values, as in a counter: `{"192.0.2.1": 17}`. */
const INDICATOR_AS_KEY = /^\d|:\/\/|^[0-9a-f]{32,128}$/i;

/**
 * OData annotations, message ids, the organization's own account domains and links to the console of the sender look like domains
 * and addresses, but are no indicators.
 */
const NOT_SEARCHED =
  /^(?:\w*odata(?:type|context|id|etag|nextlink)|schema|(?:internet)?messageid|inreplyto|references|upnsuffix|dnsdomain|ntdomain|(?:user|account|logon)domain(?:name)?|permalink|(?:alert|incident|case|results?|report|console|portal|investigation|search|dashboard|rule|reference|documentation|management)(?:web)?(?:link|url|uri)s?)$/;
/** `"uuid": "82e5a683…"` is the sender's own id. */
const ID_FIELD = /(?:^|[a-z])(?:uu|gu|u)?id$/;
/** Fingerprints of a TLS client, an SSH client or the imports of a program. No third party knows a file by them. */
const FINGERPRINT_FIELD = /^(?:ja3s?|ja4[a-z]*|hassh(?:server)?|imphash|vhash|authentihash|pehash)(?:hash|digest|fingerprint|md5)?$/;
function isOtherDigest({ name, owner }: Field): boolean {
  return ID_FIELD.test(name) || FINGERPRINT_FIELD.test(name) || FINGERPRINT_FIELD.test(owner);
}

const DIGEST = /^[0-9a-f]{32}$|^[0-9a-f]{40}$|^[0-9a-f]{64}$/i;

/** `invoice.zip` could be a domain, so file names are searched as `/invoice.zip`. */
const FILE_FIELD = /(?:file|process|image|attachment|folder)s?(?:name|path)?s?$/;
