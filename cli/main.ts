import { CommanderError } from 'commander';
import { createProgram } from './program.js';
import { loadSources } from './sources.js';
import { stopWithNpm } from './stop-with-npm.js';

const USAGE_ERROR = 2;

stopWithNpm();
try {
  await createProgram(await loadSources()).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE_ERROR);
  const { describeFailure } = await import('./running-database.js');
  console.error(describeFailure(error));
  process.exit(1);
}
