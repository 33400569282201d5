import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { createLogger } from '../platform/log.js';
import { readSettings } from '../platform/settings.js';
import { removePostgres } from './postgres-cluster.js';
import { startService } from './service.js';
import { startTemporal } from './temporal.js';
import { findTemporalCli } from './temporal-cli.js';

/**
 * `npm run histories:record`: runs each playbook once and keeps its history in `test/histories`, where every test run
 * replays it. Record anew only for a new playbook, or after versioning a change with `patched`.
 */
const TARGET = fileURLToPath(new URL('../test/histories/', import.meta.url));

const SCENARIOS = [
  {
    name: 'reportedPhishing-malicious',
    body: {
      alert_type: 'Reported phishing',
      alert_content: 'Final notice: verify your account at http://203.0.113.7/login within 24 hours.',
    },
  },
  { name: 'reportedPhishing-benign', body: { alert_type: 'Reported phishing', alert_content: 'Lunch on Friday?' } },
  { name: 'generated-first', body: { alert_type: 'Odd sign-in', alert_content: 'user=dana signed in from 198.51.100.20' } },
  { name: 'generated-correlated', body: { alert_type: 'Odd sign-in', alert_content: 'user=dana signed in from 198.51.100.20 again' } },
];

const folder = await mkdtemp(path.join(tmpdir(), 'alert-investigator-histories-'));
const log = createLogger('warn', 'record');
const temporal = await startTemporal({
  cli: await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log }),
  folder: path.join(folder, 'temporal'),
  uiPort: 0,
  namespaces: ['default'],
  log,
});
const adminApiKey = 'record-histories-admin-key';
const settings = readSettings({ PORT: '0', DATA_DIR: folder, TEMPORAL_ADDRESS: temporal.address, ADMIN_API_KEY: adminApiKey });
const service = await startService({ settings, log, signal: new AbortController().signal, onAdminKey: () => {} }).catch(
  async (error: unknown) => {
    await temporal.stop();
    throw error;
  },
);
try {
  const client = new Client({ connection: await Connection.connect({ address: temporal.address }) });
  await mkdir(TARGET, { recursive: true });
  for (const { name, body } of SCENARIOS) await keep(client, await investigate(body), name);
  const { workflowId } = await client.workflow.start('reconcile', { workflowId: 'reconcile', taskQueue: settings.TEMPORAL_TASK_QUEUE });
  await keep(client, workflowId, 'reconcile');
  console.log(`Recorded in ${path.relative(process.cwd(), TARGET)}: ${(await readdir(TARGET)).join(', ')}`);
} finally {
  await service.stop();
  await temporal.stop();
  removePostgres(path.join(folder, 'postgres'));
  await rm(folder, { recursive: true, force: true });
}
process.exit();

async function investigate(body: { alert_type: string; alert_content: string }): Promise<string> {
  const headers = { cookie: `Session=${adminApiKey}`, 'content-type': 'application/json' };
  const alerts = `${service.apiUrl}/platformapi/alerts`;
  const sent = await fetch(alerts, {
    method: 'POST',
    headers,
    body: JSON.stringify({ organization_code: 'DEMO', alert_provider: 'custom', ...body }),
  });
  const location = `${service.apiUrl}${sent.headers.get('location')}`;
  for (;;) {
    const alert: unknown = await (await fetch(location, { headers })).json();
    if (isFinished(alert)) return alert.alert_id;
    await delay(100);
  }
}

function isFinished(alert: unknown): alert is { alert_id: string } {
  return typeof alert === 'object' && alert !== null && 'investigation_status' in alert && alert.investigation_status === 15;
}

async function keep(client: Client, workflowId: string, name: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  await handle.result();
  await writeFile(path.join(TARGET, `${name}.json`), `${historyToJSON(await handle.fetchHistory())}\n`);
}
