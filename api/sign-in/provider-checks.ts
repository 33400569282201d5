import type { Database } from '../../db/client.js';
import { takeDueTokens } from '../../db/identity/provider-tokens.js';
import type { Keyring } from '../../platform/keyring.js';
import type { Logger } from '../../platform/log.js';
import { PollingLoop } from '../../platform/polling-loop.js';
import { asService } from '../../services/context.js';
import { checkProviderUser } from '../../services/users/check-provider-user.js';
import type { IdentityProvider } from './identity-provider.js';

/** Users at the same time. A check lasts at most as long as its requests, and the next process waits longer than that. */
const BATCH = 4;
const LEASE_SECONDS = 120;

interface Deps {
  readonly database: Database;
  readonly identityProvider: IdentityProvider | null;
  readonly keyring: Keyring;
  readonly log: Logger;
}

/** Asks the identity provider about each user before an hour has passed. Several processes may run one. null: there is nothing to ask. */
export function createProviderChecks({ database: { db }, identityProvider, keyring, log }: Deps): PollingLoop | null {
  if (identityProvider === null || !identityProvider.checksInBackground) return null;
  const { accessSeconds } = identityProvider;
  const context = {
    ...asService(db),
    keyring,
    accessSeconds,
    refresh: identityProvider.refresh.bind(identityProvider),
  };
  const pass = async () => {
    const now = context.now();
    const due = await takeDueTokens(db, { now, dueAt: now + LEASE_SECONDS, limit: BATCH });
    const outcomes = await Promise.all(
      due.map(async (held) => {
        try {
          return await checkProviderUser(context, held);
        } catch (error) {
          log.warn({ err: error, user_uuid: held.userUuid }, 'the check of a user at the identity provider failed');
          return 'failed';
        }
      }),
    );
    if (outcomes.includes('failed')) log.warn({ users: outcomes.length }, 'the identity provider did not answer about users, trying again');
    return due.length === BATCH;
  };
  return new PollingLoop({ name: 'checking users at the identity provider', pass, log });
}
