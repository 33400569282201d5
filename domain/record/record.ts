import { z } from 'zod';
import type { SkillErrorCode } from '../connection/skill-errors.js';
import type { Entity } from '../entity/entity.js';
import type { SkillKey } from '../skill-key.js';
import { clip, isStorable } from '../text.js';
import type { EvidenceSource, Severity } from '../verdict/evidence.js';

/** What third parties keep: their own alerts, cases about them, and the indicators that the organization blocks or allows. */
const RECORD_KINDS = ['alert', 'incident', 'investigation', 'intelligence-alert', 'indicator'] as const;
export const RecordKind = z.enum(RECORD_KINDS);
export type RecordKind = z.infer<typeof RecordKind>;

/** What a person at the third party concluded. */
export const RecordConclusion = z.enum(['malicious', 'unwanted', 'benign', 'test']);
export type RecordConclusion = z.infer<typeof RecordConclusion>;

/** A record of a third party in a common form. The service keeps a copy, because some third parties cannot search by entity. */
export interface ThirdPartyRecord {
  /** The third party's own id. */
  readonly recordId: string;
  readonly title: string;
  readonly severity: Severity | null;
  readonly isOpen: boolean;
  readonly conclusion: RecordConclusion | null;
  /** The state in the third party's words: "Resolved, FalsePositive, NotMalicious". */
  readonly state: string;
  /** Epoch seconds. */
  readonly happenedAt: number | null;
  readonly updatedAt: number | null;
  /** The id of the record that this one was merged into. */
  readonly mergedInto: string | null;
  /** Ids of the same alerts at other third parties, so that one fact counts once. */
  readonly alsoKnownAs: readonly string[];
  readonly techniques: readonly string[];
  /** The values that an alert can share with the record, see `searchValues`. */
  readonly values: readonly string[];
}

/** Epoch seconds, both ends inclusive. */
export interface RecordWindow {
  readonly since: number;
  readonly until: number | null;
}

/** How a connector's list skill fills the copy. */
export interface RecordSource {
  readonly kind: RecordKind;
  /** The skill that lists the records. */
  readonly verb: string;
  /** The list has no time filter: each read replaces the copy. */
  readonly isSnapshot?: boolean;
  /** A copy of this age answers a question; absent: the default. */
  readonly freshSeconds?: number;
  /** The write of the same connector that creates such a record, and the path of the record's id in its output. */
  readonly createdBy?: { readonly verb: string; readonly idPath: string };
  /** Each read covers this much of the previous one again; absent: the default, for changes that the third party reports late. */
  readonly overlapSeconds?: number;
  /** The input of that skill for the records that changed in a window. */
  buildInput(window: RecordWindow, nowSeconds: number): Record<string, unknown>;
  /** null: the item is not worth a copy. */
  read(item: unknown): ThirdPartyRecord | null;
}

const MAX_VALUES = 300;
const MAX_VALUE_LENGTH = 500;
const TITLE_LENGTH = 300;
const ID_LENGTH = 200;

/** Returns a record within the limits of its table: text from a third party has any length. */
export function boundRecord(record: ThirdPartyRecord): ThirdPartyRecord {
  const values = [...new Set(record.values)].filter((value) => value !== '' && value.length <= MAX_VALUE_LENGTH && isStorable(value));
  return {
    ...record,
    recordId: clip(record.recordId, ID_LENGTH),
    title: clip(record.title, TITLE_LENGTH),
    state: clip(record.state, TITLE_LENGTH),
    mergedInto: record.mergedInto === null ? null : clip(record.mergedInto, ID_LENGTH),
    alsoKnownAs: record.alsoKnownAs.slice(0, 100).map((id) => clip(id, ID_LENGTH)),
    techniques: record.techniques.filter((id) => /^T\d{4}(\.\d{3})?$/.test(id)).slice(0, 50),
    values: values.slice(0, MAX_VALUES),
  };
}

/** The spellings under which an entity is stored and searched: hosts with and without their domain, accounts with and without theirs. */
export function searchValues({ kind, value }: Pick<Entity, 'kind' | 'value'>): string[] {
  const lower = value.toLowerCase();
  switch (kind) {
    case 'host':
      return distinct([lower, ...listHostParts(lower)]);
    case 'domain':
      return distinct([lower, ...partsOfName(lower)]);
    case 'user':
    case 'email':
      return distinct([lower, readAccount(lower)]);
    default:
      return [lower];
  }
}

/** A first label of a few letters, such as `nb` of `nb.ana`, is shared by many machines. */
const TELLING_LABEL = /^(?=.*\d)[\p{L}\p{N}_-]{4,}$|^[\p{L}\p{N}_-]{6,}$/u;

/** The name without its domain: `ws-014` for `ws-014.corp.example`, `nb.ana.souza` for `nb.ana.souza.corp.example`. */
function listHostParts(host: string): string[] {
  const labels = host.split('.');
  const longer = labels.slice(3).map((_, index) => labels.slice(0, index + 3).join('.'));
  const [first = ''] = labels;
  return TELLING_LABEL.test(first) ? [first, ...longer] : longer;
}

