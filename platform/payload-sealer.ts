import type { Client } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { Keyring } from './keyring.js';

/** The value of `encoding` in the metadata of a sealed payload. */
const SEALED_ENCODING = 'binary/sealed-by-alert-investigator';
const KEY_ID = 'master-key-id';
const LENGTH_BYTES = 4;

export interface SealedPayload extends Payload {
  readonly metadata: Record<string, Uint8Array>;
  readonly data: Uint8Array;
}

export function isSealed(value: unknown): value is SealedPayload {
  if (typeof value !== 'object' || value === null || !('metadata' in value) || !('data' in value)) return false;
  const { metadata, data } = value;
  return (
    typeof metadata === 'object' && metadata !== null && data instanceof Uint8Array && readText(metadata, 'encoding') === SEALED_ENCODING
  );
}

/** Encrypts what Temporal stores. It always opens sealed payloads, so that histories stay readable after the setting is turned off. */
export class PayloadSealer implements PayloadCodec {
  readonly #keyring: Keyring;
  readonly #place: string;
  readonly #seals: boolean;

  /** A payload cannot be opened in another namespace. */
  constructor(keyring: Keyring, namespace: string, seals: boolean) {
    this.#keyring = keyring;
    this.#place = `temporal payloads of ${namespace}`;
    this.#seals = seals;
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return this.#seals ? payloads.map((payload) => this.#seal(payload)) : payloads;
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => (isSealed(payload) ? this.#open(payload) : payload));
  }

  #seal({ metadata, data }: Payload): SealedPayload {
    const described = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
    const header = Buffer.from(JSON.stringify(Object.fromEntries(described)));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(header.length);
    const { masterKeyId, bytes } = this.#keyring.sealBytes(Buffer.concat([length, header, data ?? Buffer.alloc(0)]), this.#place);
    return { metadata: { encoding: Buffer.from(SEALED_ENCODING), [KEY_ID]: Buffer.from(masterKeyId) }, data: bytes };
  }

  #open({ metadata, data }: SealedPayload): Payload {
    const opened = this.#keyring.openBytes({ masterKeyId: readText(metadata, KEY_ID) ?? '', bytes: data }, this.#place);
    const headerEnd = LENGTH_BYTES + opened.readUInt32BE();
    const described: Record<string, string> = JSON.parse(opened.toString('utf8', LENGTH_BYTES, headerEnd));
    const entries = Object.entries(described).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const);
    return { metadata: Object.fromEntries(entries), data: opened.subarray(headerEnd) };
  }
}

/** Opens each sealed payload of a history, which Temporal's client returns as it is stored. */
export async function openPayloads(client: Client, value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value;
  if (isSealed(value)) {
    const [codec] = client.options.loadedDataConverter.payloadCodecs;
    if (codec === undefined) throw new Error('Histories are encrypted. Set MASTER_KEY or MASTER_KEY_FILE to the key of the service.');
    return (await codec.decode([value]))[0];
  }
  const entries = Object.entries(value).map(async ([name, each]) => [name, each, await openPayloads(client, each)] as const);
  const opened = (await Promise.all(entries)).flatMap(([name, each, open]) => (open === each ? [] : [[name, open] as const]));
  if (opened.length === 0) return value;
  // The copy keeps the class of messages and of 64-bit numbers.
  const copy: object = Array.isArray(value) ? [...value] : Object.assign(Object.create(Object.getPrototypeOf(value)), value);
  return Object.assign(copy, Object.fromEntries(opened));
}

function readText(metadata: object, name: string): string | null {
  const value: unknown = Reflect.get(metadata, name);
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : null;
}
