import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { type CliProbes, findTemporalCli } from '../../local/temporal/cli.js';

const GOOD = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)';
const CACHED = '/cache/temporal';

/** A fake machine that has only the given options. It records every attempt. */
function fakeMachine(has: { onPath?: string; cached?: boolean; downloads?: boolean; builds?: boolean; versions?: Record<string, string> }) {
  const tried: string[] = [];
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  let isCached = has.cached ?? false;
  const fetch = (way: string, works: boolean | undefined) => async () => {
    tried.push(way);
    if (!works) throw new Error(`no ${way} here`);
    isCached = true;
  };
  const probes: CliProbes = {
    cached: CACHED,
    onPath: () => has.onPath ?? null,
    exists: () => isCached,
    version: async (file) => {
      tried.push(file);
      const version = has.versions ? has.versions[file] : GOOD;
      if (version === undefined) throw new Error(`${file} does not run`);
      return version;
    },
    download: fetch('download', has.downloads),
    build: fetch('build', has.builds),
  };
  return { tried, lines, find: (given?: string) => findTemporalCli({ given, log, probes }) };
}

describe('the Temporal CLI', () => {
  test('comes from TEMPORAL_CLI without other attempts', async () => {
    const { find, tried, lines } = fakeMachine({ onPath: '/usr/bin/temporal', cached: true });
    expect(await find('/given/temporal')).toBe('/given/temporal');
    expect(tried).toEqual(['/given/temporal']);
    expect(lines).toHaveLength(1);
  });

  test('comes from PATH before the cache', async () => {
    const { find, tried } = fakeMachine({ onPath: '/usr/bin/temporal', cached: true });
    expect(await find()).toBe('/usr/bin/temporal');
    expect(tried).toEqual(['/usr/bin/temporal']);
  });

  test('comes from the cache before a download', async () => {
    const { find, tried } = fakeMachine({ cached: true });
    expect(await find()).toBe(CACHED);
    expect(tried).toEqual([CACHED]);
  });

  test('comes from a download before a build', async () => {
    const { find, tried } = fakeMachine({ downloads: true, builds: true });
    expect(await find()).toBe(CACHED);
    expect(tried).toEqual(['download', CACHED]);
  });

  test('comes from a build last, with one logged reason per earlier attempt', async () => {
    const { find, tried, lines } = fakeMachine({ builds: true, versions: { [CACHED]: GOOD } });
    expect(await find('/missing')).toBe(CACHED);
    expect(tried).toEqual(['/missing', 'download', 'build', CACHED]);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/TEMPORAL_CLI: \/missing does not run/);
    expect(lines[1]).toMatch(/on PATH: not found/);
    expect(lines[2]).toMatch(/our cache: not found/);
    expect(lines[3]).toMatch(/download: no download here/);
    expect(lines[4]).toMatch(/Using the Temporal CLI from a build/);
  });

  test.for([
    ['too old', 'temporal version 1.0.0 (Server 1.24.2, UI 2.28.0)', /older than 1\.29/],
    ['something else', 'Temporal, a calendar\n', /its --version output is not that of the Temporal CLI/],
  ] as const)('comes from the cache when the one on PATH is %s', async ([, version, reason]) => {
    const { find, lines } = fakeMachine({
      onPath: '/usr/bin/temporal',
      cached: true,
      versions: { '/usr/bin/temporal': version, [CACHED]: GOOD },
    });
    expect(await find()).toBe(CACHED);
    expect(lines[0]).toMatch(reason);
  });

  test('is an error with reasons and instructions when it is not found', async () => {
    const { find } = fakeMachine({});
    await expect(find()).rejects.toThrow(/no download here[\s\S]*no build here[\s\S]*TEMPORAL_CLI[\s\S]*TEMPORAL_ADDRESS[\s\S]*install Go/);
  });
});
