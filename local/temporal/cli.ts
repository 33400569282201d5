import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';
import { cacheFolder, installFiles } from '../cache.js';
import { run, runScript } from '../processes.js';
import { withProgress } from '../progress.js';

const CLI_VERSION = '1.5.1';
const CLI_MODULE = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;
/** Fair queues came with this server; an older one would ignore them without a word. */
const OLDEST_SERVER = [1, 29] as const;
const VERSION_LIMIT_MS = 30_000;
const DOWNLOAD_LIMIT_MS = 300_000;
const BUILD_LIMIT_MS = 3_600_000;

export interface FindOptions {
  /** The setting TEMPORAL_CLI. */
  readonly given?: string | undefined;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
  readonly probes?: CliProbes;
}

/** The world outside, so that a test can bring its own. */
export interface CliProbes {
  readonly cached: string;
  onPath(): string | null;
  exists(file: string): boolean;
  /** What `temporal --version` prints. */
  version(file: string): Promise<string>;
  /** Each of these puts the CLI at `target`. */
  download(target: string): Promise<void>;
  build(target: string): Promise<void>;
}

/** The first usable `temporal`: the one given, on PATH, in our cache, downloaded, built. Each step down is logged with its reason. */
export async function findTemporalCli({ given, log, signal, probes = systemProbes(log, signal) }: FindOptions): Promise<string> {
  const { cached } = probes;
  const fetchWith = (fetch: (target: string) => Promise<void>) => async () => {
    await fetch(cached);
    return cached;
  };
  const ways: ReadonlyArray<readonly [name: string, find: () => string | null | Promise<string>]> = [
    ['TEMPORAL_CLI', () => given ?? null],
    ['`temporal` on PATH', () => probes.onPath()],
    ['our cache', () => (probes.exists(cached) ? cached : null)],
    ["the SDK's download", fetchWith((target) => probes.download(target))],
    ['a build from source', fetchWith((target) => probes.build(target))],
  ];
  const reasons: string[] = [];
  for (const [name, find] of ways) {
    try {
      const file = await find();
      if (file === null) {
        reasons.push(`${name}: there is none`);
      } else {
        const version = checkVersion(await probes.version(file));
        log.info({ file, version }, `Using the Temporal CLI from ${name}`);
        return file;
      }
    } catch (error) {
      if (signal?.aborted) throw new StartError('Interrupted while looking for the Temporal CLI.');
      reasons.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    // Without TEMPORAL_CLI there is nothing to say about it.
    if (name !== 'TEMPORAL_CLI' || given !== undefined) log.info(`Temporal CLI, ${reasons.at(-1)}. Trying the next way.`);
  }
  throw new StartError(`No Temporal server could be found or made:
${reasons.map((reason) => `  - ${reason.replaceAll('\n', '\n    ')}`).join('\n')}
Do one of these, then start again:
  - install the Temporal CLI (https://docs.temporal.io/cli) so that \`temporal\` is on PATH, or set TEMPORAL_CLI to its path
  - set TEMPORAL_ADDRESS=host:port to a Temporal server that is already running
  - allow this machine to reach https://temporal.download
  - install Go (https://go.dev/dl); the CLI is then built from ${CLI_MODULE}`);
}

function checkVersion(printed: string): string {
  const [, major, minor] = /Server (\d+)\.(\d+)\./.exec(printed) ?? [];
  if (major === undefined || minor === undefined)
    throw new Error(`does not answer --version like the Temporal CLI (${printed.trim().slice(0, 200)})`);
  const [oldestMajor, oldestMinor] = OLDEST_SERVER;
  const newEnough = Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
  if (!newEnough) throw new Error(`its server is older than ${OLDEST_SERVER.join('.')} (${printed.trim()})`);
  return printed.trim();
}

function systemProbes(log: Logger, signal: AbortSignal | undefined): CliProbes {
  return {
    cached: path.join(cacheFolder(`temporal-cli-${CLI_VERSION}`), 'temporal'),
    onPath: () => onPath('temporal'),
    exists: existsSync,
    version: (file) => run(file, ['--version'], { timeoutMs: VERSION_LIMIT_MS, signal }),
    download: (target) =>
      withProgress(log, 'Downloading the Temporal CLI (first start only)', () =>
        installFiles([target], async (folder) => {
          const file = path.join(folder, `temporal-v${CLI_VERSION}`);
          const input = { downloadDir: folder, version: `v${CLI_VERSION}`, file };
          await runScript(new URL('./download-cli.ts', import.meta.url), input, { timeoutMs: DOWNLOAD_LIMIT_MS, signal });
          return [file];
        }),
      ),
    build: async (target) => {
      const go = onPath('go');
      if (go === null) throw new Error('Go is not on PATH');
      await withProgress(log, 'Building the Temporal CLI from source (first start only, about five minutes)', () =>
        installFiles([target], async (folder) => {
          await run(go, ['install', '-ldflags', '-s -w', CLI_MODULE], {
            env: { ...process.env, GOBIN: folder },
            timeoutMs: BUILD_LIMIT_MS,
            signal,
          });
          return [path.join(folder, 'temporal')];
        }),
      );
    },
  };
}

function onPath(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder: the next one.
    }
  }
  return null;
}
