import path from 'node:path';
import { EMBEDDED_DATABASE } from '../cli/running-database.js';
import type { EmbeddedDatabase } from '../cli/sources.js';
import { createLogger } from '../platform/log.js';
import { openDataFolder } from './data-folder.js';
import { startPostgres } from './postgres/server.js';

/** The embedded Postgres without the service, for backup and restore. */
export async function startEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  const folder = await openDataFolder(dataDir);
  try {
    const postgres = await startPostgres({ folder: path.join(folder.path, 'postgres'), log: createLogger('warn', 'database') });
    await postgres.createDatabase(EMBEDDED_DATABASE);
    return {
      url: postgres.url(EMBEDDED_DATABASE),
      async stop() {
        await postgres.stop();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}
