import { SETTING_NAMES } from '../../../platform/settings.js';
import { startCommand } from '../../local/support/scripts.js';

interface Surroundings {
  readonly cwd: string;
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Default: this checkout. */
  readonly root?: string;
}

export interface Ended {
  readonly code: unknown;
  /** The complete output, on both channels. */
  readonly said: string;
}

/** Runs a command of `bin/alert-investigator` without the settings of this machine. */
export async function runCommand(args: readonly string[], { settings, ...place }: Surroundings): Promise<Ended> {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTING_NAMES.includes(name)));
  const script = startCommand(args, { ...place, env: { ...inherited, ...settings } });
  return { code: await script.ended, said: script.printed() };
}
