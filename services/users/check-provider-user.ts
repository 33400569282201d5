import { readMappedClaims } from '../../db/identity/claim-mappings.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { lockForEnd } from '../../db/identity/holdings.js';
import {
  deleteProviderToken,
  lockUserOfProvider,
  type ProviderToken,
  setAccessUntil,
  updateProviderToken,
} from '../../db/identity/provider-tokens.js';
import { grantRoles, type ProviderClaims } from '../../domain/identity/claims.js';
import { type Keyring, refreshTokenPlace } from '../../platform/keyring.js';
import { recordForUser } from '../audit/record-for-user.js';
import { inTransaction, type WorkContext } from '../context.js';
import { setRolesFromClaims } from './set-roles-from-claims.js';

/** At most an hour passes between two checks, also after a failure of the provider. */
export const CHECK_EVERY_SECONDS = 3_000;
const RETRY_SECONDS = 300;

/** `refused`: the token is worth nothing any more. `failed`: ask again later; `mayHaveReplaced`: the provider may have used the token up. */
export type Refreshed =
  | { readonly outcome: 'confirmed'; readonly claims: ProviderClaims }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'failed'; readonly mayHaveReplaced: boolean };

/** Asks the provider. Calls `keep` with a new refresh token before it does anything else. */
export type Refresh = (refreshToken: string, subject: string, keep: (refreshToken: string) => Promise<void>) => Promise<Refreshed>;

interface CheckContext extends WorkContext {
  readonly keyring: Keyring;
  readonly refresh: Refresh;
  /** From the last confirmation until the user must sign in again. */
  readonly accessSeconds: number;
}

/** Applies the claims that a user of the identity provider has now. The caller took the token. */
export async function checkProviderUser(context: CheckContext, held: ProviderToken): Promise<Refreshed['outcome']> {
  const { db, keyring, now, refresh } = context;
  const { userUuid } = held;
  const place = refreshTokenPlace(userUuid);
  const subject = await inTransaction(context, async (inside) => (await lockUserOfProvider(inside.db, userUuid))?.subject ?? null);
  if (subject === null) return 'refused';
  const refreshed = await refresh(keyring.open(held.token, place), subject, async (token) => {
    await updateProviderToken(context.db, held, { token: keyring.seal(token, place), isUncertain: false });
  });
  if (refreshed.outcome === 'confirmed') await confirm(context, held, refreshed.claims);
  else if (refreshed.outcome === 'refused') await refuse(context, held);
  else
    await updateProviderToken(db, held, {
      dueAt: now() + RETRY_SECONDS,
      ...(refreshed.mayHaveReplaced ? {} : { isUncertain: held.wasUncertain }),
    });
  return refreshed.outcome;
}

function confirm(context: CheckContext, held: ProviderToken, claims: ProviderClaims): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, now, accessSeconds } = inside;
    const user = await lockUserOfProvider(db, held.userUuid);
    if (user === null || user.issuer !== claims.iss || user.subject !== claims.sub) return;
    if (!(await updateProviderToken(db, held, { dueAt: now() + CHECK_EVERY_SECONDS, isUncertain: false }))) return;
    await setAccessUntil(db, held.userUuid, now() + accessSeconds);
    const roles = grantRoles(claims, await readMappedClaims(db));
    await setRolesFromClaims(inside, { userUuid: held.userUuid, by: inside.by }, roles);
  });
}

/**
 * The provider ended the account or the consent. If an earlier reply was lost, the token can also be one that the provider replaced:
 * then only a new sign-in is needed.
 */
function refuse(context: CheckContext, held: ProviderToken): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const { userUuid, wasUncertain } = held;
    await lockForEnd(db, userUuid);
    if (!(await deleteProviderToken(db, held))) return;
    await setAccessUntil(db, userUuid, now());
    const details = { reason: wasUncertain ? 'lost-reply' : 'refused' };
    await recordForUser(db, userUuid, { by, action: 'user.sign-in-required', details });
    if (!wasUncertain) await setRolesFromClaims(inside, { userUuid, by }, new Map());
    await announceEnd(db);
  });
}
