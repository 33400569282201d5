import { type Command, InvalidArgumentError } from 'commander';
import type { Sources } from '../cli/sources.js';
import type { AttackOptions } from './attack/main.js';
import { listRunnablePlaybooks } from './build/check-playbooks.js';
import { ensureDashboard } from './build/dashboard.js';
import { writePlaybookList } from './build/playbook-list.js';
import { ensureWorkflowBundle } from './build/workflow-bundle.js';
import type { FaultsOptions } from './faults/main.js';
import type { CompareOptions } from './playbooks/compare-playbook.js';

const START_HELP = `
Environment:
  DATA_DIR                                  the folder for all data (default: .data, for the demo .data-demo)
  PORT, TEMPORAL_UI_PORT                    the ports of the API and of Temporal Web (default: 3000 and 8233)
  DATABASE_URL, TEMPORAL_ADDRESS            use these servers instead of embedded ones
  ALERT_INVESTIGATOR_NO_SYSTEM_CHANGES=1    never change the machine outside DATA_DIR and the user's cache folder
                                            (as root, the first start can create the system user postgres and
                                            /var/lib/alert-investigator); fail with instructions instead

docs/configuration.md and .env.example list every setting.`;

/** The commands that need a checkout. Each action imports its module, so that a command loads only its own code. */
function addCommands(program: Command): void {
  program
    .command('start')
    .summary('run everything on this machine')
    .description(
      'Runs Postgres, Temporal, a worker, the API and the dashboard on this machine. Ctrl-C stops everything and keeps the data.',
    )
    .addHelpText('after', START_HELP)
    .action(() => runService({ demo: false }));
  program
    .command('demo')
    .summary('run everything, with example alerts and simulated third parties')
    .description('Runs everything on this machine with an example organization, simulated third parties and example alerts.')
    .addHelpText('after', START_HELP)
    .action(() => runService({ demo: true }));
  program
    .command('build')
    .summary('compile the product into dist/')
    .description('Compiles the code, bundles the dashboard and the workflows, and writes everything to dist/.')
    .action(async () => {
      writePlaybookList();
      const { build } = await import('./build/build.js');
      await build();
    });
  program
    .command('generate')
    .summary('write generated source files')
    .description('Writes workflows/playbooks/index.ts, the list of playbooks. Git does not track it. Other commands write it as needed.')
    .action(() => writePlaybookList());
  addPlaybookCommands(program.command('playbook').helpCommand(false).summary('create, eject or compare a playbook'));
  program
    .command('histories')
    .helpCommand(false)
    .summary('manage the workflow histories that tests replay')
    .command('record')
    .argument('[playbooks...]', 'playbooks to record, by export name (default: all)')
    .summary('record histories into test/histories')
    .description('Runs playbooks against simulated third parties and records their workflow histories, which every test run replays.')
    .action(async (playbooks: string[]) => {
      writePlaybookList();
      const { recordHistories } = await import('./playbooks/record-histories.js');
      await recordHistories(playbooks);
    });
  program
    .command('quality')
    .argument('[parts...]', 'parts of the labelled set to measure (default: all)')
    .summary('measure the quality of the verdicts')
    .description('Runs the labelled alerts through the whole service and reports how many verdicts are right.')
    .action(async (parts: string[]) => {
      writePlaybookList();
      const { runQuality } = await import('../test/quality/run.js');
      await runQuality(parts);
    });
  program
    .command('bench')
    .argument('[parts...]', 'parts to measure (default: all)')
    .summary('measure the performance')
    .description('Measures the performance and prints a report in Markdown and JSON.')
    .action(async (parts: string[]) => {
      writePlaybookList();
      const { runBench } = await import('./bench/main.js');
      await runBench(parts);
    });
  program
    .command('rehearse')
    .summary('rehearse a production deployment with failures')
    .description(
      'Builds the product, runs two APIs and two workers on a production Temporal server, kills one of each, restores a backup elsewhere, and checks the outcome.',
    )
    .action(async () => {
      writePlaybookList();
      await import('./rehearsal/main.js');
    });
  program
    .command('faults')
    .argument('[parts...]', 'parts to run (default: all)')
    .option('--repetitions <count>', 'how many times each process is killed (default: 10)', parseCount)
    .option('--seed <number>', 'repeat the random moments of an earlier run', parseCount)
    .option('--write', 'write the result into docs/reliability.md')
    .summary('make everything fail under load and count the damage')
    .description(
      'Builds the product, kills processes and makes servers, the disk, the clock and third parties fail under load. Takes about 20 minutes. Prints a table, writes faults-report.json, and exits with 1 if a target is missed.',
    )
    .action(async (parts: string[], options: FaultsOptions) => {
      writePlaybookList();
      const { runFaults } = await import('./faults/main.js');
      await runFaults(parts, options);
    });
  program
    .command('attack')
    .argument('[parts...]', 'parts to run: matrix, fuzz, load (default: all)')
    .option('--requests <count>', 'how many fuzzed requests to send (default: 5000)', parseCount)
    .option('--seed <number>', 'repeat the fuzzed requests of an earlier run', parseCount)
    .option('--json <file>', 'also write the counts into this file')
    .option('--write', 'write the counts into docs/security-testing.md')
    .summary('attack the service on this machine and count the mistakes')
    .description(
      'Builds the product, starts it on loopback addresses, and attacks it: an authorization matrix, a fuzz of every route, and floods. It attacks no other service. Takes about 5 minutes. Exits with 1 if a cell of the matrix or a reply is wrong.',
    )
    .action(async (parts: string[], options: AttackOptions) => {
      writePlaybookList();
      const { runAttack } = await import('./attack/main.js');
      await runAttack(parts, options);
    });
  program
    .command('screenshots')
    .summary('take the screenshots of the documentation')
    .description('Runs the demo in a temporary folder and writes docs/screenshots/*.png.')
    .action(async () => {
      writePlaybookList();
      await import('./docs/screenshots.js');
    });
  program
    .command('docs')
    .summary('write the generated parts of the documentation')
    .description('Writes the generated pages of docs/ from the code.')
    .action(async () => {
      await import('./docs/write-docs.js');
    });
}

