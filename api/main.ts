import { catalogue } from '../connectors/catalogue.js';
import { listKinds } from '../connectors/kit/define.js';
import { surviveDatabaseLoss } from '../db/database-loss.js';
import { migrate } from '../db/migrate.js';
import { SET_UP_COMMAND, storeAdminKey } from '../platform/first-admin.js';
import { createLogger } from '../platform/log.js';
import { runProcess } from '../platform/process.js';
import { loadEnvFile, readSettings, requireProcessSettings } from '../platform/settings.js';
import { bootstrap } from '../services/installation/bootstrap.js';
import { prepareSetUp } from '../services/installation/prepare-set-up.js';
import { builtDashboard } from './http/dashboard.js';
import { startApi } from './server.js';

/** `alert-investigator api`: receives alerts and starts a workflow for each. */
export async function runApi(): Promise<void> {
  await runProcess(async () => {
    loadEnvFile();
    const settings = requireProcessSettings(readSettings(process.env));
    const log = createLogger(settings.LOG_LEVEL, 'api');
    surviveDatabaseLoss(log, (error) => {
      log.fatal({ err: error }, 'unexpected error');
      process.exit(1);
    });
    await migrate(settings.DATABASE_URL);
    const isTerminal = process.stderr.isTTY;
    await bootstrap(settings.DATABASE_URL, {
      adminApiKey: settings.ADMIN_API_KEY,
      connectorKinds: listKinds(catalogue),
      keepAdminKey: (key) => {
        if (isTerminal) console.error(`Admin API key (shown only once): ${key}`);
        else
          log.warn(
            { file: storeAdminKey(settings.DATA_DIR, key) },
            'Stored the new admin API key in a file. Read it, then delete the file',
          );
      },
    });
    const api = await startApi({ settings, log, dashboardFolder: builtDashboard() });
    const setUp = await prepareSetUp(settings.DATABASE_URL, { showsLinks: isTerminal });
    if (setUp.path !== null) console.error(`Set-up link for the first admin user (valid once): ${api.url}${setUp.path}`);
    else if (setUp.needsFirstUser)
      log.info({ command: SET_UP_COMMAND }, 'There is no user yet. The command creates the link for the first admin user');
    if (setUp.vouchCommand !== null)
      log.warn(
        { command: setUp.vouchCommand },
        'Approvals of these accounts do not count where two people are needed. Run the command for people whom you know',
      );
    log.info({ url: api.url, docs: `${api.url}/docs` }, 'API is listening');
    return async () => {
      await api.close();
      log.info('API has stopped');
    };
  });
}
