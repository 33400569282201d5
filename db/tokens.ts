import { createHash, randomBytes } from 'node:crypto';

/** A secret that the service shows once and stores as a hash: `agent_…`. */
export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** A token has 256 random bits, so a plain digest is enough, and the time of a lookup reveals nothing. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
