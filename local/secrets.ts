import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Reads a secret, which the first call creates in a file that only this user can read. */
export function secretIn(file: string, make: () => string): string {
  if (!existsSync(file)) {
    // Renamed when complete, so that a killed start leaves no empty secret.
    writeFileSync(`${file}.new`, `${make()}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}