function addPlaybookCommands(playbook: Command): void {
  playbook
    .command('new')
    .argument('<name>', 'the name in lower case with hyphens, such as data-loss')
    .summary('create a playbook and its test')
    .description('Creates workflows/playbooks/<name>.ts and its test.')
    .action(async (name: string) => {
      const { reportNewPlaybook } = await import('./playbooks/new-playbook.js');
      reportNewPlaybook(name);
    });
  playbook
    .command('eject')
    .argument('<alert-type>', 'the alert type of a generated playbook')
    .option('--organization <code>', 'the organization, when several have a plan for the alert type')
    .summary('write a generated playbook as TypeScript')
    .description("Writes a generated playbook's plan as TypeScript, with a test. Reads the database of the running service.")
    .action(async (alertType: string, options: { organization?: string }) => {
      writePlaybookList();
      const { reportEjectedPlaybook } = await import('./playbooks/eject-playbook.js');
      await reportEjectedPlaybook({ alertType, ...options });
    });
  playbook
    .command('compare')
    .argument('<name>', 'a written playbook, or the alert type or id of a generated one')
    .option('--last <count>', 'how many past investigations to compare, newest first (default: 100)', parseCount)
    .option('--organization <code>', 'only past investigations of this organization')
    .option('--plan <file>', 'a JSON file with a plan to use instead of the stored one')
    .summary('run a playbook over past investigations')
    .description(
      'Runs a playbook over the recorded answers of past investigations and lists the results that would change. Changes nothing. Exits with 1 if a malicious alert would become benign.',
    )
    .action(async (name: string, options: CompareOptions) => {
      writePlaybookList();
      const { reportComparison } = await import('./playbooks/compare-playbook.js');
      await reportComparison(name, options);
    });
}

function parseCount(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('Enter a whole number of at least 1.');
  return Number(value);
}

async function runService(options: { demo: boolean }): Promise<void> {
  await listRunnablePlaybooks(console.error);
  const { runLocalService } = await import('../local/main.js');
  await runLocalService(options);
}

export const sources: Sources = {
  addCommands,
  async prepareDashboard() {
    await ensureDashboard(() => console.error('Building the dashboard …'));
  },
  async prepareWorkflows() {
    await listRunnablePlaybooks(console.error);
    return ensureWorkflowBundle(() => console.error('Bundling the workflows …'));
  },
  async startDatabase(dataDir) {
    const { startEmbeddedDatabase } = await import('../local/embedded-database.js');
    return startEmbeddedDatabase(dataDir);
  },
};
