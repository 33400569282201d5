import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { startThirdParties, type ThirdParties } from '../../connectors/stand-ins.js';
import { newUuid } from '../../db/ids.js';
import { median, quantile, round, timed } from './measures.js';
import type { Part } from './report.js';
import { type BenchService, repeatInFlight, startBenchService } from './service.js';
import { progress, type Stage } from './stage.js';

const LATENCY_SAMPLES = 100;
const WARM_UP = 20;
const BURSTS = [10, 1000] as const;
const IN_FLIGHT = 50;
const [DANA] = PEOPLE;

/** Lists of alerts, incidents, indicators and investigations. The service reads these into its copies. */
const LIST_CALL = /^\/(?:api\/(?:alerts|incidents|indicators)|.*\/investigations|alert\/v3\/?)(?:\?|$)/;
/** The mails of a burst come from this many senders: the answers about a sender are used again. */
const SENDERS = 10;

/** Written playbooks with the stand-ins of all third parties: how long they take, and how many calls they cost. */
export async function measureConnected(stage: Stage): Promise<Part[]> {
  const thirdParties = await startThirdParties();
  try {
    const caFile = path.join(stage.folder, 'stand-ins.pem');
    writeFileSync(caFile, thirdParties.caPem);
    const env = { EGRESS_ALLOW: thirdParties.allow.join(','), EGRESS_CA_FILE: caFile };
    const service = await startBenchService(stage, 'connected', { env, usesStandIns: true });
    for (const fields of Object.values(thirdParties.connections))
      await service.post('/platformapi/connections', { organization_code: 'DEMO', instance_name: `The ${fields.connector}`, ...fields });
    const latency = await measureLatency(service);
    const calls = await measureCalls(service, thirdParties);
    await service.close();
    return [latency, calls];
  } finally {
    await thirdParties.stop();
  }
}

/** A new sender and link each time, so that no answer is used again. */
function writeMail(n: number): string {
  const site = `parcel-${n}.example`;
  return `From: Parcel service <notice@${site}>\nTo: ${DANA.email}\nSubject: Your parcel\n\nSee https://${site}/verify or ${INDICATORS.maliciousUrl}`;
}

async function measureLatency(service: BenchService): Promise<Part> {
  let sent = 0;
  const bare = async () => {
    await service.temporal.workflow.execute('fiveActivities', {
      taskQueue: service.bareTaskQueue,
      workflowId: `bare-${newUuid()}`,
      args: ['alert'],
    });
  };
  const written = async () => {
    sent += 1;
    await service.completed(await service.send('Reported phishing', { content: writeMail(sent) }));
  };
  const times: Record<'bare' | 'written', number[]> = { bare: [], written: [] };
  for (let n = 0; n < WARM_UP + LATENCY_SAMPLES; n += 1) {
    const took = { bare: await timed(bare), written: await timed(written) };
    if (n < WARM_UP) continue;
    times.bare.push(took.bare);
    times.written.push(took.written);
  }
  const ratio = median(times.written) / median(times.bare);
  progress(`connected: written playbook p50 ${round(median(times.written), 1)} ms, ${round(ratio)}× a bare workflow`);
  return {
    name: 'connected',
    title: 'Alert → completed of a written playbook with all third parties connected, one at a time (ms)',
    columns: ['', 'p50', 'p95'],
    rows: [
      ['bare workflow of five activities', round(median(times.bare), 1), round(quantile(times.bare, 0.95), 1)],
      ['reported phishing', round(median(times.written), 1), round(quantile(times.written, 0.95), 1)],
      ['ratio', `${round(ratio)}×`, ''],
    ],
    notes: [
      `${LATENCY_SAMPLES} alerts in turns with the bare workflow. The stand-ins answer at once, over TLS. Each alert has a new sender and link.`,
    ],
    bars: [],
    details: { times },
  };
}

async function measureCalls(service: BenchService, { standIns }: ThirdParties): Promise<Part> {
  const rows: { alerts: number; calls: number; lists: number }[] = [];
  let sent = 0;
  for (const alerts of BURSTS) {
    for (const { requests } of Object.values(standIns)) requests.length = 0;
    await repeatInFlight(alerts, IN_FLIGHT, async () => {
      sent += 1;
      await service.completed(await service.send('Reported phishing', { content: writeMail(10_000 + (sent % SENDERS)) }));
    });
    const urls = Object.values(standIns).flatMap(({ requests }) => requests.map(({ url }) => url));
    rows.push({ alerts, calls: urls.length, lists: urls.filter((url) => LIST_CALL.test(url)).length });
    progress(`connected: ${alerts} alerts cost ${urls.length} calls, ${rows.at(-1)?.lists} of them lists`);
  }
  const [few, many] = rows;
  return {
    name: 'calls',
    title: 'Calls to third parties, for alerts that arrive together',
    columns: ['alerts', 'calls', 'calls per alert', 'list calls'],
    rows: rows.map(({ alerts, calls, lists }) => [alerts, calls, round(calls / alerts, 1), lists]),
    notes: ['Lists fill the copies of alerts, incidents and investigations. The mails come from 10 senders.'],
    bars: [{ name: 'list calls of 1,000 alerts, less those of 10', measured: (many?.lists ?? Number.NaN) - (few?.lists ?? 0), atMost: 30 }],
    details: { rows, urls: countPaths(standIns) },
  };
}

/** Of the last burst. */
function countPaths(standIns: ThirdParties['standIns']): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name, { requests }] of Object.entries(standIns))
    for (const { url } of requests) {
      const place = `${name} ${url.split('?')[0]?.split('/').slice(0, 4).join('/')}`;
      counts[place] = (counts[place] ?? 0) + 1;
    }
  return counts;
}
