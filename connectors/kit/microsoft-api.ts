import { z } from 'zod';
import {
  describeIssues,
  ReplyTooLarge,
  ThirdPartyError,
  type ThirdPartyErrorCode,
  UnexpectedReply,
} from '../../domain/connection/skill-errors.js';
import { clip } from '../../domain/text.js';
import type { ErrorTable, SkillContract } from './define.js';
import { toRefusal, toUnknownRecord } from './errors.js';
import type { ConnectionTest, Http, HttpReply, HttpRequest } from './implement.js';
import { fetchToken, requestWithToken, type TokenSource } from './oauth.js';
import { type Collected, collectPages, omittedItem, PageSize } from './paging.js';
import { requireApi } from './require-api.js';

/** Shared by connectors that use an app registration: client credentials, OData lists and errors. */
export interface MicrosoftContext {
  readonly connection: {
    readonly id: string;
    readonly generation: number;
    readonly settings: { readonly auth_url: string; readonly api_host: string; readonly scope_resource: string };
    readonly credentials: { readonly tenant_id: string; readonly client_id: string; readonly client_secret: string };
  };
  readonly http: Http;
}

interface Cursor {
  /** null: ask with $top and $skip. */
  readonly link: string | null;
  readonly skip: number;
  /** The last $top and its start: links continue from there. */
  readonly top: number;
  readonly askedFrom: number;
}

export interface ListQuestion<Item extends z.ZodType> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly filter: string | undefined;
  readonly item: Item;
  /** The page size: within the third party's maximum and the size limit of a reply. */
  readonly pageSize: number;
  readonly maxItems: number;
  /** The path names one record: a reply 404 is about it. */
  readonly isOfRecord?: true;
  /** The key of an item, to drop duplicates when pages shift. */
  readonly idOf?: (item: z.output<Item>) => string;
  /** The part of an item to keep, by the bytes that were read before its page. Default: the whole item. */
  readonly keep?: (item: z.output<Item>, bytesBefore: number) => z.output<Item>;
  /** Reads all pages, also after the request limit of the third party. Default: the usual limit of bytes, and its request limit is an error. */
  readonly waits?: { readonly untilMs: number; readonly signal: AbortSignal };
}

const ListReply = z.looseObject({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.string().nullish().catch(null),
  '@odata.count': z.coerce.number().nullish().catch(null),
});
const ErrorReply = z.looseObject({ error: z.looseObject({ code: z.string().catch(''), message: z.string().catch('') }) });
const TokenError = z.looseObject({
  error: z.string().catch(''),
  error_description: z.string().catch(''),
  error_codes: z.array(z.coerce.number()).catch([]),
});

interface Call extends Omit<HttpRequest, 'url'> {
  readonly path: string;
  /** The path names one record: a reply 404 is about it. */
  readonly isOfRecord?: boolean;
}

export interface MicrosoftProbe {
  /** A list that every installation of the API has. */
  readonly path: string;
  /** The permission that the list needs. */
  readonly permission: string;
}

export class MicrosoftApi {
  constructor(
    private readonly errors: ErrorTable,
    private readonly probe: MicrosoftProbe,
  ) {}

  /** Returns a successful reply or throws the error of the table. */
  async call(context: MicrosoftContext, { isOfRecord = false, ...request }: Call): Promise<HttpReply> {
    const reply = await this.send(context, { ...request, url: `${context.connection.settings.api_host}${request.path}` });
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw isOfRecord ? await this.refusalAboutRecord(context, reply) : this.refusal(reply);
  }

  /** Reads one record by its id. */
  async getRecord<Schema extends z.ZodType>(context: MicrosoftContext, path: string, schema: Schema): Promise<z.output<Schema>> {
    return readAs(schema, (await this.call(context, { method: 'GET', path, isOfRecord: true })).json());
  }

  async post<Schema extends z.ZodType>(
    context: MicrosoftContext,
    call: Pick<Call, 'path' | 'json' | 'isOfRecord'>,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    return readAs(schema, (await this.call(context, { method: 'POST', ...call })).json());
  }

