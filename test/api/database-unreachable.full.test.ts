import { inject } from 'vitest';
import { createDatabase } from '../support/databases.js';
import { startRelay } from '../support/relay.js';
import { describeDatabaseAway } from './database-away.js';

describeDatabaseAway('a database that the network does not reach', async () => {
  const url = new URL(await createDatabase('bootstrapped'));
  const relay = await startRelay(url.host);
  url.host = relay.address;
  return { ...relay, url: url.href, adminKey: inject('adminKey'), remove: () => relay.interrupt() };
});
