import type { z } from 'zod';
import type { ConnectorContract } from './define.js';
import type { Egress } from './egress.js';

/** The connection a skill is performed with: opened for one call, held by nobody. */
export interface OpenConnection<Contract extends ConnectorContract = ConnectorContract> {
  readonly id: string;
  /** Rises with every change of the credentials: what was cached for an older one is worthless. */
  readonly generation: number;
  readonly settings: z.output<Contract['settings']>;
  readonly credentials: z.output<Contract['credentials']>;
}

export interface SkillContext<Contract extends ConnectorContract = ConnectorContract> {
  readonly connection: OpenConnection<Contract>;
  /** The one way out, within this connection's limits and this attempt's time. */
  readonly http: Http;
  /** Ends with the attempt's time limit or the activity's cancellation. */
  readonly signal: AbortSignal;
  /** Names this one write for ever: it travels in the action's comment and is what an unknown outcome is looked up by. */
  readonly operationKey: string;
  /** Seals a credential that the third party has just made; it appears nowhere else. */
  keepCredential(field: string, value: unknown): Promise<void>;
  /** What the event stream of this connection has brought, newest first; null where nobody consumes one. */
  readStoredEvents(question: { since: string | null; limit: number }): Promise<readonly unknown[] | null>;
  /** The lasting uuid we keep for a value that must not be shown (a key): the same value always has the same one. */
  uuidOf(value: string): Promise<string>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** Arrays repeat their name; undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** Decompressed; 8 MiB unless told. */
  readonly maxBytes?: number;
}

export interface HttpReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Integers beyond 2^53 come as strings of their digits. Throws UnexpectedReply where the body is not JSON. */
  json(): unknown;
}

/** Answers every status as a reply; throws a ThirdPartyError for what never became one. */
export interface Http {
  request(request: HttpRequest): Promise<HttpReply>;
}

/** An event stream that a third party keeps for one connection. */
export interface EventStream {
  /** Identifies the stream at the third party: only one process at a time consumes it. */
  readonly name: string;
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

/** What the test of a connection found, in words a person can act on. */
export interface ConnectionTest {
  readonly credentials: { readonly ok: boolean; readonly detail: string };
  /** Per skill, by its title; null where only a real call could tell. */
  readonly permissions: readonly { readonly skill_id: string; readonly permission: string | null; readonly granted: boolean | null }[];
  /** The `date` of the reply, which tells how far the clocks are apart. */
  readonly date: string | null;
}

type Perform<Contract extends ConnectorContract, Verb extends keyof Contract['skills']> = (
  input: z.output<Contract['skills'][Verb]['input']>,
  context: SkillContext<Contract>,
) => Promise<z.input<Contract['skills'][Verb]['output']>>;

/** The functions that perform a connector's skills. */
export interface Implementation<Contract extends ConnectorContract> {
  readonly skills: { readonly [Verb in keyof Contract['skills']]: Perform<Contract, Verb> };
  /** For writes whose outcome can be looked up: what the operation of this key did, or null if it surely never happened. */
  readonly lookups?: {
    readonly [Verb in keyof Contract['skills']]?: (
      input: z.output<Contract['skills'][Verb]['input']>,
      context: SkillContext<Contract>,
    ) => Promise<z.input<Contract['skills'][Verb]['output']> | null>;
  };
  /** For a connector whose intake is a stream: opens the sealed stream credential. */
  openStream?(credential: unknown): EventStream;
  /** The cheapest call that proves a credential. */
  test(context: SkillContext<Contract>): Promise<ConnectionTest>;
}
