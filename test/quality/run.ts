import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startThirdParties } from '../../connectors/stand-ins.js';
import { newApiKey } from '../../db/identity/api-keys.js';
import { removePostgres } from '../../local/postgres/cluster.js';
import { startService } from '../../local/service.js';
import { createLogger } from '../../platform/log.js';
import { readSettings } from '../../platform/settings.js';
import { groupByOrganization, investigateSet } from './investigate.js';
import { measureQuality, renderTable } from './report.js';
import { loadTruths, PARTS } from './set.js';

/**
 * `npm run quality`: starts the service on free ports, sends the labelled set and reports the quality of the verdicts.
 * `npm run quality -- third` measures one part.
 */
export async function runQuality(names: readonly string[]): Promise<void> {
  const wanted = PARTS.filter((part) => names.length === 0 || names.includes(part));
  if (wanted.length === 0) throw new Error(`No part of this name. The parts are: ${PARTS.join(', ')}.`);
  const folder = await mkdtemp(path.join(tmpdir(), 'alert-investigator-quality-'));
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const stopped = new Promise<never>((_, reject) => stopping.signal.addEventListener('abort', () => reject(new Error('Stopped.'))));

  const thirdParties = await startThirdParties();
  loadTruths(thirdParties);
  const caFile = path.join(folder, 'stand-ins.pem');
  await writeFile(caFile, thirdParties.caPem);
  const adminKey = newApiKey();
  const settings = readSettings({
    PORT: '0',
    TEMPORAL_UI_PORT: '0',
    DATA_DIR: folder,
    ...(process.env['TEMPORAL_CLI'] === undefined ? {} : { TEMPORAL_CLI: process.env['TEMPORAL_CLI'] }),
    ADMIN_API_KEY: adminKey,
    EGRESS_ALLOW: thirdParties.allow.join(','),
    EGRESS_CA_FILE: caFile,
  });
  try {
    const service = await startService({ settings, log: createLogger('warn', 'quality'), signal: stopping.signal, onAdminKey: () => {} });
    try {
      const quality = measureQuality(
        await Promise.race([investigateSet({ url: service.apiUrl, adminKey }, thirdParties, groupByOrganization(wanted)), stopped]),
      );
      console.log(`${renderTable(quality)}\n`);
      console.log(JSON.stringify(quality));
      process.exitCode = quality.missed.length > 0 ? 1 : 0;
    } finally {
      await service.stop();
    }
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
  } finally {
    await thirdParties.stop();
    removePostgres(path.join(folder, 'postgres'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  process.exit();
}
