import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connectDatabase, type PgClient } from '../db/client.js';
import { deriveKeyId, Keyring, readMasterKeys } from '../platform/keyring.js';
import { loadEnvFile, readSettings, type Settings } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { countUnderOtherKeys, requireKeys, rewrapSecrets } from '../services/secrets/rewrap.js';
import { authenticateBundlesAgain } from '../services/workflow-bundles/authenticate.js';
import { findDatabaseUrl } from './running-database.js';

const ROTATION_LOCK = 7_202_611_152;
type Say = (line: string) => void;

/** Creates a master key and moves every secret to it while the service runs. After an interruption, a second run continues. */
export async function rotateKeys(): Promise<void> {
  loadEnvFile();
  await rotate(readSettings(process.env), (line) => void process.stdout.write(`${line}\n`));
}

export async function rotate(settings: Settings, say: Say): Promise<void> {
  const { db, pg, close } = connectDatabase(findDatabaseUrl(settings), { poolSize: 2, name: 'alert-investigator keys' });
  const lock = await pg.reserve();
  try {
    const [row] = await lock<{ taken: boolean }[]>`select pg_try_advisory_lock(${ROTATION_LOCK}) as taken`;
    if (!row?.taken) throw new StartError('Another rotation is running. Wait for it to finish.');
    await (settings.MASTER_KEY === undefined ? createKey(pg, settings, say) : requireKeys(pg, settings.MASTER_KEY.map(deriveKeyId)));
    const keyring = settings.MASTER_KEY === undefined ? Keyring.of({ MASTER_KEY_FILE: findKeyFile(settings) }) : Keyring.of(settings);
    const rewrapped = await rewrapSecrets(pg, keyring);
    await authenticateBundlesAgain(db, keyring);
    report(keyring.currentId, rewrapped, say);
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

/**
 * The previous key stays in the file until the next rotation, because a running service may be using it right now. Older keys stay too
 * if they can be needed to open the histories of Temporal.
 */
async function createKey(pg: PgClient, settings: Settings, say: Say): Promise<void> {
  const file = findKeyFile(settings);
  const keys = readMasterKeys(file);
  const [current = '', ...others] = keys;
  await requireKeys(pg, keys.map(deriveKeyId));
  const older = await countUnderOtherKeys(pg, deriveKeyId(current));
  if (older > 0) {
    say(`Continuing an earlier rotation: ${older} secrets are encrypted with an older key.`);
    return;
  }
  const made = randomBytes(32).toString('base64');
  const kept = settings.TEMPORAL_PAYLOAD_ENCRYPTION ? others : [];
  replaceFile(file, `${[made, current, ...kept].join(',')}\n`);
  say(`Created the master key ${deriveKeyId(made)} in ${file}. The key ${deriveKeyId(current)} stays there until the next rotation.`);
  if (kept.length > 0) say(`Kept for the histories of Temporal: ${kept.map(deriveKeyId).join(', ')}.`);
  else if (others.length > 0) say(`Removed keys that no secret needs: ${others.map(deriveKeyId).join(', ')}.`);
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

function report(keyId: string, { moved, unreadable }: Awaited<ReturnType<typeof rewrapSecrets>>, say: Say): void {
  const left = unreadable.length === 0 ? 'All secrets use it now' : `${unreadable.length} secrets do not use it`;
  say(`Moved ${moved} secrets to the master key ${keyId}. ${left}.`);
  if (unreadable.length === 0) return;
  const list = unreadable.map((each) => `  ${each.label} ${each.ownerUuid}, ${each.field}`).join('\n');
  throw new StartError(`These secrets cannot be decrypted, because they were altered or moved. Enter them again:\n${list}`);
}