/** `dana` for `CORP\dana` and `dana@corp.example`. */
function readAccount(user: string): string {
  return (user.split('\\').at(-1) ?? user).split('@')[0] ?? user;
}

/** A word of a title is a search value only if it looks like a name, an address or an id, not like a word of a language. */
const NAME_LIKE = /[\p{L}\p{N}][\p{L}\p{N}._@:\\-]{2,253}[\p{L}\p{N}]/gu;
const MARK = /[\d@.\\-]/;

/** An account is often only letters: "Sign-in of dana", "Conta ana desbloqueada". */
const ACCOUNT_IN_TEXT =
  /(?<![\p{L}\p{N}])(?:of|by|for|user|account|usuário|conta|usuario|cuenta|utilisateur|compte|benutzer|konto)[ \t]+([\p{L}_][\p{L}\p{N}_]{2,31})(?![\p{L}\p{N}_.@\\-])/gu;
const NO_ACCOUNT = new Set(
  'the this that and not was were has been had account accounts user users file files malware data service services access login logon activity policy policies rule rules attack alert alerts device devices host hosts system systems remote local unknown suspicious new all any'.split(
    ' ',
  ),
);

/** The names in a text that has no fields: "Bulk file changes on ws-014" → ws-014. */
export function namesInText(text: string): string[] {
  const lower = text.slice(0, 2000).toLowerCase();
  const words = [...lower.matchAll(NAME_LIKE)].map(([word]) => word);
  const accounts = [...lower.matchAll(ACCOUNT_IN_TEXT)].flatMap(([, name = '']) => (NO_ACCOUNT.has(name) ? [] : [name]));
  return distinct([...words.filter((word) => MARK.test(word)).flatMap((word) => [word, ...partsOfName(word)]), ...accounts]);
}

/** A full host name is also stored by its first label, an account also without its domain. */
function partsOfName(word: string): string[] {
  if (word.includes('@') || word.includes('\\')) return [readAccount(word)];
  const [label = ''] = word.split('.');
  return word.includes('.') && /\d/.test(label) && /[a-z]/.test(label) ? [label] : [];
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value.length > 0);
}

/** A record that shares a value with an alert. */
export interface RecordMatch extends Omit<ThirdPartyRecord, 'values'> {
  readonly kind: RecordKind;
  readonly connector: string;
  readonly connection: string;
  /** Absent in answers of earlier builds. */
  readonly skillKey?: SkillKey;
  readonly skillId: string;
  /** The values of the question that the record contains. */
  readonly shared: readonly string[];
  /** This service created the record, so it proves nothing about the alert. */
  readonly isOwn?: true;
  /** It also names people or machines that are not part of the question. */
  readonly namesOthers?: true;
}

type RecordPlace = Pick<RecordMatch, 'connector' | 'connection' | 'skillKey' | 'skillId'>;

export function toRecordSource({ connector, connection, skillKey, skillId }: RecordPlace): EvidenceSource {
  return { connector, connection, skill_id: skillId, ...(skillKey && { skill_key: skillKey }) };
}

export interface RecordSearch {
  readonly alertId: string;
  readonly values: readonly string[];
  /** Epoch seconds: the time of the alert. */
  readonly around: number;
  /** How long it waits for the third parties. Absent in questions of earlier builds. */
  readonly patienceSeconds?: number;
}

/** How many different people and machines have records with a value, see `spread.ts`. */
export interface Spread {
  readonly value: string;
  readonly records: number;
  /** Different people or machines. Records that have a name in common are about the same subject. */
  readonly subjects: number;
  /** The subjects whose records name a person. */
  readonly people: number;
  /** The subjects whose records name a machine. */
  readonly machines: number;
  /** The own cases with it, and the days (UTC) of its records and cases. Absent in answers of earlier builds. */
  readonly cases?: number;
  readonly days?: number;
  /** What people concluded about these records, and whether one is open. */
  readonly hasHarmless: boolean;
  readonly hasAttack: boolean;
  readonly hasOpen: boolean;
}

export interface RecordAnswer {
  readonly matches: readonly RecordMatch[];
  /** Of the values that records of several subjects name. Absent in answers of earlier builds. */
  readonly spreads?: readonly Spread[];
  /** The copies that were searched. */
  readonly searched: readonly { readonly connector: string; readonly connection: string; readonly kind: RecordKind }[];
  /** The copies that could not be brought up to date, with the reason. */
  readonly problems: readonly {
    readonly connector: string;
    readonly connection: string;
    readonly connectionId: string;
    /** Absent in answers of earlier builds. */
    readonly skillKey?: SkillKey;
    readonly skillId: string;
    readonly reason: string;
    /** Whether asking again later can help. */
    readonly isTemporary: boolean;
    /** Absent without an error of the third party. */
    readonly code?: SkillErrorCode;
  }[];
}

export interface RecordActivities {
  searchRecords(search: RecordSearch): Promise<RecordAnswer>;
}
