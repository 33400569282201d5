export type LinkEnd = 'used' | 'revoked' | 'expired';

/** null: the link can be used. */
export function findLinkEnd(
  link: { readonly usedAt: number | null; readonly revokedAt: number | null; readonly expiresAt: number },
  now: number,
): LinkEnd | null {
  if (link.usedAt !== null) return 'used';
  if (link.revokedAt !== null) return 'revoked';
  return link.expiresAt <= now ? 'expired' : null;
}
