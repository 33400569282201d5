import type { Db } from '../db/client.js';
import { markUsed, readBundle, saveBundle, setAuthentication } from '../db/investigations/workflow-bundles.js';
import type { Keyring } from '../platform/keyring.js';
import type { Logger } from '../platform/log.js';
import { authenticateBundle, isAuthenticBundle } from '../services/workflow-bundles/authenticate.js';
import { hashBundle, packCode, unpackCode, type WorkflowBundle } from './workflow-bundle.js';

interface Deps {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly log: Logger;
}

/** Replaces a stored bundle that is not authentic: this process has the code from its own files. */
export async function storeBundle({ db, keyring }: Omit<Deps, 'log'>, { buildId, code }: WorkflowBundle): Promise<void> {
  const stored = await readBundle(db, buildId);
  if (stored !== null && isAuthenticBundle(keyring, stored)) await markUsed(db, [buildId]);
  else await saveBundle(db, authenticateBundle(keyring, { buildId, code: await packCode(code) }));
}

/**
 * The code of a stored build; null where it is gone or not authentic. Earlier versions stored bundles without authentication: such a
 * bundle is authentic if its hash is its build id, which Temporal names.
 */
export async function openBundle({ db, keyring, log }: Deps, buildId: string): Promise<string | null> {
  const stored = await readBundle(db, buildId);
  if (stored === null) return null;
  if (stored.authentication === null) {
    const code = await unpackCode(stored.code).catch(() => null);
    if (code !== null && hashBundle(code) === buildId) {
      await setAuthentication(db, authenticateBundle(keyring, stored));
      return code;
    }
  } else if (isAuthenticBundle(keyring, stored)) return unpackCode(stored.code);
  log.error({ build: buildId }, 'a stored workflow build was altered, or its master key is missing: no worker runs it');
  return null;
}
