import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { withoutParameters } from '../../db/client.js';
import { clip } from '../../domain/text.js';
import {
  type CommandError,
  invalid,
  MAX_WRONG_FIELDS,
  type Refusal,
  type ThirdPartyFailure,
  toCommandError,
  type WrongField,
} from '../../services/errors.js';

/** Every error of this API is an RFC 9457 problem that says what is wrong, where, and what to do. */
export const ProblemDocument = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('The cause of the error and the remedy.'),
    code: z.string().optional().describe('Error code of a failed call to a third party.'),
    third_party_status: z.int().nullable().optional(),
    resolution: z.string().nullable().optional().describe('The remedy for an error of a third party.'),
    errors: z
      .array(
        z.object({
          detail: z.string(),
          pointer: z.string().optional().describe('JSON pointer to the wrong field of the body'),
          parameter: z.string().optional().describe('The wrong query or path parameter, or header'),
        }),
      )
      .optional(),
  })
  .meta({
    id: 'Problem',
    examples: [{ type: 'about:blank', title: 'Unprocessable Content', status: 422, detail: 'alert_type: is required.' }],
  });

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** Thrown by the HTTP layer, or made from an error of a command; `sendProblem` turns it into the reply. */
export class Problem extends Error {
  readonly status: number;
  readonly errors: readonly WrongField[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly thirdParty: ThirdPartyFailure | undefined;

  constructor(
    status: number,
    detail: string,
    options: { errors?: readonly WrongField[]; retryAfterSeconds?: number; thirdParty?: ThirdPartyFailure } = {},
  ) {
    const { stackTraceLimit } = Error;
    // The stack of a refusal helps no one, and it took a seventh of the time of a refused request.
    if (status < 500) Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.thirdParty = options.thirdParty;
    this.status = status;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  document() {
    const { status, message: detail, errors } = this;
    return { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, ...this.thirdParty, ...(errors ? { errors } : {}) };
  }
}

export function nothingHere(): Problem {
  return new Problem(404, 'There is nothing at this path. GET /docs lists all operations.');
}

/** Fastify's own errors, with a remedy. */
const FASTIFY_ERRORS: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new Problem(
      413,
      'The body is too large. An operation without a key accepts 4 KiB, a link for credentials 64 KiB, a file of a case 10 MiB, any other operation 1 MiB. Send only the essential part.',
    ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Problem(415, 'Send the body as Content-Type: application/json (UTF-8).'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new Problem(400, 'The body is empty. Send a JSON object.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem(400, 'The length of the body differs from its Content-Length.'),
  FST_ERR_HANDLER_TIMEOUT: () =>
    new Problem(503, 'The operation took too long, and its outcome is unknown. Check the result, then try again.', {
      retryAfterSeconds: 5,
    }),
  FST_ERR_BAD_URL: () => new Problem(400, 'The URL is malformed.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Problem(404, 'There is nothing at this path. GET /docs lists all operations.'),
};

type ValidationIssue = NonNullable<FastifyError['validation']>[number];

function wrongFields(issues: readonly ValidationIssue[], context: string | undefined): WrongField[] {
  const place = (path: string) => (context === 'body' ? { pointer: `#${path === '/' ? '' : path}` } : { parameter: path.slice(1) });
  const wrong = issues.flatMap((issue) => {
    const unknownKeys = issue.params?.['keys'];
    if (issue.keyword === 'unrecognized_keys' && Array.isArray(unknownKeys)) {
      const base = issue.instancePath === '/' ? '' : issue.instancePath;
      return unknownKeys.slice(0, MAX_WRONG_FIELDS).map((unknownKey) => {
        const key = clip(String(unknownKey), 100);
        return { detail: `${key}: is not a known field.`, ...place(`${base}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`) };
      });
    }
    const name = issue.instancePath.slice(1) || 'The body';
    const message = issue.message?.endsWith('received undefined') ? 'is required' : (issue.message ?? 'is invalid');
    return [{ detail: `${name}: ${message}.`, ...place(issue.instancePath) }];
  });
  return wrong.slice(0, MAX_WRONG_FIELDS);
}

const STATUS: Readonly<Record<Refusal, number>> = {
  malformed: 400,
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'too-many': 429,
  'third-party': 502,
  unavailable: 503,
};

export function fromCommand({ refusal, message, errors, retryAfterSeconds, thirdParty }: CommandError): Problem {
  return new Problem(STATUS[refusal], message, {
    ...(errors === undefined ? {} : { errors }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(thirdParty === undefined ? {} : { thirdParty }),
  });
}

/** Null for an error that is a fault of the service. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  const refusal = toCommandError(error);
  if (refusal) return fromCommand(refusal);
  if (!(error instanceof Error)) return null;
  const { code, validation, validationContext, statusCode }: Error & Partial<FastifyError> = error;
  if (validation) return fromCommand(invalid(wrongFields(validation, validationContext)));
  const known = FASTIFY_ERRORS[code ?? ''];
  if (known) return known();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Problem(statusCode, error.message);
  return null;
}

/** The only error handler. It logs an unexpected error in full and replies without its details. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  let problem = toProblem(error);
  if (!problem) {
    request.log.error({ err: withoutParameters(error) }, 'unexpected error');
    problem = new Problem(500, `The service failed to process the request. Search its log for the request id ${request.id}.`);
  } else if (problem.status >= 500) {
    request.log.warn({ err: withoutParameters(error) }, 'request refused');
  }
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds));
  if (problem.status === 401) reply.header('www-authenticate', 'Cookie realm="alert-investigator", cookie-name="Session"');
  return reply.status(problem.status).type('application/problem+json').serializer(JSON.stringify).send(problem.document());
}
