import { catalogue } from '../connectors/catalogue.js';
import { listKinds } from '../connectors/kit/define.js';
import { migrate } from '../db/migrate.js';
import { storeAdminKey } from '../platform/first-admin.js';
import { loadEnvFile, readSettings, requireSettings } from '../platform/settings.js';
import { bootstrap } from '../services/installation/bootstrap.js';

export async function migrateDatabase(): Promise<void> {
  loadEnvFile();
  const settings = requireSettings(readSettings(process.env), ['DATABASE_URL']);
  await migrate(settings.DATABASE_URL);
  await bootstrap(settings.DATABASE_URL, {
    adminApiKey: settings.ADMIN_API_KEY,
    connectorKinds: listKinds(catalogue),
    keepAdminKey: (key) => {
      if (process.stderr.isTTY) console.error(`Admin API key (shown only once): ${key}`);
      else console.error(`The new admin API key is in ${storeAdminKey(settings.DATA_DIR, key)}. Read it, then delete the file.`);
    },
  });
  console.error('The database is up to date.');
  process.exit(0);
}
