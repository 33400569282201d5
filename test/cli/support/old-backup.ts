import { createHash } from 'node:crypto';
import { createReadStream, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Keyring } from '../../../platform/keyring.js';
import { type Manifest, readManifest } from '../../../services/backups/format.js';
import { BackupProtection, CODE_FILE } from '../../../services/backups/protection.js';

/** Turns a backup into one of format 1, as earlier versions made it. `change` alters the compressed content of a table. */
export async function removeProtection(
  folder: string,
  keyring: Keyring,
  change: (table: string, content: Buffer) => Buffer = (_, content) => content,
): Promise<void> {
  const { protection: given, ...manifest } = readManifest(folder).manifest;
  if (given === undefined) throw new Error('The backup has no protection.');
  const protection = new BackupProtection(keyring, given);
  const tables: Manifest['tables'] = [];
  for (const { iv, ...table } of manifest.tables) {
    const file = path.join(folder, `${table.name}.copy.gz`);
    const decrypted = await buffer(createReadStream(file).pipe(protection.decrypt({ iv })));
    const content = change(table.name, decrypted);
    writeFileSync(file, content);
    tables.push({ ...table, sha256: createHash('sha256').update(content).digest('hex') });
  }
  rmSync(path.join(folder, CODE_FILE));
  const old: Manifest = { ...manifest, format: 1, tables };
  writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(old));
}
