import { Command, CommanderError } from 'commander';
import { expect, it, vi } from 'vitest';
import { createProgram } from '../../cli/program.js';
import { DEVELOPER_COMMANDS } from '../../cli/sources.js';
import { sources } from '../../dev/commands.js';

/** Parses a command line in this process. A process for each would take longer than all other tests of this file. */
async function parse(...args: string[]): Promise<{ error: unknown; printed: string }> {
  let printed = '';
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    }),
  );
  try {
    await createProgram(sources).parseAsync(args, { from: 'user' });
    return { error: null, printed };
  } catch (error) {
    return { error, printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

it.each([
  [['start'], 'ALERT_INVESTIGATOR_NO_SYSTEM_CHANGES'],
  [['migrate'], 'DATABASE_URL'],
  [['keys', 'rotate'], 'MASTER_KEY'],
  [['backup'], 'Encrypts and authenticates'],
  [['restore'], 'must be empty'],
  [['erase'], '--confirm'],
  [['playbook', 'compare'], '--last <count>'],
])('explains %s', async (command, text) => {
  const { error, printed } = await parse(...command, '--help');
  expect(printed).toContain(`Usage: alert-investigator ${command.join(' ')}`);
  expect(printed).toContain(text);
  expect(error).toMatchObject({ exitCode: 0 });
});

it.each([
  ['an unknown option', ['start', '--demo'], "unknown option '--demo'"],
  ['an extra argument', ['migrate', 'now'], 'too many arguments'],
  ['a missing argument', ['playbook', 'new'], "missing required argument 'name'"],
  ['an invalid number', ['playbook', 'compare', 'x', '--last', '0'], 'Enter a whole number of at least 1.'],
])('refuses %s and points to --help', async (_, args, message) => {
  const { error, printed } = await parse(...args);
  expect(printed).toContain(message);
  expect(printed).toContain('--help');
  expect(error).toBeInstanceOf(CommanderError);
});

it('has every developer command', () => {
  const program = new Command();
  sources.addCommands(program);
  expect(program.commands.map((command) => command.name()).sort()).toEqual([...DEVELOPER_COMMANDS].sort());
});