  /** Follows links to the connection's own host; otherwise counts on until a short page. */
  async list<Item extends z.ZodType>(context: MicrosoftContext, question: ListQuestion<Item>): Promise<Collected<z.output<Item>>> {
    const host = context.connection.settings.api_host;
    const { path, filter, pageSize, maxItems, idOf, isOfRecord = false, keep, waits } = question;
    const bound = waits ? { maxItems, maxBytes: Number.POSITIVE_INFINITY, waits } : { maxItems };
    const size = new PageSize(Math.min(pageSize, maxItems + 1), 'offset', { connection: context.connection, path });
    const pageFrom = (skip: number): Cursor => ({ link: null, skip, top: 0, askedFrom: skip });
    const askFrom = (skip: number) =>
      size.read(skip, async (top) => {
        const query = { ...question.query, $filter: filter, $top: top, $skip: skip || undefined };
        return { reply: await this.getPage(context, { url: `${host}${path}`, query }, isOfRecord), top, askedFrom: skip };
      });
    const seen = new Set<string>();
    let bytesBefore = 0;
    return collectPages<z.output<Item>, Cursor>(pageFrom(0), bound, async (cursor) => {
      const { skip } = cursor;
      const linked = cursor.link === null ? null : await unlessTooLarge(this.getPage(context, { url: cursor.link }, isOfRecord));
      const asked = linked === null ? await askFrom(skip) : { reply: linked, top: cursor.top, askedFrom: cursor.askedFrom };
      if (asked === null) return omittedItem(pageFrom(skip + 1));
      const { reply, top, askedFrom } = asked;
      const page = readAs(ListReply, reply.json());
      const link = page['@odata.nextLink'] ?? null;
      const read = skip + page.value.length;
      // A link to another host still shows that there are more items.
      const mayBeMore = page.value.length > 0 && (link !== null || read - askedFrom >= top);
      const items = readAs(z.array(question.item), page.value);
      const fresh = idOf ? items.filter((item) => isNew(seen, idOf(item))) : items;
      const bytes = Buffer.byteLength(reply.text);
      const kept = keep ? fresh.map((item) => keep(item, bytesBefore)) : fresh;
      bytesBefore += bytes;
      return {
        items: kept,
        next: isOwnLink(link, host) && link !== cursor.link ? { link, skip: read, top, askedFrom } : mayBeMore ? pageFrom(read) : null,
        total: readTotal(page['@odata.count'], read),
        bytes,
      };
    });
  }

  /** Proves the secret with a new token and the host with one small call; reads the permissions from the token. */
  async test(context: MicrosoftContext, skills: Readonly<Record<string, SkillContract>>): Promise<ConnectionTest> {
    const source = tokenSource(context, this.errors);
    let roles: readonly string[] | null;
    try {
      roles = readRoles((await fetchToken(context.http, source)).value);
    } catch (error) {
      if (!(error instanceof ThirdPartyError) || error.code !== 'CredentialsRejected') throw error;
      return { credentials: { ok: false, detail: describeError(error) }, permissions: comparePermissions(skills, null, {}), date: null };
    }
    const reply = await this.callProbe(context);
    // The reply decides about its own permission. The roles of the token, if it can be read, tell about the others.
    const probed = reply.status === 200 || reply.status === 403 ? { [this.probe.permission]: reply.status === 200 } : {};
    const permissions = comparePermissions(skills, roles, probed);
    const date = reply.headers['date'] ?? null;
    if (reply.status === 401) return { credentials: { ok: false, detail: describeError(this.refusal(reply)) }, permissions, date };
    if (reply.status !== 200 && reply.status !== 403) throw this.refusal(reply);
    return { credentials: { ok: true, detail: this.describeProbe(reply, roles) }, permissions, date };
  }

  private describeProbe(reply: HttpReply, roles: readonly string[] | null): string {
    if (roles?.length === 0) return 'A token was issued, but no permission has been granted to the application yet: grant admin consent.';
    if (reply.status === 200) return 'A token was issued and the API answered.';
    return `A token was issued, but the API refused it. ${describeError(this.refusal(reply))}`;
  }

  private callProbe(context: MicrosoftContext): Promise<HttpReply> {
    return this.send(context, { method: 'GET', url: `${context.connection.settings.api_host}${this.probe.path}`, query: { $top: 1 } });
  }

  private async getPage(context: MicrosoftContext, request: Pick<HttpRequest, 'url' | 'query'>, isOfRecord: boolean): Promise<HttpReply> {
    const reply = await this.send(context, { method: 'GET', ...request });
    if (reply.status !== 200) throw isOfRecord ? await this.refusalAboutRecord(context, reply) : this.refusal(reply);
    return reply;
  }

