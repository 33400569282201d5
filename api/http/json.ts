import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse as parseExact, stringify as stringifyExact } from 'lossless-json';
import { LARGE_BYTES, runSerially } from '../../platform/run-serially.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../../platform/safe-json.js';
import { Problem } from './problems.js';

/** Detects integers that JSON.parse rounded. Top-level fields suffice: no request nests integers. */
function isRounded(parsed: unknown): boolean {
  const values = typeof parsed === 'object' && parsed !== null ? Object.values(parsed) : [];
  return values.some((value) => Number.isInteger(value) && !Number.isSafeInteger(value));
}

/** Integers beyond 2^53 become bigints, so that an int64 keeps its exact value. */
const EXACT = {
  parseNumber: (digits: string) =>
    /^-?\d{16,19}$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? BigInt(digits) : Number(digits),
  onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
};

/** Accepts JSON bodies only: UTF-8, limited depth, no prototype poisoning. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseSafely = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) return done(new Problem(415, 'Send the body as UTF-8.'));
    const parse = () => parseBody(request, body, done);
    if (body.length > LARGE_BYTES) void runSerially(parse);
    else parse();
  });

  function parseBody(request: FastifyRequest, body: Buffer, done: (error: Error | null, parsed?: unknown) => void) {
    if (!isUtf8(body)) return done(new Problem(400, 'The body is not valid UTF-8.'));
    if (isTooDeep(body)) return done(new Problem(400, `The body is nested deeper than ${MAX_JSON_DEPTH} levels. Send a flatter object.`));
    const text = body.toString('utf8');
    void parseSafely(request, text, (error, parsed) => {
      if (error) return done(malformed(error));
      if (!isRounded(parsed)) return done(null, parsed);
      try {
        return done(null, parseExact(text, undefined, EXACT));
      } catch (exactError) {
        return done(malformed(exactError));
      }
    });
  }
}

function malformed(error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  // The parser's message ends with a part of the body, which a reply must not repeat.
  return new Problem(400, `The body is not valid JSON: ${reason.replace(/,? ?\.*".*$/s, '').slice(0, 200)}.`);
}

export function stringify(payload: unknown): string {
  try {
    return JSON.stringify(payload);
  } catch {
    return stringifyExact(payload) ?? 'null';
  }
}
