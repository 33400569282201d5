import { existsSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, installFiles } from '../../local/cache.js';
import { run } from '../../local/processes.js';
import { withProgress } from '../../local/progress.js';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';

/** The version in docker-compose.yml. */
export const SERVER_VERSION = '1.32.0';
const PACKAGES = ['cmd/server', 'cmd/tools/sql'].map((name) => `go.temporal.io/server/${name}@v${SERVER_VERSION}`);
const GO_ANSWER_LIMIT_MS = 60_000;
const BUILD_LIMIT_MS = 3_600_000;

export interface ServerBinaries {
  readonly server: string;
  readonly sqlTool: string;
}

/** From our cache, or built into it, because Temporal publishes this server only as images. */
export async function findServerBinaries(log: Logger, signal: AbortSignal): Promise<ServerBinaries> {
  const folder = cacheFolder(`temporal-server-${SERVER_VERSION}`);
  const found = { server: path.join(folder, 'server'), sqlTool: path.join(folder, 'sql') };
  if (existsSync(found.server) && existsSync(found.sqlTool)) return found;
  await requireGo(folder, signal);
  await withProgress(log, `Building the Temporal server ${SERVER_VERSION} from source (first rehearsal only, about seven minutes)`, () =>
    build(found, signal),
  );
  return found;
}

async function requireGo(folder: string, signal: AbortSignal): Promise<void> {
  try {
    await run('go', ['version'], { timeoutMs: GO_ANSWER_LIMIT_MS, signal });
  } catch (cause) {
    throw new StartError(
      `The rehearsal runs a Temporal server ${SERVER_VERSION} on Postgres, which has to be built once, and \`go version\` fails (${cause instanceof Error ? cause.message : String(cause)}).
Do one of these, then run it again:
  - install Go (https://go.dev/dl) so that \`go\` is on PATH
  - build it where Go is (GOBIN=… go install ${PACKAGES.join(' ')}) and put both files, server and sql, into ${folder}`,
      { cause },
    );
  }
}

async function build(found: ServerBinaries, signal: AbortSignal): Promise<void> {
  try {
    await installFiles([found.server, found.sqlTool], async (making) => {
      await run('go', ['install', '-ldflags', '-s -w', ...PACKAGES], {
        env: { ...process.env, GOBIN: making },
        timeoutMs: BUILD_LIMIT_MS,
        signal,
      });
      return [path.join(making, 'server'), path.join(making, 'sql')];
    });
  } catch (cause) {
    throw new StartError(`The Temporal server could not be built: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
