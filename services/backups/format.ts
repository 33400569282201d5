import { createHash, type Hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { z } from 'zod';
import { conflict } from '../errors.js';

/** A backup is a folder: this file, its authentication code, and one compressed and encrypted file for each table in the text format of COPY. */
export const MANIFEST_FILE = 'manifest.json';
/** Format 1 has no protection: its files are compressed only. */
export const FORMAT = 2;

const BackupTable = z.object({
  name: z.string().regex(/^[a-z_]+$/),
  columns: z.array(z.string().regex(/^[a-z_0-9]+$/)),
  rows: z.int(),
  /** Of the file as it is stored. */
  sha256: z.string(),
  /** The initialization vector of the encryption, in base64. */
  iv: z.string().optional(),
});
export type BackupTable = z.infer<typeof BackupTable>;

const Manifest = z.object({
  format: z.union([z.literal(1), z.literal(FORMAT)]),
  /** The master key from which the keys of the backup are derived. Absent in format 1. */
  protection: z.object({ master_key_id: z.string(), salt: z.string() }).optional(),
  created_at: z.iso.datetime({ offset: true }),
  /** The hashes of the applied migrations. */
  migrations: z.array(z.string()).min(1),
  /** In the order in which they can be restored. */
  tables: z.array(BackupTable).min(1),
});
export type Manifest = z.infer<typeof Manifest>;

/** With its text, which the authentication code covers. */
export function readManifest(folder: string): { manifest: Manifest; text: string } {
  const file = path.join(folder, MANIFEST_FILE);
  try {
    const text = readFileSync(file, 'utf8');
    const manifest = Manifest.parse(JSON.parse(text));
    if ((manifest.format === FORMAT) !== (manifest.protection !== undefined)) throw new Error('The format has no such protection.');
    return { manifest, text };
  } catch {
    throw conflict(
      `${file} is missing or is not the manifest of a backup of format 1 or ${FORMAT}. Enter the folder of a complete backup.`,
    );
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
