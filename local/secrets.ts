import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Made once and kept in a file that only we can read. */
export function secretIn(file: string, make: () => string): string {
  if (!existsSync(file)) {
    // Complete before it has its name: a start that is killed here leaves no empty secret behind.
    writeFileSync(`${file}.new`, `${make()}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}
