import { findOrCreatePlaybook } from '../api/dispatch/find-or-create-playbook.js';
import { InvestigationStarter } from '../api/dispatch/investigation-starter.js';
import type { OutboxAlert } from '../db/alerts/outbox.js';
import { newUuid } from '../db/ids.js';
import type { ChosenPlaybook } from '../db/playbooks/playbooks.js';
import { alertTypeKey } from '../domain/alert/alert.js';
import { planFor } from '../domain/playbook/planner.js';
import { sampleContents } from './contents.js';
import { median, quantile, round, timed } from './measures.js';
import type { Part } from './report.js';
import { type BenchService, repeatInFlight, startBenchService } from './service.js';
import { progress, type Stage } from './stage.js';

const THREE_SKILLS = 'Bench, three skills';
const IN_FLIGHT = 50;
/** Many short rounds: the machine's own speed drifts, and what is compared should follow each other closely. */
const ROUNDS = 15;
const PER_ROUND = 100;
/** A service runs for weeks: what a new process compiles in its first seconds is not what an investigation costs. */
const WARM_UP = 400;
const ALONE = 60;
const LATENCY_SAMPLES = 100;

type Samples = Record<'bare' | 'ours', number[]>;

/** What an investigation costs, against the plainest workflow of the same shape on the same server. */
export async function measureInvestigations(stage: Stage): Promise<Part[]> {
  const service = await startBenchService(stage, 'investigations');
  const throughOutbox = async () => service.completed(await service.send(THREE_SKILLS));
  const bare = async () => {
    await service.temporal.workflow.execute('fiveActivities', {
      taskQueue: service.bareTaskQueue,
      workflowId: `bare-${newUuid()}`,
      args: ['alert'],
    });
  };
  for (const warm of [bare, throughOutbox]) await repeatInFlight(WARM_UP, IN_FLIGHT, warm);

  const latency = await measureLatency(service);
  const alone = await measureAlone(stage, service, bare);
  const rates: Samples = { bare: [], ours: [] };
  const both = [
    ['bare', bare],
    ['ours', throughOutbox],
  ] as const;
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    // Each goes first as often as last.
    for (const [name, once] of turn % 2 === 0 ? both.toReversed() : both) {
      const tookMs = await timed(() => repeatInFlight(PER_ROUND, IN_FLIGHT, once));
      rates[name].push((PER_ROUND / tookMs) * 1000);
    }
    progress(
      `investigations, round ${turn} of ${ROUNDS}: bare ${round(rates.bare.at(-1) ?? 0, 1)}/s, ours ${round(rates.ours.at(-1) ?? 0, 1)}/s`,
    );
  }
  await service.close();

  const rate = { bare: median(rates.bare), ours: median(rates.ours) };
  /** Of each round by itself: what slows the machine for a moment slows both. */
  const rateRatio = median(rates.ours.map((ours, turn) => ours / (rates.bare[turn] ?? Number.NaN)));
  const p50 = { bare: median(alone.bare), ours: median(alone.ours) };
  const p95 = { bare: quantile(alone.bare, 0.95), ours: quantile(alone.ours, 0.95) };
  return [
    latency,
    {
      name: 'investigations',
      title: 'Investigations against a bare workflow of five regular activities',
      columns: ['', 'bare workflow', 'this service', 'ratio'],
      rows: [
        [`a second, ${IN_FLIGHT} in flight`, round(rate.bare, 1), round(rate.ours, 1), `${round(rateRatio)}×`],
        ['alone, p50 ms', round(p50.bare, 1), round(p50.ours, 1), `${round(p50.ours / p50.bare)}×`],
        ['alone, p95 ms', round(p95.bare, 1), round(p95.ours, 1), `${round(p95.ours / p95.bare)}×`],
      ],
      notes: [
        `A second: median of ${ROUNDS} rounds of ${PER_ROUND}, taking turns; ours goes from the POST through outbox and dispatcher to the committed case (API and worker in one process, as "npm start" runs them), the bare one from start to result. Alone: one at a time, taking turns, both from the client's start to the client's result.`,
      ],
      bars: [
        { name: 'investigations a second against a bare workflow', measured: rateRatio, atLeast: 1 },
        { name: 'one investigation alone, p50, against a bare workflow', measured: p50.ours / p50.bare, atMost: 1 },
      ],
      details: { rates, alone },
    },
  ];
}

