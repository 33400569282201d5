import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A digest of the names and contents of files and of all files in folders. */
export function digestFiles(places: readonly string[]): string {
  const digest = createHash('sha256');
  for (const file of places.flatMap(listFiles).sort()) digest.update(path.relative(ROOT, file)).update(readFileSync(file));
  return digest.digest('hex');
}

export function listFiles(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
