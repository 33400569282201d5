import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Replies of the third parties' products that vendors and other projects published, each under its own licence. The project does
 * not distribute them, so these tests run only where the folder lies beside the checkout. All other tests of a connector use its
 * stand-in and run everywhere.
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