/** From the sender's request to the committed verdict, one alert at a time. */
async function measureLatency(service: BenchService): Promise<Part> {
  const rows: Array<Array<string | number>> = [];
  for (const [alertType, label] of [
    [THREE_SKILLS, 'three skills in parallel'],
    ['Reported phishing', 'the written playbook for reported phishing'],
    ['Bench, no playbook', 'a generated playbook'],
  ] as const) {
    const once = () => timed(async () => service.completed(await service.send(alertType)));
    for (let n = 0; n < 10; n += 1) await once();
    const times: number[] = [];
    for (let n = 0; n < LATENCY_SAMPLES; n += 1) times.push(await once());
    rows.push([label, round(median(times), 1), round(quantile(times, 0.95), 1)]);
    progress(`alert → completed, ${label}: p50 ${round(median(times), 1)} ms`);
  }
  return {
    name: 'latency',
    title: 'Alert → completed, one at a time (ms)',
    columns: ['playbook', 'p50', 'p95'],
    rows,
    notes: [`${LATENCY_SAMPLES} alerts each, from sending the POST to the notification that a trigger sends with the commit of status 15.`],
    bars: [],
  };
}

/** Both started by the same client and awaited by it; the outbox is not part of it. */
async function measureAlone(stage: Stage, service: BenchService, bare: () => Promise<void>): Promise<Samples> {
  const starter = new InvestigationStarter(service.connection, service.settings, stage.log);
  const playbook = await findOrCreatePlaybook(service.pg, newUuid(), THREE_SKILLS, {
    digest: 'bench',
    planFor: (type) => planFor(type, []),
  });
  const contents = sampleContents(ALONE + 10);
  const times: Samples = { bare: [], ours: [] };
  for (const [n, content] of contents.entries()) {
    const alert = await insertDispatched(service, `ALONE-SIEM-${n}`, content, playbook);
    const ours = await timed(async () => {
      const outcome = await starter.start(alert, playbook, { queued: true });
      if (outcome.kind !== 'accepted') throw new Error(`Temporal did not take ${alert.alertId}: ${outcome.reason}`);
      await service.temporal.workflow.getHandle(alert.alertId).result();
    });
    const other = await timed(bare);
    if (n < 10) continue;
    times.ours.push(ours);
    times.bare.push(other);
  }
  progress(`alone: bare p50 ${round(median(times.bare), 1)} ms, ours p50 ${round(median(times.ours), 1)} ms`);
  return times;
}

/** A row that the dispatcher leaves alone: it counts as handed to Temporal already. */
async function insertDispatched({ pg }: BenchService, alertId: string, content: string, playbook: ChosenPlaybook): Promise<OutboxAlert> {
  const alertUuid = newUuid();
  const [row] = await pg<{ organization_uuid: string }[]>`
    insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by,
      created_at, modified_at, investigation_status, dispatched_no, playbook_uuid)
    select ${alertUuid}, ${alertId}, organization_uuid, provider_uuid, ${THREE_SKILLS}, ${alertTypeKey(THREE_SKILLS)}, ${content}, ${newUuid()},
      now(), now(), 5, 1, ${playbook.playbookUuid}
    from organizations, providers where organization_code = 'DEMO' and providers.name = 'siem'
    returning organization_uuid`;
  return {
    alertUuid,
    alertId,
    alertType: THREE_SKILLS,
    alertTypeKey: alertTypeKey(THREE_SKILLS),
    organizationUuid: row?.organization_uuid ?? '',
    organizationCode: 'DEMO',
    provider: 'siem',
    investigationNo: 1,
    createdAt: Date.now() / 1000,
  };
}
