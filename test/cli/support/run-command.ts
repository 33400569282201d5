import { format } from 'node:util';
import { vi } from 'vitest';
import { SETTING_NAMES } from '../../../platform/settings.js';
import { startCommand } from '../../local/support/scripts.js';

const MAIN = new URL('../../../cli/main.ts', import.meta.url).href;

interface Surroundings {
  readonly cwd: string;
  readonly settings: Readonly<Record<string, string | undefined>>;
}

export interface Ended {
  readonly code: unknown;
  /** The complete output, on both channels. */
  readonly said: string;
}

/** The environment without the settings of this machine. */
const environment = ({ settings }: Surroundings): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTING_NAMES.includes(name))),
  ...settings,
});

/** Runs a command of `bin/alert-investigator` in a process of its own, by default of this checkout. */
export async function runCommandAlone(args: readonly string[], given: Surroundings & { readonly root?: string }): Promise<Ended> {
  const { settings: _, ...place } = given;
  const script = startCommand(args, { ...place, env: environment(given) });
  return { code: await script.ended, said: script.printed() };
}

class Exit extends Error {}
let runs = 0;

/** Runs a command in the process of the test, because the start of a process takes a CPU second. One command at a time. */
export async function runCommand(args: readonly string[], given: Surroundings): Promise<Ended & { stdout: string; stderr: string }> {
  const output = { stdout: '', stderr: '', said: '' };
  const take = (channel: 'stdout' | 'stderr') => (text: unknown) => {
    output[channel] += String(text);
    output.said += String(text);
    return true;
  };
  const takeLine =
    (channel: 'stdout' | 'stderr') =>
    (...values: unknown[]) =>
      void take(channel)(`${format(...values)}\n`);
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(take('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(take('stderr')),
    vi.spyOn(console, 'log').mockImplementation(takeLine('stdout')),
    vi.spyOn(console, 'error').mockImplementation(takeLine('stderr')),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      process.exitCode = code ?? 0;
      throw new Exit();
    }),
  ];
  const { argv, env, exitCode } = process;
  const cwd = process.cwd();
  process.env = environment(given);
  process.argv = [...argv.slice(0, 2), ...args];
  process.exitCode = 0;
  process.chdir(given.cwd);
  try {
    // The module parses the arguments when it is loaded, and the query loads it again.
    await import(`${MAIN}?run=${runs++}`).catch((error: unknown) => {
      if (!(error instanceof Exit)) throw error;
    });
    return { code: process.exitCode, ...output };
  } finally {
    process.chdir(cwd);
    Object.assign(process, { argv, env, exitCode });
    for (const spy of spies) spy.mockRestore();
  }
}
