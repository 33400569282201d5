import { startPostgres } from '../../../local/postgres/server.js';
import { findTemporalCli } from '../../../local/temporal/cli.js';
import { startTemporal } from '../../../local/temporal/server.js';
import { createLogger } from '../../../platform/log.js';

// The parent process that a test kills. It runs both servers in the given folder.
const [, , folder] = process.argv;
if (folder === undefined) throw new Error('Say in which folder.');
const log = createLogger('silent', 'test');
const postgres = await startPostgres({ folder: `${folder}/postgres`, log });
const cli = await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log });
const temporal = await startTemporal({ cli, folder: `${folder}/temporal`, uiPort: 0, namespaces: ['default'], log });
console.log(
  JSON.stringify({
    url: postgres.url('postgres'),
    dataFolder: postgres.dataFolder,
    address: temporal.address,
    postgresPid: postgres.child.pid,
    temporalPid: temporal.child.pid,
  }),
);