  private async refusalAboutRecord(context: MicrosoftContext, reply: HttpReply): Promise<ThirdPartyError> {
    if (reply.status !== 404) return this.refusal(reply);
    await requireApi(
      {
        connection: context.connection,
        baseUrl: context.connection.settings.api_host,
        probes: [() => this.callProbe(context)],
        refusal: (refused) => this.refusal(refused),
      },
      reply,
    );
    return toUnknownRecord(reply, readDetail(reply));
  }

  private send(context: MicrosoftContext, request: HttpRequest): Promise<HttpReply> {
    const headers = { accept: 'application/json', 'content-type': 'application/json', ...request.headers };
    return requestWithToken(context, tokenSource(context, this.errors), { ...request, headers });
  }

  private refusal(reply: HttpReply): ThirdPartyError {
    const { code, message } = parseError(reply);
    const detail = readDetail(reply);
    if (code === 'ActiveRequestAlreadyExists') {
      return new ThirdPartyError('Conflict', `HTTP ${reply.status}: ${clip(detail, 300)}`, {
        status: reply.status,
        resolution: 'Wait until the running action has ended.',
      });
    }
    return toRefusal(withWaitFromBody(reply, message), this.errors, detail);
  }
}

export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UnexpectedReply(`The third party's reply cannot be read: ${clip(describeIssues(parsed.error), 500)}`);
  return parsed.data;
}

/** Parts of an OData filter, with quotes escaped. */
export const odata = {
  is: (field: string, value: string | undefined) => (value === undefined ? undefined : `${field} eq ${quoted(value)}`),
  isNumber: (field: string, value: string | undefined) => (value === undefined ? undefined : `${field} eq ${value}`),
  isOneOf: (field: string, values: readonly string[] | undefined) =>
    values === undefined ? undefined : `(${values.map((value) => `${field} eq ${quoted(value)}`).join(' or ')})`,
  startsWith: (field: string, value: string) => `startswith(${field},${quoted(value)})`,
  hasElement: (field: string, value: string | undefined) =>
    value === undefined ? undefined : `${field}/any(element: element eq ${quoted(value)})`,
  from: (field: string, time: string | undefined) => (time === undefined ? undefined : `${field} ge ${new Date(time).toISOString()}`),
  until: (field: string, time: string | undefined) => (time === undefined ? undefined : `${field} le ${new Date(time).toISOString()}`),
  all: (...clauses: readonly (string | undefined)[]) => clauses.filter((clause) => clause !== undefined).join(' and ') || undefined,
};

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Some lists send a count that is smaller than the number of their items. Such a count is unknown. */
function readTotal(count: number | null | undefined, read: number): number | null {
  return count == null || Number.isNaN(count) || count < read ? null : count;
}

/** The third party chooses the size of a linked page, so a large one is asked for again with our own size. */
async function unlessTooLarge(asked: Promise<HttpReply>): Promise<HttpReply | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ReplyTooLarge) return null;
    throw error;
  }
}

/** The token goes only to the connection's own host, even if a reply links elsewhere. */
function isOwnLink(link: string | null, host: string): link is string {
  return link !== null && URL.canParse(link) && new URL(link).origin === new URL(host).origin;
}

function isNew(seen: Set<string>, id: string): boolean {
  return seen.size < seen.add(id).size;
}

// https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow#get-a-token
function tokenSource({ connection: { settings, credentials } }: MicrosoftContext, errors: ErrorTable): TokenSource {
  return {
    url: `${settings.auth_url}/${encodeURIComponent(credentials.tenant_id)}/oauth2/v2.0/token`,
    form: {
      client_id: credentials.client_id,
      client_secret: credentials.client_secret,
      grant_type: 'client_credentials',
      scope: `${settings.scope_resource}/.default`,
    },
    refusal: (reply) => tokenRefusal(reply, errors),
  };
}

