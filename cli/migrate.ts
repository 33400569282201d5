import { catalogue } from '../connectors/catalogue.js';
import { listKinds } from '../connectors/kit/define.js';
import { migrate } from '../db/migrate.js';
import { loadEnvFile, readSettings, requireSettings } from '../platform/settings.js';
import { bootstrap } from '../services/installation/bootstrap.js';

export async function migrateDatabase(): Promise<void> {
  loadEnvFile();
  const settings = requireSettings(readSettings(process.env), ['DATABASE_URL']);
  await migrate(settings.DATABASE_URL);
  const { createdAdminKey } = await bootstrap(settings.DATABASE_URL, {
    adminApiKey: settings.ADMIN_API_KEY,
    connectorKinds: listKinds(catalogue),
  });
  if (createdAdminKey !== null) console.error(`Admin API key (shown only once): ${createdAdminKey}`);
  console.error('The database is up to date.');
  process.exit(0);
}
