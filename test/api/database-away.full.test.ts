import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectDatabase } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { startPostgres } from '../../local/postgres/server.js';
import { bootstrap } from '../../services/installation/bootstrap.js';
import { log } from '../support/service.js';
import { describeDatabaseAway } from './database-away.js';

const ADMIN_KEY = 'known-to-this-test-alone-0001';

describeDatabaseAway('a Postgres that is stopped', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'alert-investigator-away-'));
  let postgres = await startPostgres({ folder: path.join(folder, 'postgres'), log });
  await postgres.createDatabase('away');
  const url = postgres.url('away');
  await migrate(url);
  await bootstrap(url, { adminApiKey: ADMIN_KEY, connectorKinds: [] });
  let frozen: number[] = [];
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of frozen) process.kill(pid, signal);
  };
  return {
    url,
    adminKey: ADMIN_KEY,
    interrupt: () => postgres.stop(),
    async resume() {
      postgres = await startPostgres({ folder: path.join(folder, 'postgres'), port: postgres.port, log });
    },
    async freeze() {
      const observer = connectDatabase(url, { poolSize: 1, name: 'observer' });
      await observer.pg`select 1`;
      // Without this process, no connection can begin beside the list of them.
      const listener = postgres.child.pid ?? 0;
      process.kill(listener, 'SIGSTOP');
      const backends = await observer.pg<{ pid: number }[]>`select pid from pg_stat_activity where application_name <> 'observer'`;
      await observer.close();
      frozen = [...backends.map(({ pid }) => pid), listener];
      signalAll('SIGSTOP');
    },
    thaw: async () => signalAll('SIGCONT'),
    async remove() {
      await postgres.destroy();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
});