/** Error codes of the identity provider that a user can resolve. https://learn.microsoft.com/en-us/entra/identity-platform/reference-error-codes */
const SIGN_IN_CODES: Readonly<Record<number, { code: ThirdPartyErrorCode; cause: string; resolution: string }>> = {
  7000215: {
    code: 'CredentialsRejected',
    cause: 'Wrong client secret',
    resolution: "Enter the secret's value, not its id; where it was shown only once and is lost, create a new one.",
  },
  7000222: {
    code: 'CredentialsRejected',
    cause: 'Expired client secret',
    resolution: 'Create a new client secret in the app registration and reconnect with it.',
  },
  700016: {
    code: 'CredentialsRejected',
    cause: 'Application not found in this tenant',
    resolution: 'Check the client ID and the tenant ID, and that an administrator of the tenant has consented to the application.',
  },
  90002: {
    code: 'CredentialsRejected',
    cause: 'Tenant not found',
    resolution: 'Check the tenant ID and the auth URL of its cloud.',
  },
  70011: {
    code: 'BadRequest',
    cause: 'Invalid scope',
    resolution: 'Check scope_resource: the address of the API resource, without a path.',
  },
  500011: {
    code: 'BadRequest',
    cause: 'The API resource is not in this tenant',
    resolution: 'Check scope_resource, and that the tenant has an eligible licence of the product.',
  },
};
const BUSY_CODES: readonly number[] = [90055, 90024, 90006, 90012];
const REJECTED: readonly string[] = ['invalid_client', 'unauthorized_client', 'invalid_grant', 'access_denied'];

function tokenRefusal(reply: HttpReply, errors: ErrorTable): ThirdPartyError {
  const parsed = TokenError.safeParse(parseBody(reply));
  const { error, error_description, error_codes } = parsed.success ? parsed.data : { error: '', error_description: '', error_codes: [] };
  const { status } = reply;
  // The lines after the first are trace ids.
  const detail = clip(error_description.split(/\r?\n/)[0] || error, 300);
  const known = error_codes.map((code) => SIGN_IN_CODES[code]).find((row) => row !== undefined);
  if (known) return new ThirdPartyError(known.code, `${known.cause} (HTTP ${status}: ${detail})`, { status, resolution: known.resolution });
  if (error_codes.some((code) => BUSY_CODES.includes(code)) || error === 'temporarily_unavailable' || error === 'server_error') {
    const resolution = errors['5xx']?.resolution ?? 'Retry later';
    return new ThirdPartyError('Unavailable', `The identity provider is busy (HTTP ${status}: ${detail})`, {
      status,
      resolution,
      mayHaveHappened: false,
    });
  }
  if (REJECTED.includes(error)) {
    return new ThirdPartyError('CredentialsRejected', `The identity provider refused the credentials (HTTP ${status}: ${detail})`, {
      status,
      resolution: errors[401]?.resolution ?? 'Check the credentials.',
    });
  }
  return toRefusal(reply, errors, detail);
}

/** The roles in the token; null if the token cannot be read. */
function readRoles(token: string): readonly string[] | null {
  const claims = token.split('.')[1];
  if (claims === undefined) return null;
  const parsed = z
    .looseObject({ roles: z.array(z.string()).catch([]) })
    .safeParse(parseJson(Buffer.from(claims, 'base64url').toString('utf8')));
  return parsed.success ? parsed.data.roles : null;
}

function comparePermissions(
  skills: Readonly<Record<string, SkillContract>>,
  roles: readonly string[] | null,
  probed: Readonly<Record<string, boolean>>,
): ConnectionTest['permissions'] {
  const isGranted = (permission: string) => roles && permission.split(/\s+/).some((word) => roles.includes(word));
  return Object.values(skills).map(({ title, permission = null }) => ({
    skill_id: title,
    permission,
    granted: permission === null ? null : (probed[permission] ?? isGranted(permission)),
  }));
}

function parseError(reply: HttpReply): { code: string; message: string } {
  const parsed = ErrorReply.safeParse(parseBody(reply));
  return parsed.success ? parsed.data.error : { code: '', message: '' };
}

function readDetail(reply: HttpReply): string {
  const { code, message } = parseError(reply);
  return [code, message].filter((part) => part !== '').join(': ');
}

/** The incident API may give the wait only in its message. */
function withWaitFromBody(reply: HttpReply, message: string): HttpReply {
  const seconds = reply.status === 429 && reply.headers['retry-after'] === undefined ? /(\d+)\s*sec/i.exec(message)?.[1] : undefined;
  if (seconds === undefined) return reply;
  return { status: reply.status, headers: { ...reply.headers, 'retry-after': seconds }, text: reply.text, json: () => reply.json() };
}

function describeError(error: ThirdPartyError): string {
  return error.resolution === undefined ? error.message : `${error.message}. ${error.resolution}`;
}

/** The body of an error may be empty or not JSON. */
function parseBody(reply: HttpReply): unknown {
  return parseJson(reply.text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
