import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type PgClient } from '../db/client.js';
import { deriveKeyId, Keyring, readMasterKeys, type Sealed, totpPlace } from '../platform/keyring.js';
import { loadEnvFile, readSettings, type Settings } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { findDatabaseUrl } from './running-database.js';

const ROTATION_LOCK = 7_202_611_152;
const BATCH_ROWS = 100;
/** Other transactions hold row locks only briefly. */
const PASSES_WITHOUT_PROGRESS = 50;
const PAUSE_MS = 200;

/** The tables of sealed secrets, and the records that own them. */
const SECRET_TABLES = [
  { secrets: 'connection_secrets', owners: 'connections', key: 'connection_uuid', label: 'connection' },
  { secrets: 'notification_secrets', owners: 'notification_channels', key: 'channel_uuid', label: 'notification channel' },
] as const;
type SecretTable = (typeof SECRET_TABLES)[number];

interface SecretRow {
  readonly label: string;
  readonly connectionUuid: string;
  readonly organizationUuid: string;
  readonly field: string;
  readonly masterKeyId: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

/** Creates a master key and moves every secret to it while the service runs. After an interruption, a second run continues. */
export async function rotateKeys(): Promise<void> {
  loadEnvFile();
  await rotate(readSettings(process.env));
}

async function rotate(settings: Settings): Promise<void> {
  const { pg, close } = connectDatabase(findDatabaseUrl(settings), { poolSize: 2, name: 'alert-investigator keys' });
  const lock = await pg.reserve();
  try {
    const [row] = await lock<{ taken: boolean }[]>`select pg_try_advisory_lock(${ROTATION_LOCK}) as taken`;
    if (!row?.taken) throw new StartError('Another rotation is running. Wait for it to finish.');
    await (settings.MASTER_KEY === undefined ? createKey(pg, findKeyFile(settings)) : checkKeys(pg, settings.MASTER_KEY));
    const keyring = settings.MASTER_KEY === undefined ? Keyring.of({ MASTER_KEY_FILE: findKeyFile(settings) }) : Keyring.of(settings);
    await rewrapTotp(pg, keyring);
    await rewrapAll(pg, keyring);
  } finally {
    lock.release();
    await close();
  }
}

function findKeyFile({ MASTER_KEY_FILE, DATA_DIR }: Settings): string {
  const file = MASTER_KEY_FILE ?? path.resolve(DATA_DIR, 'master-key');
  if (!existsSync(file)) throw new StartError(`The master key file ${file} does not exist. Set MASTER_KEY_FILE or MASTER_KEY.`);
  return realpathSync(file);
}

/** Counts secrets under older keys. Throws when a secret needs a key that is missing, because a rotation would lose that secret. */
async function checkKeys(pg: PgClient, keys: readonly string[]): Promise<{ older: number }> {
  const [current, ...others] = keys.map(deriveKeyId);
  const used = await pg<{ id: string; secrets: number }[]>`
    select id, count(*)::int as secrets from (
      select master_key_id as id from connection_secrets union all select master_key_id from notification_secrets
      union all select totp->>'masterKeyId' from users where totp is not null) as sealed
    group by 1`;
  const lost = used.filter(({ id }) => id !== current && !others.includes(id));
  if (lost.length > 0) {
    const list = lost.map(({ id, secrets }) => `${secrets} with key ${id}`).join(', ');
    throw new StartError(`Some secrets are encrypted with keys that are missing (${list}). Add those keys after the current ones first.`);
  }
  return { older: used.filter(({ id }) => id !== current).reduce((sum, { secrets }) => sum + secrets, 0) };
}

/** The previous key stays in the file until the next rotation, because a running service may be using it right now. */
async function createKey(pg: PgClient, file: string): Promise<void> {
  const keys = readMasterKeys(file);
  const [current = '', ...others] = keys;
  const { older } = await checkKeys(pg, keys);
  if (older > 0) {
    say(`Continuing an earlier rotation: ${older} secrets are encrypted with an older key.`);
    return;
  }
  const made = randomBytes(32).toString('base64');
  replaceFile(file, `${made},${current}\n`);
  say(`Created the master key ${deriveKeyId(made)} in ${file}. The key ${deriveKeyId(current)} stays there until the next rotation.`);
  if (others.length > 0) say(`Removed keys that no secret needs: ${others.map(deriveKeyId).join(', ')}.`);
}

/** Replaces the file atomically and keeps its owner. */
function replaceFile(file: string, content: string): void {
  const draft = `${file}.new`;
  const { uid, gid } = statSync(file);
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  chownSync(draft, uid, gid);
  renameSync(draft, file);
}

async function rewrapAll(pg: PgClient, keyring: Keyring): Promise<void> {
  let rewrapped = 0;
  for (let idle = 0; ; ) {
    const passes: Awaited<ReturnType<typeof rewrapPass>>[] = [];
    for (const table of SECRET_TABLES) passes.push(await rewrapPass(pg, keyring, table));
    const pass = {
      rewrapped: passes.reduce((sum, each) => sum + each.rewrapped, 0),
      unreadable: passes.flatMap((each) => each.unreadable),
    };
    rewrapped += pass.rewrapped;
    const [row] = await pg<{ left: number }[]>`
      select (select count(*) from connection_secrets where master_key_id <> ${keyring.currentId})::int
        + (select count(*) from notification_secrets where master_key_id <> ${keyring.currentId})::int as left`;
    const left = row?.left ?? 0;
    if (left === pass.unreadable.length) {
      say(
        `Moved ${rewrapped} secrets to the master key ${keyring.currentId}. ${left === 0 ? 'All secrets use it now' : `${left} secrets do not use it`}.`,
      );
      if (left === 0) return;
      const list = pass.unreadable.map((each) => `  ${each.label} ${each.connectionUuid}, ${each.field}`).join('\n');
      throw new StartError(`These secrets cannot be decrypted, because they were altered or moved. Enter them again:\n${list}`);
    }
    idle = pass.rewrapped === 0 ? idle + 1 : 0;
    if (idle > PASSES_WITHOUT_PROGRESS) throw new StartError(`Other transactions lock ${left} secrets. Run the command again.`);
    await sleep(PAUSE_MS);
  }
}

/** The secrets of authenticator apps: few, and changed only by their users. */
async function rewrapTotp(pg: PgClient, keyring: Keyring): Promise<void> {
  const rows = await pg<{ userUuid: string; totp: Sealed }[]>`
    select user_uuid as "userUuid", totp from users where totp->>'masterKeyId' <> ${keyring.currentId}`;
  for (const { userUuid, totp } of rows) {
    const wrapped = JSON.stringify(keyring.rewrap(totp, totpPlace(userUuid)));
    await pg`update users set totp = ${wrapped}::text::jsonb where user_uuid = ${userUuid} and totp->>'wrappedKey' = ${totp.wrappedKey}`;
  }
}

/** Goes once through all secrets under another key. Leaves locked rows to the next pass. */
async function rewrapPass(
  pg: PgClient,
  keyring: Keyring,
  { secrets, owners, key, label }: SecretTable,
): Promise<{ rewrapped: number; unreadable: SecretRow[] }> {
  const unreadable: SecretRow[] = [];
  let rewrapped = 0;
  let last: Pick<SecretRow, 'connectionUuid' | 'field'> = { connectionUuid: '00000000-0000-0000-0000-000000000000', field: '' };
  for (;;) {
    const rows = await pg.begin(async (transaction) => {
      const batch = await transaction<SecretRow[]>`
        select ${label}::text as label, ${pg(key)} as "connectionUuid", organization_uuid as "organizationUuid", field,
          master_key_id as "masterKeyId", wrapped_key as "wrappedKey", ciphertext
        from ${pg(secrets)} join ${pg(owners)} using (${pg(key)})
        where master_key_id <> ${keyring.currentId} and (${pg(key)}, field) > (${last.connectionUuid}::uuid, ${last.field}::text)
        order by ${pg(key)}, field limit ${BATCH_ROWS} for update of ${pg(secrets)} skip locked`;
      for (const row of batch) {
        const wrapped = rewrap(row, keyring);
        if (wrapped === null) {
          unreadable.push(row);
          continue;
        }
        await transaction`
          update ${pg(secrets)} set master_key_id = ${wrapped.masterKeyId}, wrapped_key = ${wrapped.wrappedKey}
          where ${pg(key)} = ${row.connectionUuid} and field = ${row.field}`;
        rewrapped += 1;
      }
      return [...batch];
    });
    const end = rows.at(-1);
    if (!end) return { rewrapped, unreadable };
    last = end;
  }
}

function rewrap(row: SecretRow, keyring: Keyring) {
  const { connectionUuid, organizationUuid, field, label: _, ...sealed } = row;
  try {
    return keyring.rewrap(sealed, { connectionUuid, organizationUuid, field });
  } catch {
    return null;
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
