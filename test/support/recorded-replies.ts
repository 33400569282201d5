import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Recorded responses of the third parties are stored outside the project. Tests that feed them
 * to a connector are skipped if they are missing.
 */
const FOLDER = fileURLToPath(new URL('../../../shared/fixtures/', import.meta.url));

export interface RecordedReplies {
  /** Empty if no responses are available. */
  readonly names: readonly string[];
  text(name: string): string;
  json(name: string): unknown;
}

export function readRecordedReplies(connector: string): RecordedReplies {
  const folder = path.join(FOLDER, connector);
  const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return {
    names: existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [],
    text,
    json: (name): unknown => JSON.parse(text(name)),
  };
}
