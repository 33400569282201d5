import type { Db } from '../../db/client.js';
import { listBuilds, readBundle, type StoredBundle, setAuthentication } from '../../db/investigations/workflow-bundles.js';
import type { Keyring } from '../../platform/keyring.js';

const PURPOSE = 'workflow bundles';
type Bundle = Pick<StoredBundle, 'buildId' | 'code'>;

const toText = ({ buildId, code }: Bundle) => JSON.stringify([buildId, code]);

/** The database has workflow code, but not the key that authenticates it. */
export function authenticateBundle(keyring: Keyring, bundle: Bundle): StoredBundle {
  const { buildId, code } = bundle;
  return { buildId, code, authentication: keyring.authenticate(toText(bundle), PURPOSE) };
}

export function isAuthenticBundle(keyring: Keyring, { authentication, ...bundle }: StoredBundle): boolean {
  return authentication !== null && keyring.isAuthentic(toText(bundle), PURPOSE, authentication);
}

/** After a rotation, so that no worker needs the previous master key. Leaves altered bundles as they are. */
export async function authenticateBundlesAgain(db: Db, keyring: Keyring): Promise<void> {
  for (const { buildId } of await listBuilds(db)) {
    const stored = await readBundle(db, buildId);
    if (stored === null || stored.authentication?.masterKeyId === keyring.currentId) continue;
    if (isAuthenticBundle(keyring, stored)) await setAuthentication(db, authenticateBundle(keyring, stored));
  }
}
