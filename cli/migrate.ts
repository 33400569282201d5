import { bootstrap } from '../db/bootstrap.js';
import { migrate } from '../db/migrate.js';
import { runProcess } from '../platform/process.js';
import { loadEnvFile, readSettings, requireSettings } from '../platform/settings.js';

/** `npm run migrate`: brings the database to this version; safe to run at any time, by several at once. */
await runProcess(async () => {
  loadEnvFile();
  const settings = requireSettings(readSettings(process.env), ['DATABASE_URL']);
  await migrate(settings.DATABASE_URL);
  const { createdAdminKey } = await bootstrap(settings.DATABASE_URL, { adminApiKey: settings.ADMIN_API_KEY });
  if (createdAdminKey !== null) console.error(`Admin API key, shown this once: ${createdAdminKey}`);
  console.error('The database is up to date.');
  process.exit(0);
});
