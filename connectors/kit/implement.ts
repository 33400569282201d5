import type { z } from 'zod';
import type { ListCopy } from '../../domain/record/list-copy.js';
import type { ConnectorContract } from './define.js';
import type { Egress } from './egress.js';

/** A connection with its decrypted credentials, for one call only. */
export interface OpenConnection<Contract extends ConnectorContract = ConnectorContract> {
  readonly id: string;
  /** Increases with every change of the credentials: a cache entry of an older one is invalid. */
  readonly generation: number;
  readonly settings: z.output<Contract['settings']>;
  readonly credentials: z.output<Contract['credentials']>;
}

export interface SkillContext<Contract extends ConnectorContract = ConnectorContract> {
  readonly connection: OpenConnection<Contract>;
  /** The only way to call the third party, within the limits of the connection and of this attempt. */
  readonly http: Http;
  /** Aborts at the time limit of the attempt, or when the activity is cancelled. */
  readonly signal: AbortSignal;
  /** Identifies this write: the skill sends it to the third party, and a lookup of the outcome searches for it. */
  readonly operationKey: string;
  /** Encrypts and stores a credential that the third party has just created. */
  keepCredential(field: string, value: unknown): Promise<void>;
  /** The stored events of this connection's stream in pages, newest first; null without a stream. */
  readStoredEvents(question: { since: string | null }): AsyncIterable<readonly unknown[]> | null;
  /** A permanent uuid for a secret value; the same value always has the same uuid. */
  uuidOf(value: string): Promise<string>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** An array repeats its name; undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** The reply contains a token that the caller needs. */
  readonly returnsToken?: boolean;
  /** For a POST that only reads, such as a token request: the stop switch does not hold it. */
  readonly changesNothing?: true;
  /** Of the decompressed reply. Default: 8 MiB. */
  readonly maxBytes?: number;
}

export interface HttpReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Integers above 2^53 become strings. Throws UnexpectedReply if the body is not JSON. */
  json(): unknown;
}

/** Returns a reply for every status; throws a ThirdPartyError if there was no reply. */
export interface Http {
  request(request: HttpRequest): Promise<HttpReply>;
  /** Hides a received token in all further replies. */
  hideToken?(token: string): void;
}

/** An event stream that a third party keeps for one connection. */
export interface EventStream {
  /** Identifies the stream at the third party: only one process at a time consumes it. */
  readonly name: string;
  /** Signs in and finds the queue, without taking an event. Throws if the stream cannot be consumed. */
  probe(options: Pick<ConsumeOptions, 'egress' | 'signal'>): Promise<void>;
  /** Consumes until the signal ends; reconnects after every failure. */
  consume(options: ConsumeOptions): Promise<void>;
}

export interface ConsumeOptions {
  readonly egress: Pick<Egress, 'connectWith'>;
  /** Acknowledged only after this resolves. `event` is null if the body is not JSON. */
  onEvent(event: unknown, raw: string): Promise<void>;
  readonly signal: AbortSignal;
  log(level: 'info' | 'warn', message: string, facts?: Readonly<Record<string, unknown>>): void;
}

/** The result of a connection test. */
export interface ConnectionTest {
  readonly credentials: { readonly ok: boolean; readonly detail: string };
  /** For each skill by its title; `granted` is null if only a real call can show it. */
  readonly permissions: readonly { readonly skill_id: string; readonly permission: string | null; readonly granted: boolean | null }[];
  /** The `date` header of the reply, to compare the clocks. */
  readonly date: string | null;
}

type Perform<Contract extends ConnectorContract, Verb extends keyof Contract['skills']> = (
  input: z.output<Contract['skills'][Verb]['input']>,
  context: SkillContext<Contract>,
) => Promise<z.input<Contract['skills'][Verb]['output']>>;

/** Answers several questions of one skill with one call, when many alerts ask at the same time. */
export interface QuestionGroup<Input, Output, Context> {
  readonly maxQuestions: number;
  /** Questions with the same key fit into one call. null: the question needs a call of its own. */
  keyOf(input: Input): string | null;
  /** The answer of each question, as the skill gives it. null: the question needs a call of its own. */
  ask(inputs: readonly Input[], context: Context): Promise<readonly (Output | null)[]>;
}

/** The functions that perform a connector's skills. */
export interface Implementation<Contract extends ConnectorContract> {
  readonly skills: { readonly [Verb in keyof Contract['skills']]: Perform<Contract, Verb> };
  /** For writes with a lookup: the result of the operation with this key, or null if it certainly had no effect. */
  readonly lookups?: {
    readonly [Verb in keyof Contract['skills']]?: (
      input: z.output<Contract['skills'][Verb]['input']>,
      context: SkillContext<Contract>,
    ) => Promise<z.input<Contract['skills'][Verb]['output']> | null>;
  };
  /** Of the skills that can answer several questions at once. */
  readonly groups?: {
    readonly [Verb in keyof Contract['skills']]?: QuestionGroup<
      z.output<Contract['skills'][Verb]['input']>,
      z.input<Contract['skills'][Verb]['output']>,
      SkillContext<Contract>
    >;
  };
  /** The lists whose copies answer questions of the skills. */
  readonly copies?: readonly ListCopy[];
  /** For a connector whose intake is a stream: opens the sealed stream credential. */
  openStream?(credential: unknown): EventStream;
  /** Proves the credentials with the cheapest call. */
  test(context: SkillContext<Contract>): Promise<ConnectionTest>;
}
