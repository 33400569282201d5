import { ago } from './company.js';

/** What an alert tells. A format writes each of these in the words of its product or language. */
export interface Told {
  readonly title: string;
  readonly host?: string;
  /** An account or an address of a person. */
  readonly user?: string;
  readonly remoteIp?: string;
  readonly internalIp?: string;
  readonly domain?: string;
  readonly url?: string;
  readonly sha256?: string;
  readonly sha1?: string;
  readonly md5?: string;
  readonly fileName?: string;
  readonly command?: string;
  readonly cve?: string;
  readonly incidentId?: number;
  readonly alertId?: string;
  readonly deviceId?: string;
  readonly city?: string;
  readonly country?: string;
  readonly from?: string;
  readonly subject?: string;
  /** A second name of the user's account. */
  readonly also?: string;
  /** The address of a person or a mailbox that passed the alert on. */
  readonly reporter?: string;
  /** The host or the public address through which the activity came. */
  readonly viaHost?: string;
  readonly viaIp?: string;
  /** Free text of the sender or the product. */
  readonly text?: string;
  readonly hoursAgo?: number;
}

export type Field = Exclude<keyof Told, 'title' | 'hoursAgo'>;
export type Names = Partial<Record<Field, string>>;
export const FIELDS: readonly Field[] = [
  'host',
  'user',
  'internalIp',
  'remoteIp',
  'domain',
  'url',
  'fileName',
  'sha256',
  'sha1',
  'md5',
  'command',
  'cve',
  'incidentId',
  'alertId',
  'deviceId',
  'city',
  'country',
  'from',
  'subject',
  'also',
  'reporter',
  'viaHost',
  'viaIp',
  'text',
];

/** The told fields under a format's own names; a field without a name keeps its own. */
export function named(told: Told, names: Names): [string, string][] {
  return FIELDS.flatMap((field) => (told[field] === undefined ? [] : [[names[field] ?? field, String(told[field])] as [string, string]]));
}

export const at = ({ hoursAgo = 1 }: Told) => ago(hoursAgo);
export const object = (pairs: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
export const json = (value: unknown) => JSON.stringify(value, null, 1);

export const escapeXml = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Sentences of a language, one for each told field. `#` stands for the value. */
export type Sentences = Partial<Record<Field, string>>;
export const prose = (first: string, sentences: Sentences, joint: string) => (told: Told) =>
  [
    first.replace('#', told.title),
    ...FIELDS.flatMap((field) => (told[field] === undefined ? [] : [(sentences[field] ?? '#').replace('#', () => String(told[field]))])),
  ].join(joint);
