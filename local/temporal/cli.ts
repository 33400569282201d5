import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';
import { cacheFolder, installFiles } from '../cache.js';
import { childEnvironment, run, runScript } from '../processes.js';
import { withProgress } from '../progress.js';

const CLI_VERSION = '1.5.1';
const CLI_MODULE = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;
/** Older servers silently ignore the settings for fair task queues. */
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

/** Access to the machine, which tests replace. */
export interface CliProbes {
  readonly cached: string;
  onPath(): string | null;
  exists(file: string): boolean;
  /** The output of `temporal --version`. */
  version(file: string): Promise<string>;
  /** `download` and `build` write the CLI to `target`. */
  download(target: string): Promise<void>;
  build(target: string): Promise<void>;
}

/** Finds the first usable `temporal`: TEMPORAL_CLI, PATH, our cache, a download, a build. Logs why it skips a source. */
export async function findTemporalCli({ given, log, signal, probes = systemProbes(log, signal) }: FindOptions): Promise<string> {
  const { cached } = probes;
  const fetchWith = (fetch: (target: string) => Promise<void>) => async () => {
    await fetch(cached);
    return cached;
  };
  const candidates: ReadonlyArray<readonly [name: string, find: () => string | null | Promise<string>]> = [
    ['TEMPORAL_CLI', () => given ?? null],
    ['`temporal` on PATH', () => probes.onPath()],
    ['our cache', () => (probes.exists(cached) ? cached : null)],
    ["the SDK's download", fetchWith((target) => probes.download(target))],
    ['a build from source', fetchWith((target) => probes.build(target))],
  ];
  const reasons: string[] = [];
  for (const [name, find] of candidates) {
    try {
      const file = await find();
      if (file === null) {
        reasons.push(`${name}: not found`);
      } else {
        const version = checkVersion(await probes.version(file));
        log.info({ file, version }, `Using the Temporal CLI from ${name}`);
        return file;
      }
    } catch (error) {
      if (signal?.aborted) throw new StartError('Stopped before the Temporal CLI was found.');
      reasons.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (name !== 'TEMPORAL_CLI' || given !== undefined) log.info(`Temporal CLI: ${reasons.at(-1)}. Trying the next source.`);
  }
  throw new StartError(`No Temporal server is available:
${reasons.map((reason) => `  - ${reason.replaceAll('\n', '\n    ')}`).join('\n')}
Do one of the following, then start again:
  - install the Temporal CLI (https://docs.temporal.io/cli) so that \`temporal\` is on PATH, or set TEMPORAL_CLI to its path
  - set TEMPORAL_ADDRESS=host:port to a running Temporal server
  - allow this machine to reach https://temporal.download
  - install Go (https://go.dev/dl), which builds the CLI from ${CLI_MODULE}`);
}

function checkVersion(printed: string): string {
  const [, major, minor] = /Server (\d+)\.(\d+)\./.exec(printed) ?? [];
  if (major === undefined || minor === undefined)
    throw new Error(`its --version output is not that of the Temporal CLI (${printed.trim().slice(0, 200)})`);
  const [oldestMajor, oldestMinor] = OLDEST_SERVER;
  const newEnough = Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
  if (!newEnough) throw new Error(`its server is older than ${OLDEST_SERVER.join('.')} (${printed.trim()})`);
  return printed.trim();
}

function systemProbes(log: Logger, signal: AbortSignal | undefined): CliProbes {
  return {
    cached: path.join(cacheFolder(`temporal-cli-${CLI_VERSION}`), 'temporal'),
    onPath: () => findOnPath('temporal'),
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
      const go = findOnPath('go');
      if (go === null) throw new Error('Go is not on PATH');
      await withProgress(log, 'Building the Temporal CLI from source (first start only, about five minutes)', () =>
        installFiles([target], async (folder) => {
          await run(go, ['install', '-ldflags', '-s -w', CLI_MODULE], {
            env: { ...childEnvironment(), GOBIN: folder },
            timeoutMs: BUILD_LIMIT_MS,
            signal,
          });
          return [path.join(folder, 'temporal')];
        }),
      );
    },
  };
}

function findOnPath(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
