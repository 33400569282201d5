import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createHostCheck } from './host-names.js';
import { isLoopback } from './networks.js';

export const METRICS_REFUSAL = {
  type: 'about:blank',
  title: 'Unauthorized',
  status: 401,
  detail: 'Send METRICS_TOKEN as `Authorization: Bearer <token>`, or read the metrics on the machine of the process.',
} as const;

const isLocalHost = createHostCheck([]);

/**
 * Metrics cost queries and reveal the load. A request needs the token, or comes from this machine: over its loopback socket, under its
 * name, and not from a proxy on it, which forwards requests of others.
 */
export function mayReadMetrics({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, token: string | null): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const digest = (text: string) => hash('sha256', text, 'buffer');
  if (given !== undefined && token !== null && timingSafeEqual(digest(given), digest(token))) return true;
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => headers[name] !== undefined);
  return !isForwarded && isLoopback(socket.remoteAddress ?? '') && isLocalHost(headers.host);
}
