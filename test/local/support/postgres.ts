import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type RunningPostgres, startPostgres } from '../../../local/postgres/server.js';
import { quietLog as log, temporaryFolder } from './scripts.js';

/** A folder that the user postgres cannot access. */
export const closedFolder = async () => path.join(await temporaryFolder('checkout/data'), 'postgres');

export async function postgresIn(folder: string): Promise<RunningPostgres> {
  const server = await startPostgres({ folder, log });
  onTestFinished(() => server.stop());
  return server;
}
