import { ThirdPartyError, type ThirdPartyErrorCode } from '../../domain/connection/skill-errors.js';
import { clip } from '../../domain/text.js';
import type { ErrorTable } from './define.js';
import type { HttpReply } from './implement.js';

const CODES: Readonly<Record<number, ThirdPartyErrorCode>> = {
  401: 'CredentialsRejected',
  403: 'NotPermitted',
  // Only a call about one record knows that the record is missing, and not the API: see `toUnknownRecord`.
  404: 'Misconfigured',
  408: 'Unavailable',
  409: 'Conflict',
  429: 'RateLimited',
};
const MAX_WAIT_SECONDS = 24 * 3600;

/** The error for a failed reply, with cause and resolution from the connector's table. */
export function toRefusal(reply: HttpReply, table: ErrorTable, detail: string): ThirdPartyError {
  const { status } = reply;
  const retryAfterSeconds = readRetryAfter(reply);
  const asksToWait = status === 429 || (status === 503 && retryAfterSeconds !== undefined);
  const code = asksToWait ? 'RateLimited' : (CODES[status] ?? (status >= 500 ? 'Unavailable' : 'BadRequest'));
  const row = table[status] ?? (status >= 500 ? table['5xx'] : undefined);
  const answer = describeAnswer(status, detail);
  return new ThirdPartyError(code, row ? `${row.cause} (${answer})` : answer, {
    status,
    ...(row ? { resolution: row.resolution } : {}),
    // A wait of 0 seconds names no time, so the pause grows with each such reply.
    ...(asksToWait && retryAfterSeconds ? { retryAfterSeconds } : {}),
  });
}

/** The error for a reply 404 about one record, after `requireApi`. */
export function toUnknownRecord({ status }: Pick<HttpReply, 'status'>, detail: string): ThirdPartyError {
  return new ThirdPartyError('NotFound', `The third party does not know this record (${describeAnswer(status, detail)})`, {
    status,
    resolution: 'Check the ID. The record may have been deleted at the third party.',
  });
}

function describeAnswer(status: number, detail: string): string {
  return detail === '' ? `HTTP ${status}` : `HTTP ${status}: ${clip(detail, 300)}`;
}

/** Seconds or a date. A date is compared with the third party's own clock, if it sends one. */
export function readRetryAfter({ headers }: Pick<HttpReply, 'headers'>, nowMs = Date.now()): number | undefined {
  const given = headers['retry-after']?.trim();
  if (given === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(given)) return Math.min(MAX_WAIT_SECONDS, Math.ceil(Number(given)));
  // Date.parse accepts almost anything, even "-5".
  const until = /\d:\d\d/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const theirNow = Date.parse(headers['date'] ?? '');
  const seconds = Math.ceil((until - (Number.isNaN(theirNow) ? nowMs : theirNow)) / 1000);
  return Math.max(0, Math.min(MAX_WAIT_SECONDS, seconds));
}
