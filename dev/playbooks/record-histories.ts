import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { z } from 'zod';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { startThirdParties } from '../../connectors/stand-ins.js';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { findClosestName } from '../../domain/closest-name.js';
import { STORY_ALERTS } from '../../local/demo/story-alerts.js';
import { removePostgres } from '../../local/postgres/cluster.js';
import { startService } from '../../local/service.js';
import { findTemporalCli } from '../../local/temporal/cli.js';
import { startTemporal } from '../../local/temporal/server.js';
import { createLogger } from '../../platform/log.js';
import { readSettings } from '../../platform/settings.js';
import { StartError } from '../../platform/start-error.js';
import { declaredPlaybooks } from '../../worker/worker.js';

const TARGET = fileURLToPath(new URL('../../test/histories/', import.meta.url));
const ADMIN_API_KEY = 'record-histories-admin-key';
const HEADERS = { cookie: `Session=${ADMIN_API_KEY}`, 'content-type': 'application/json' };
/** For a playbook without a story alert: one entity of every kind, so that the playbook asks every question. */
const ANYTHING = `host=${COMPUTERS[0].dnsName} user=${PEOPLE[0].email} ip=${INDICATORS.maliciousIp} url=${INDICATORS.maliciousUrl}
sha256=${INDICATORS.malwareSha256} ${INDICATORS.exploitedCve} incident id: 2041`;

/**
 * Runs playbooks (by default all) against the stand-ins and writes their histories to `test/histories`, which every test run
 * replays. Record a playbook again only when it is new or when its change is versioned.
 */
export async function recordHistories(only: readonly string[]): Promise<void> {
  requireKnown(only);
  const isWanted = (name: string) => only.length === 0 || only.some((each) => name.split('-')[0] === each);
  const thirdParties = await startThirdParties();
  const folder = await mkdtemp(path.join(tmpdir(), 'alert-investigator-histories-'));
  const log = createLogger('warn', 'record');
  const temporal = await startTemporal({
    cli: await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log }),
    folder: path.join(folder, 'temporal'),
    uiPort: 0,
    namespaces: ['default'],
    log,
  });
  const caFile = path.join(folder, 'stand-ins.pem');
  await writeFile(caFile, thirdParties.caPem);
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: folder,
    TEMPORAL_ADDRESS: temporal.address,
    ADMIN_API_KEY,
    EGRESS_ALLOW: thirdParties.allow.join(','),
    EGRESS_CA_FILE: caFile,
  });
  const service = await startService({ settings, log, signal: new AbortController().signal, onAdminKey: () => {} }).catch(
    async (error: unknown) => {
      await temporal.stop();
      throw error;
    },
  );
  try {
    const client = new Client({ connection: await Connection.connect({ address: temporal.address }) });
    await mkdir(TARGET, { recursive: true });
    for (const [name, fields] of Object.entries(thirdParties.connections))
      await post(service.apiUrl, '/platformapi/connections', { organization_code: 'DEMO', instance_name: name, ...fields });
    for (const { name, alert } of listScenarios().filter((scenario) => isWanted(scenario.name)))
      await keep(client, await investigate(service.apiUrl, alert), name);
    if (isWanted('reconcile')) {
      const { workflowId } = await client.workflow.start('reconcile', { workflowId: 'reconcile', taskQueue: settings.TEMPORAL_TASK_QUEUE });
      await keep(client, workflowId, 'reconcile');
    }
    console.log(`Recorded in ${path.relative(process.cwd(), TARGET)}: ${(await readdir(TARGET)).join(', ')}`);
  } finally {
    await service.stop();
    await temporal.stop();
    await thirdParties.stop();
    removePostgres(path.join(folder, 'postgres'));
    await rm(folder, { recursive: true, force: true });
  }
  process.exit();
}

/** Before any server starts. */
function requireKnown(only: readonly string[]): void {
  const names = [...new Set([...listScenarios().map(({ name }) => name.split('-')[0] ?? ''), 'reconcile'])];
  const unknown = only.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const meant = findClosestName(unknown, names);
  const remedy = meant === null ? `Enter one of: ${names.join(', ')}.` : `Did you mean ${meant}?`;
  throw new StartError(`There is no playbook ${unknown} in workflows/playbooks. ${remedy}`);
}

/** The first part of a name is the workflow type. Each workflow runs at least once with findings and once without. */
function listScenarios() {
  const stories = STORY_ALERTS.flatMap(({ playbook, malicious, benign }) => [
    { name: `${playbook}-malicious`, alert: malicious },
    { name: `${playbook}-benign`, alert: benign },
  ]);
  const others = declaredPlaybooks()
    .filter(({ name }) => STORY_ALERTS.every(({ playbook }) => playbook !== name))
    .map(({ name, alertTypes: [type = name] }) => ({ name: `${name}-anything`, alert: { type, content: ANYTHING } }));
  return [
    ...stories,
    ...others,
    { name: 'generated-first', alert: { type: 'Odd sign-in', content: 'user=dana signed in from 198.51.100.20' } },
    { name: 'generated-correlated', alert: { type: 'Odd sign-in', content: 'user=dana signed in from 198.51.100.20 again' } },
    { name: 'generated-anything', alert: { type: 'Something new', content: ANYTHING } },
  ];
}

async function post(apiUrl: string, where: string, body: unknown): Promise<Response> {
  const reply = await fetch(`${apiUrl}${where}`, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
  if (reply.status !== 201) throw new Error(`POST ${where} returned ${reply.status}: ${await reply.text()}`);
  return reply;
}

const Alert = z.object({ alert_id: z.string(), investigation_status: z.int(), case_id: z.string().nullable() });
const Case = z.object({ summary: z.string() });

async function investigate(apiUrl: string, { type, content }: { type: string; content: string }): Promise<string> {
  const sent = await post(apiUrl, '/platformapi/alerts', {
    organization_code: 'DEMO',
    alert_provider: 'custom',
    alert_type: type,
    alert_content: content,
  });
  const location = `${apiUrl}${sent.headers.get('location')}`;
  for (;;) {
    const alert = Alert.parse(await (await fetch(location, { headers: HEADERS })).json());
    if (alert.investigation_status === InvestigationStatus.Completed) return alert.alert_id;
    if (alert.investigation_status === InvestigationStatus.Failed) {
      const failed = await fetch(`${apiUrl}/platformapi/cases/${alert.case_id}`, { headers: HEADERS });
      const { summary } = Case.parse(await failed.json());
      throw new StartError(`The investigation of "${type}" has no history to record. ${summary}`);
    }
    await delay(100);
  }
}

async function keep(client: Client, workflowId: string, name: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  await handle.result();
  await writeFile(path.join(TARGET, `${name}.json`), `${historyToJSON(await handle.fetchHistory())}\n`);
}
