import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

/** The part of the command line that only a checkout has. `dev/commands.ts` implements it. */
export interface Sources {
  addCommands(program: Command): void;
  /** Builds the pages that the API serves, unless they are up to date. */
  prepareDashboard(): Promise<void>;
  /** Bundles the workflows, unless the bundle is up to date. Returns the path of the bundle. */
  prepareWorkflows(): Promise<string>;
  /** Starts the embedded Postgres alone, with an empty database if it has none. Fails while a service uses the folder. */
  startDatabase(dataDir: string): Promise<EmbeddedDatabase>;
}

export interface EmbeddedDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** The commands of `dev/commands.ts`, so that an installation without sources can explain why it lacks them. */
export const DEVELOPER_COMMANDS = [
  'attack',
  'start',
  'demo',
  'build',
  'generate',
  'playbook',
  'histories',
  'quality',
  'bench',
  'rehearse',
  'faults',
  'screenshots',
  'docs',
] as const;

/** Returns null in an installation without sources, such as the image. */
export async function loadSources(): Promise<Sources | null> {
  // The path is computed, so that the compiler leaves dev/ out of dist/.
  const file = new URL('../dev/commands.ts', import.meta.url);
  if (!existsSync(fileURLToPath(file))) return null;
  const { sources }: { sources: Sources } = await import(file.href);
  return sources;
}
