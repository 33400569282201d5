import { z } from 'zod';
import { type ThirdPartyError, UnexpectedReply } from '../../domain/connection/skill-errors.js';
import { clip } from '../../domain/text.js';
import { toRefusal } from '../kit/errors.js';
import type { HttpReply, HttpRequest, SkillContext } from '../kit/implement.js';
import { threatIntelligence } from './contract.js';

export type Context = SkillContext<typeof threatIntelligence>;

export const MAX_LIST = 50;
const MAX_TEXT = 2000;

const REDACTED = '[redacted]';
const SECRET_KEY = /passw|passphrase|pwd|secret|credential|clear_?text|private_?key|api_?key|token|cookie/i;
/** Keeps the kind of a secret and drops its value. */
const DESCRIBING_KEY = /^(type|algorithm|properties|rank)$/;
const SECRET_IN_TEXT: readonly RegExp[] = [
  /([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+[:|])\S+/g,
  /((?:passw(?:or)?d|passphrase|pwd|secret|api[_-]?key|token)["']?\s{0,5}[:=]\s{0,5}["']?)[^\s"',;]+/gi,
];

export const maybeText = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => (value == null ? null : readable(String(value))));
export const maybeNumber = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
export const lenientList = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .catch(null)
    .transform((items) => items ?? []);
/** If the object is missing, each of its fields is null. */
export const group = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const fields = z.object(shape);
  return z
    .looseObject({})
    .nullish()
    .catch(null)
    .transform((value) => fields.parse(value ?? {}));
};
export const anything = z
  .unknown()
  .optional()
  .transform((value) => withoutSecrets(value ?? null));
export const identity = z.union([z.string().min(1), z.number()]).transform(String);

export const Entity = z.object({ id: maybeText, name: maybeText, type: maybeText });
export const maybeEntity = Entity.nullish()
  .catch(null)
  .transform((entity) => entity ?? null);

const ErrorReply = z.object({ error: group({ message: maybeText }), message: maybeText });

/** Leaked passwords are in clear text: drops the value of every key that names a secret. */
export function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? REDACTED : readable(value);
  if (typeof value === 'number') return isSecret ? REDACTED : value;
  if (Array.isArray(value)) return value.slice(0, MAX_LIST).map((item) => withoutSecrets(item, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, isSecret ? !DESCRIBING_KEY.test(key) : SECRET_KEY.test(key))]),
  );
}

/** Limits the length of a text and removes anything that looks like a password. */
function readable(value: string): string {
  const near = value.slice(0, 2 * MAX_TEXT);
  return clip(
    SECRET_IN_TEXT.reduce((text, pattern) => text.replace(pattern, `$1${REDACTED}`), near),
    MAX_TEXT,
  );
}

export async function ask(context: Context, request: HttpRequest): Promise<HttpReply> {
  const reply = await send(context, request);
  if (reply.status !== 200) throw refusal(reply);
  return reply;
}

export function send({ connection, http }: Context, request: HttpRequest): Promise<HttpReply> {
  const { settings, credentials } = connection;
  return http.request({ ...request, headers: { accept: 'application/json', [settings.token_header]: credentials.api_key } });
}

export function buildUrl({ connection }: Context, path: string): string {
  return `${connection.settings.api_host}${path}`;
}

export function read<Schema extends z.ZodType>(schema: Schema, reply: HttpReply): z.output<Schema> {
  const parsed = schema.safeParse(reply.json());
  if (!parsed.success) throw new UnexpectedReply(`The reply of the platform has an unexpected format: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

export function refusal(reply: HttpReply): ThirdPartyError {
  return toRefusal(reply, threatIntelligence.errors, readErrorMessage(reply));
}

function readErrorMessage(reply: HttpReply): string {
  try {
    const { error, message } = ErrorReply.parse(reply.json());
    return error.message ?? message ?? '';
  } catch {
    return '';
  }
}
