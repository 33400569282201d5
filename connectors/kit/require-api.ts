import { LRUCache } from 'lru-cache';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import type { HttpReply, OpenConnection } from './implement.js';

export interface ApiAddress {
  readonly connection: Pick<OpenConnection, 'id' | 'generation'>;
  readonly baseUrl: string;
  /** Calls of paths that the API always has. One success is enough. */
  readonly probes: readonly (() => Promise<HttpReply>)[];
  refusal(reply: HttpReply): ThirdPartyError;
}

const REMEMBERED_MS = 10 * 60_000;
const found = new LRUCache<string, true>({ max: 1000, ttl: REMEMBERED_MS });

/** Throws unless the API is at this address. Only then is a reply 404 about the record, and not about the host or the path. */
export async function requireApi({ connection, baseUrl, probes, refusal }: ApiAddress, notFound: HttpReply): Promise<void> {
  const key = `${connection.id} ${connection.generation} ${baseUrl}`;
  if (found.has(key)) return;
  let problem = notFound;
  for (const probe of probes) {
    const reply = await unsent(probe);
    if (isFromApi(reply)) {
      found.set(key, true);
      return;
    }
    if (reply.status >= 400) problem = reply;
    if (problem.status !== 404) break;
  }
  throw refusal(problem).asUnsent();
}

/** A web server without the API may answer each path with a page. */
function isFromApi(reply: HttpReply): boolean {
  if (reply.status === 403) return true;
  if (reply.status < 200 || reply.status > 299) return false;
  try {
    const body = reply.json();
    return typeof body === 'object' && body !== null;
  } catch {
    return false;
  }
}

/** The call whose reply was 404 had no effect, whatever happens to the probe. */
async function unsent(probe: () => Promise<HttpReply>): Promise<HttpReply> {
  try {
    return await probe();
  } catch (error) {
    throw error instanceof ThirdPartyError ? error.asUnsent() : error;
  }
}
