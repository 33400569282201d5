import { setTimeout as sleep } from 'node:timers/promises';
import type { PgClient } from '../../db/client.js';
import {
  countSecretsByKey,
  listUserSecretsUnderOtherKeys,
  lockSecretsUnderOtherKeys,
  replaceUserSecret,
  SECRET_TABLES,
  type SecretRow,
  type SecretTable,
  USER_SECRETS,
  updateWrappedKey,
} from '../../db/lifecycle/sealed-secrets.js';
import { type Keyring, refreshTokenPlace, type Sealed, totpPlace } from '../../platform/keyring.js';
import { conflict } from '../errors.js';

const BATCH_ROWS = 100;
/** Other transactions hold row locks only briefly. */
const PASSES_WITHOUT_PROGRESS = 50;
const PAUSE_MS = 200;

type UnreadableSecret = SecretRow & Pick<SecretTable, 'label'>;

/** Moves every secret to the current master key while the service runs. Returns the number of moved secrets, and those that cannot be read. */
export async function rewrapSecrets(pg: PgClient, keyring: Keyring): Promise<{ moved: number; unreadable: UnreadableSecret[] }> {
  let moved = 0;
  for (let idle = 0; ; ) {
    const unreadable: UnreadableSecret[] = [];
    const movedBefore = moved;
    await rewrapUserSecrets(pg, keyring);
    for (const table of SECRET_TABLES) moved += await rewrapTable(pg, keyring, table, unreadable);
    const left = await countUnderOtherKeys(pg, keyring.currentId);
    if (left === unreadable.length) return { moved, unreadable };
    idle = moved === movedBefore ? idle + 1 : 0;
    if (idle > PASSES_WITHOUT_PROGRESS) throw conflict(`Other transactions lock ${left} secrets. Run the command again.`);
    await sleep(PAUSE_MS);
  }
}

export async function countUnderOtherKeys(pg: PgClient, keyId: string): Promise<number> {
  const used = await countSecretsByKey(pg);
  return used.filter(({ id }) => id !== keyId).reduce((sum, { secrets }) => sum + secrets, 0);
}

/** Throws when a secret needs a key that is missing, because a rotation would lose that secret. */
export async function requireKeys(pg: PgClient, keyIds: readonly string[]): Promise<void> {
  const lost = (await countSecretsByKey(pg)).filter(({ id }) => !keyIds.includes(id));
  if (lost.length === 0) return;
  const list = lost.map(({ id, secrets }) => `${secrets} with key ${id}`).join(', ');
  throw conflict(`Some secrets are encrypted with keys that are missing (${list}). Add those keys after the current ones first.`);
}

/** At most three for each user. */
async function rewrapUserSecrets(pg: PgClient, keyring: Keyring): Promise<void> {
  for (const secret of USER_SECRETS) {
    const placeOf = secret.table === 'users' ? totpPlace : refreshTokenPlace;
    for (const { userUuid, sealed } of await listUserSecretsUnderOtherKeys(pg, secret, keyring.currentId))
      await replaceUserSecret(pg, secret, userUuid, sealed, keyring.rewrap(sealed, placeOf(userUuid)));
  }
}

/** Goes once through all secrets under another key. Leaves locked rows to the next pass. */
async function rewrapTable(pg: PgClient, keyring: Keyring, table: SecretTable, unreadable: UnreadableSecret[]): Promise<number> {
  let moved = 0;
  for (let after: SecretRow | null = null; ; ) {
    const rows: SecretRow[] = await pg.begin(async (transaction) => {
      const batch = await lockSecretsUnderOtherKeys(transaction, table, { keyId: keyring.currentId, after, limit: BATCH_ROWS });
      for (const row of batch) {
        const wrapped = rewrap(row, keyring);
        if (wrapped === null) unreadable.push({ ...row, label: table.label });
        else await updateWrappedKey(transaction, table, { ...row, ...wrapped });
        if (wrapped !== null) moved += 1;
      }
      return [...batch];
    });
    after = rows.at(-1) ?? null;
    if (after === null) return moved;
  }
}

function rewrap({ ownerUuid, organizationUuid, field, ...sealed }: SecretRow, keyring: Keyring): Sealed | null {
  try {
    return keyring.rewrap(sealed, { connectionUuid: ownerUuid, organizationUuid, field });
  } catch {
    return null;
  }
}
