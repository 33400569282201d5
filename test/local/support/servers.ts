import { startPostgres } from '../../../local/postgres/server.js';
import { findTemporalCli } from '../../../local/temporal/cli.js';
import { startTemporal } from '../../../local/temporal/server.js';
import { createLogger } from '../../../platform/log.js';

// The parent process that a test kills. It runs the given servers in the given folder.
const [, , folder, ...wanted] = process.argv;
if (folder === undefined) throw new Error('Say in which folder.');
const log = createLogger('silent', 'test');
const runPostgres = async () => {
  const { url, dataFolder, child } = await startPostgres({ folder: `${folder}/postgres`, log });
  return { url: url('postgres'), dataFolder, postgresPid: child.pid };
};
const runTemporal = async () => {
  const cli = await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log });
  const { address, child } = await startTemporal({ cli, folder: `${folder}/temporal`, uiPort: 0, namespaces: ['default'], log });
  return { address, temporalPid: child.pid };
};
console.log(
  JSON.stringify({
    ...(wanted.includes('postgres') ? await runPostgres() : {}),
    ...(wanted.includes('temporal') ? await runTemporal() : {}),
  }),
);
