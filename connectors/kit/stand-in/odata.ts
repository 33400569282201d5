import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

export interface ODataError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export function sendError(reply: FastifyReply, { status, code, message }: ODataError): FastifyReply {
  return reply.code(status).send({ error: { code, message, target: '00000000-0000-0000-0000-000000000000' } });
}

export interface Listing {
  readonly entity: string;
  /** The API refuses a larger $top. */
  readonly maxTop: number;
  /** The largest page. The reply links to the next page. */
  readonly pageSize: number;
  /** The API refuses a filter with any other field. */
  readonly filterable: readonly string[];
  /** The path in a link to the next page. */
  readonly linkPath: string;
}

const Options = z.object({
  $top: z.coerce.number().int().min(0).optional(),
  $skip: z.coerce.number().int().min(0).default(0),
  $filter: z.string().optional(),
});

/** Sends one page of the filtered list as OData does, with a link if the page is smaller than the requested number. */
export function sendList(request: FastifyRequest, reply: FastifyReply, all: readonly Item[], listing: Listing): FastifyReply {
  const options = Options.safeParse(request.query);
  if (!options.success) return sendError(reply, { status: 400, code: 'ODataError', message: 'The query options are not valid.' });
  const { $top, $skip, $filter } = options.data;
  if ($top !== undefined && $top > listing.maxTop) {
    const message = `The limit of '${listing.maxTop}' for Top query has been exceeded. The value from the incoming request is '${$top}'.`;
    return sendError(reply, { status: 400, code: 'ODataError', message });
  }
  const matches = $filter === undefined ? () => true : parseFilter($filter, listing.filterable);
  if (matches === null) return sendError(reply, { status: 400, code: 'ODataError', message: `Invalid filter: ${$filter}` });
  const found = all.filter(matches);
  const wanted = Math.min($top ?? found.length, Math.max(0, found.length - $skip));
  const value = found.slice($skip, $skip + Math.min(wanted, listing.pageSize));
  const left = wanted - value.length;
  return reply.send({
    '@odata.context': `https://${request.host}/api/$metadata#${listing.entity}`,
    value,
    ...(left > 0
      ? { '@odata.nextLink': linkTo(request, listing.linkPath, { $filter, $top: $top && left, $skip: $skip + value.length }) }
      : {}),
  });
}

function linkTo(request: FastifyRequest, path: string, options: Record<string, string | number | undefined>): string {
  const { $expand } = z.object({ $expand: z.string().optional() }).parse(request.query);
  const pairs = Object.entries({ $expand, ...options }).filter(([, value]) => value !== undefined);
  return `https://${request.host}${path}?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')}`;
}

export type Item = object;
type Test = (item: Item) => boolean;

/** Parses the part of the language that clients of these lists use: clauses joined with "and", each with comparisons joined with "or". */
function parseFilter(filter: string, filterable: readonly string[]): Test | null {
  const clauses = split(filter, ' and ').map((clause) =>
    split(clause.replace(/^\((.*)\)$/, '$1'), ' or ').map((comparison) => parseComparison(comparison, filterable)),
  );
  if (clauses.flat().includes(null)) return null;
  return (item) => clauses.every((tests) => tests.some((test) => test?.(item)));
}

const COMPARISON = /^(\w+) (eq|ge|le) (?:'((?:[^']|'')*)'|([^'\s]+))$/;
const PREFIX = /^startswith\((\w+),'((?:[^']|'')*)'\)$/;
const ELEMENT = /^(\w+)\/any\((\w+): ?\2 eq '((?:[^']|'')*)'\)$/;

function parseComparison(comparison: string, filterable: readonly string[]): Test | null {
  const [, prefixed, prefix] = PREFIX.exec(comparison) ?? [];
  if (prefixed !== undefined && filterable.includes(prefixed))
    return (item) => String(Reflect.get(item, prefixed)).startsWith(prefix?.replaceAll("''", "'") ?? '');
  const element = ELEMENT.exec(comparison);
  const [, field = '', operator, quoted, bare] = element ? [null, element[1], 'any', element[3]] : (COMPARISON.exec(comparison) ?? []);
  if (!filterable.includes(field)) return null;
  const text = quoted?.replaceAll("''", "'");
  if (operator === 'any')
    return (item) =>
      z
        .array(z.string())
        .parse(Reflect.get(item, field))
        .includes(text ?? '');
  // The platforms ignore the case of texts.
  if (operator === 'eq') {
    const wanted = (text ?? bare ?? '').toLowerCase();
    return (item) => String(Reflect.get(item, field)).toLowerCase() === wanted;
  }
  // Times have no quotes.
  const limitMs = Date.parse(bare ?? '');
  if (Number.isNaN(limitMs)) return null;
  const atMs = (item: Item) => Date.parse(String(Reflect.get(item, field)));
  return operator === 'ge' ? (item) => atMs(item) >= limitMs : (item) => atMs(item) <= limitMs;
}

/** Ignores separators inside quotes. OData doubles a quote within a text, so an odd number of quotes means an open text. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  for (const piece of text.split(separator)) {
    const open = parts.at(-1);
    if (open !== undefined && (open.split("'").length - 1) % 2 === 1) parts[parts.length - 1] = `${open}${separator}${piece}`;
    else parts.push(piece);
  }
  return parts;
}
