import type { z } from 'zod';
import type { Database } from '../../db/client.js';
import { type AttackReply, type AttackRequest, send } from './request.js';
import type { Json } from './samples.js';

/** The service under attack: an installation of the command on this machine, or the service of a test. */
export interface Target {
  readonly url: string;
  readonly adminKey: string;
  readonly database: Database;
  /** Without a worker no request reaches a third party, and no rows change in the background. */
  stopWorker(): Promise<void>;
}

/** Who sends a request: the headers that carry the credential. */
export type Credential = readonly string[];

export const withKey = (apiKey: string): Credential => [`cookie: Session=${apiKey}`];
export const withBearer = (token: string): Credential => [`authorization: Bearer ${token}`];

export function asJson(body: Json): Pick<AttackRequest, 'headers' | 'body'> {
  return { headers: ['content-type: application/json'], body: JSON.stringify(body) };
}

/** A request that is part of the preparation. Returns the reply, which is not an attack's. */
export async function call(
  { url, adminKey }: Pick<Target, 'url' | 'adminKey'>,
  method: string,
  target: string,
  { body, credential = withKey(adminKey) }: { body?: Json; credential?: Credential } = {},
): Promise<AttackReply> {
  const sent = body === undefined ? {} : asJson(body);
  return send(url, { ...sent, method, target, headers: [...credential, ...(sent.headers ?? [])] });
}

/** A request of the preparation that must succeed. */
export async function require<T>(schema: z.ZodType<T>, replying: Promise<AttackReply>): Promise<T> {
  const { status, body } = await replying;
  const parsed = schema.safeParse(parseBody(body));
  if (status >= 300 || !parsed.success) throw new Error(`The preparation of the attack was answered ${status}: ${body.slice(0, 500)}`);
  return parsed.data;
}

export function parseBody(body: string): unknown {
  try {
    return body === '' ? null : JSON.parse(body);
  } catch {
    return null;
  }
}
