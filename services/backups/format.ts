import { createHash, type Hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { z } from 'zod';
import { conflict } from '../errors.js';

/** A backup is a folder: this file, and one compressed file for each table in the text format of COPY. */
export const MANIFEST_FILE = 'manifest.json';
export const FORMAT = 1;

const BackupTable = z.object({
  name: z.string().regex(/^[a-z_]+$/),
  columns: z.array(z.string().regex(/^[a-z_0-9]+$/)),
  rows: z.int(),
  /** Of the compressed file. */
  sha256: z.string(),
});
export type BackupTable = z.infer<typeof BackupTable>;

const Manifest = z.object({
  format: z.literal(FORMAT),
  created_at: z.iso.datetime({ offset: true }),
  /** The hashes of the applied migrations. */
  migrations: z.array(z.string()).min(1),
  /** In the order in which they can be restored. */
  tables: z.array(BackupTable).min(1),
});
export type Manifest = z.infer<typeof Manifest>;

export function readManifest(folder: string): Manifest {
  const file = path.join(folder, MANIFEST_FILE);
  try {
    return Manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw conflict(`${file} is missing or is not the manifest of a backup of format ${FORMAT}. Enter the folder of a complete backup.`);
  }
}

export function sumRows({ tables }: Manifest): number {
  return tables.reduce((sum, table) => sum + table.rows, 0);
}

export function tableFile(folder: string, { name }: Pick<BackupTable, 'name'>): string {
  return path.join(folder, `${name}.copy.gz`);
}

/** Passes everything on, and computes the digest. */
export class Digest extends Transform {
  readonly #hash: Hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, data: Buffer) => void): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  get sha256(): string {
    return this.#hash.digest('hex');
  }
}

/** Passes everything on, and counts the rows: COPY escapes line ends in values. */
export class RowCounter extends Transform {
  rows = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, data: Buffer) => void): void {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.rows += 1;
    done(null, chunk);
  }
}
