import { Command } from 'commander';
import { DEVELOPER_COMMANDS, type Sources } from './sources.js';

/** The operator commands, which ship in dist/. Each action imports its module, so that a command loads only its own code. */
function addOperatorCommands(program: Command, sources: Sources | null): void {
  program
    .command('api')
    .summary('receive alerts and serve the dashboard')
    .description('Runs the API and the dashboard. Start more processes to scale. Needs DATABASE_URL, TEMPORAL_ADDRESS and MASTER_KEY.')
    .action(async () => {
      await sources?.prepareDashboard();
      const { runApi } = await import('../api/main.js');
      await runApi();
    });
  program
    .command('worker')
    .summary('investigate alerts')
    .description(
      'Runs a worker, which investigates alerts. Start more processes to scale. Needs DATABASE_URL, TEMPORAL_ADDRESS and MASTER_KEY.',
    )
    .action(async () => {
      const bundlePath = await sources?.prepareWorkflows();
      const { runWorker } = await import('../worker/main.js');
      await runWorker(bundlePath);
    });
  program
    .command('agent')
    .summary('call third parties from inside a private network')
    .description('Runs a remote agent, which calls the third parties that only its network reaches. Needs AGENT_API_URL and AGENT_TOKEN.')
    .action(async () => {
      const { runAgentProcess } = await import('../agent/main.js');
      await runAgentProcess();
    });
  program
    .command('migrate')
    .summary('migrate the database to this version')
    .description(
      'Migrates the database in DATABASE_URL to this version. Several processes can run it at the same time, and running it again is safe.',
    )
    .action(async () => {
      const { migrateDatabase } = await import('./migrate.js');
      await migrateDatabase();
    });
  program
    .command('keys')
    .helpCommand(false)
    .summary('manage the master key')
    .command('rotate')
    .summary('create a master key and move every secret to it')
    .description(
      'Creates a master key and moves every secret to it while the service runs. After an interruption, run it again to continue.\n' +
        'With MASTER_KEY set, put the new key first in MASTER_KEY instead; the command then moves every secret to that key.',
    )
    .action(async () => {
      const { rotateKeys } = await import('./rotate-keys.js');
      await rotateKeys();
    });
}

function addUserCommands(program: Command): void {
  const users = program.command('users').helpCommand(false).summary('create the first account, vouch for accounts of people');
  users
    .command('set-up-link')
    .summary('show the link for the first admin user')
    .description(
      'Shows a new link with which the first person creates an admin account. It works once, for 72 hours, and replaces the previous one.\n' +
        'Reads DATABASE_URL, or the embedded Postgres of DATA_DIR.',
    )
    .action(async () => {
      const { runSetUpLink } = await import('./show-set-up-link.js');
      await runSetUpLink();
    });
  users
    .command('vouch')
    .argument('<email...>', 'the addresses of local accounts')
    .summary('let the approvals of a local account count as those of one person')
    .description(
      'States that each account belongs to a person of its own, so that its approvals count where two people are needed.\n' +
        'Vouch only for people whom you know: an admin can invite a second address of their own. Accounts of the identity provider need no\n' +
        'command. Reads DATABASE_URL, or the embedded Postgres of DATA_DIR.',
    )
    .action(async (emails: string[]) => {
      const { runVouch } = await import('./vouch-for-users.js');
      await runVouch(emails);
    });
}

function addDataCommands(program: Command, sources: Sources | null): void {
  program
    .command('backup')
    .argument('<folder>', 'a new folder for the backup')
    .summary('back up the database while the service runs')
    .description(
      'Writes all tables of one moment into a new folder. Backs up DATABASE_URL, or else the embedded Postgres of DATA_DIR.\n' +
        'Encrypts and authenticates it with keys that derive from the master key (MASTER_KEY or MASTER_KEY_FILE), which it does not contain.',
    )
    .action(async (folder: string) => {
      const { runBackup } = await import('./backup.js');
      await runBackup(folder, sources);
    });
  program
    .command('restore')
    .argument('<folder>', 'the folder of a backup')
    .summary('restore a backup into an empty database')
    .description(
      'Restores a backup into DATABASE_URL, or else into a new embedded Postgres in DATA_DIR, and migrates it to this version.\n' +
        'The database must be empty, and the Temporal namespace must have no runs. Stop the old service first.\n' +
        'The command ends all sessions, invitations, agent tokens and keys of people, because they may have been revoked after the backup.',
    )
    .option('--end-sender-keys', 'also end the API keys of senders')
    .option('--unverified', 'also restore a backup of an earlier version, which has no authentication code')
    .action(async (folder: string, { endSenderKeys, unverified }: { endSenderKeys?: boolean; unverified?: boolean }) => {
      const { runRestore } = await import('./backup.js');
      await runRestore(folder, sources, { endsSenderKeys: endSenderKeys === true, acceptsUnverified: unverified === true });
    });
  program
    .command('erase')
    .requiredOption('--organization <code>', 'the organization whose data is erased')
    .requiredOption('--identifiers <file>', "a file with one identifier of the person per line; '-' reads the standard input")
    .option('--confirm', 'erase the data; without it the command only reports where the data is')
    .summary('erase the data of one person')
    .description(
      'Reports where the data of one person is: in the database and in the histories of Temporal. With --confirm it erases the data.\n' +
        'Enter each account name, email address and full name of the person. Reads DATABASE_URL and TEMPORAL_ADDRESS, or the embedded servers of DATA_DIR.',
    )
    .action(async (options: { organization: string; identifiers: string; confirm?: boolean }) => {
      const { runErasure } = await import('./erase-person.js');
      await runErasure(options);
    });
}

/** Hidden: `--help` does not offer commands that cannot run here. */
function refuseDeveloperCommands(program: Command): void {
  for (const name of DEVELOPER_COMMANDS) {
    program
      .command(name, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        program.error(
          `error: '${name}' needs the sources of alert-investigator, and this installation has only the compiled code. Run it in a checkout.`,
        );
      });
  }
}

export function createProgram(sources: Sources | null): Command {
  const program = new Command('alert-investigator')
    .description('Takes security alerts over HTTP, investigates each one durably, and opens a case that a person can act on.')
    .usage('<command> [options]')
    .exitOverride()
    .showHelpAfterError(
      'Run `alert-investigator --help` for the list of commands, or `alert-investigator <command> --help` for one command.',
    )
    .helpCommand(false);
  if (sources === null) refuseDeveloperCommands(program);
  else sources.addCommands(program.commandsGroup('Developer commands:'));
  addOperatorCommands(program.commandsGroup('Operator commands:'), sources);
  addUserCommands(program);
  addDataCommands(program, sources);
  return program;
}
