import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { type CliProbes, findTemporalCli } from '../../local/temporal/cli.js';

const GOOD = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)';
const CACHED = '/cache/temporal';

/** A machine that has nothing, unless the test gives it something; it notes what was tried. */
function machine(has: { onPath?: string; cached?: boolean; downloads?: boolean; builds?: boolean; versions?: Record<string, string> }) {
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

describe('the Temporal CLI is found', () => {
  test('where TEMPORAL_CLI says, and nothing else is tried', async () => {
    const { find, tried, lines } = machine({ onPath: '/usr/bin/temporal', cached: true });
    expect(await find('/given/temporal')).toBe('/given/temporal');
    expect(tried).toEqual(['/given/temporal']);
    expect(lines).toHaveLength(1);
  });

  test('on PATH before the cache', async () => {
    const { find, tried } = machine({ onPath: '/usr/bin/temporal', cached: true });
    expect(await find()).toBe('/usr/bin/temporal');
    expect(tried).toEqual(['/usr/bin/temporal']);
  });

  test('in the cache before any download', async () => {
    const { find, tried } = machine({ cached: true });
    expect(await find()).toBe(CACHED);
    expect(tried).toEqual([CACHED]);
  });

  test('by download before a build', async () => {
    const { find, tried } = machine({ downloads: true, builds: true });
    expect(await find()).toBe(CACHED);
    expect(tried).toEqual(['download', CACHED]);
  });

  test('by a build at last, with one line of reason for each step down', async () => {
    const { find, tried, lines } = machine({ builds: true, versions: { [CACHED]: GOOD } });
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
  ] as const)('elsewhere when the one on PATH is %s', async ([, version, reason]) => {
    const { find, lines } = machine({
      onPath: '/usr/bin/temporal',
      cached: true,
      versions: { '/usr/bin/temporal': version, [CACHED]: GOOD },
    });
    expect(await find()).toBe(CACHED);
    expect(lines[0]).toMatch(reason);
  });

  test('nowhere: the message says why and what to do', async () => {
    const { find } = machine({});
    await expect(find()).rejects.toThrow(/no download here[\s\S]*no build here[\s\S]*TEMPORAL_CLI[\s\S]*TEMPORAL_ADDRESS[\s\S]*install Go/);
  });
});
