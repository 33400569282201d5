import { InvestigationStarter } from '../../api/dispatch/investigation-starter.js';
import type { OutboxAlert } from '../../db/alerts/outbox.js';
import { newUuid } from '../../db/ids.js';
import type { ChosenPlaybook } from '../../db/playbooks/playbooks.js';
import { alertTypeKey } from '../../domain/alert/alert.js';
import { planFor } from '../../domain/playbook/planner.js';
import { Keyring } from '../../platform/keyring.js';
import { findOrCreatePlaybook } from '../../services/playbooks/find-or-create.js';
import { sampleContents } from './contents.js';
import { median, quantile, round, timed } from './measures.js';
import type { Part } from './report.js';
import { type BenchService, repeatInFlight, startBenchService } from './service.js';
import { progress, type Stage } from './stage.js';

const THREE_SKILLS = 'Bench, three skills';
const IN_FLIGHT = 50;
/** Many short rounds, because the speed of the machine drifts. */
const ROUNDS = 15;
const PER_ROUND = 100;
/** Excludes the compilation in the first seconds of a process. */
const WARM_UP = 400;
const ALONE = 60;
const LATENCY_SAMPLES = 100;
const LATENCY_WARM_UP = 10;
const WRITTEN = 'Reported phishing';
/** p50 of the written playbook, divided by that of a bare workflow, before playbooks asked every connected third party (1.0.0). */
const WRITTEN_BEFORE = 0.63;

type Samples = Record<'bare' | 'ours', number[]>;

/** Compares an investigation with a bare workflow of the same shape on the same server. */
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

  const latency = await measureLatency(service, bare);
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
  /** The median of the ratios of the rounds, because a slow moment of the machine slows both sides of a round. */
  const rateRatio = median(rates.ours.map((ours, turn) => ours / (rates.bare[turn] ?? Number.NaN)));
  const p50 = { bare: median(alone.bare), ours: median(alone.ours) };
  const p95 = { bare: quantile(alone.bare, 0.95), ours: quantile(alone.ours, 0.95) };
  return [
    latency,
    {
      name: 'investigations',
      title: 'Investigations compared with a bare workflow of five regular activities',
      columns: ['', 'bare workflow', 'this service', 'ratio'],
      rows: [
        [`per second, ${IN_FLIGHT} in flight`, round(rate.bare, 1), round(rate.ours, 1), `${round(rateRatio)}×`],
        ['alone, p50 ms', round(p50.bare, 1), round(p50.ours, 1), `${round(p50.ours / p50.bare)}×`],
        ['alone, p95 ms', round(p95.bare, 1), round(p95.ours, 1), `${round(p95.ours / p95.bare)}×`],
      ],
      notes: [
        `Per second: median of ${ROUNDS} rounds of ${PER_ROUND}, in turns. An investigation goes from the POST through the outbox and the dispatcher to the committed case, with API and worker in one process as in "npm start". A bare workflow goes from start to result. Alone: one at a time, in turns, from the client's start to the client's result.`,
      ],
      bars: [
        { name: 'investigations per second compared with a bare workflow', measured: rateRatio, atLeast: 1 },
        { name: 'one investigation alone, p50, compared with a bare workflow', measured: p50.ours / p50.bare, atMost: 1 },
      ],
      details: { rates, alone },
    },
  ];
}

/** The time from the request to the committed verdict, one alert at a time. */
async function measureLatency(service: BenchService, bare: () => Promise<void>): Promise<Part> {
  const rows: Array<Array<string | number>> = [];
  const ratios = new Map<string, number>();
  for (const [alertType, label] of [
    [THREE_SKILLS, 'three skills in parallel'],
    [WRITTEN, 'the written playbook for reported phishing'],
    ['Bench, no playbook', 'a generated playbook'],
  ] as const) {
    const times: Samples = { bare: [], ours: [] };
    for (let n = 0; n < LATENCY_WARM_UP + LATENCY_SAMPLES; n += 1) {
      const ours = await timed(async () => service.completed(await service.send(alertType)));
      const other = await timed(bare);
      if (n < LATENCY_WARM_UP) continue;
      times.ours.push(ours);
      times.bare.push(other);
    }
    const p50 = median(times.ours);
    const ratio = p50 / median(times.bare);
    ratios.set(alertType, ratio);
    rows.push([label, round(p50, 1), round(quantile(times.ours, 0.95), 1), `${round(ratio)}×`]);
    progress(`alert → completed, ${label}: p50 ${round(p50, 1)} ms, ${round(ratio)}× a bare workflow`);
  }
  return {
    name: 'latency',
    title: 'Alert → completed, one at a time (ms)',
    columns: ['playbook', 'p50', 'p95', 'p50 compared with a bare workflow'],
    rows,
    notes: [
      `${LATENCY_SAMPLES} alerts each, in turns with a bare workflow of five activities. The time runs from sending the POST to the notification that a trigger sends with the commit of status 15. No third party is connected.`,
    ],
    bars: [
      {
        name: `the written playbook, p50, compared with that of 1.0.0 (${WRITTEN_BEFORE}× a bare workflow)`,
        measured: (ratios.get(WRITTEN) ?? Number.NaN) / WRITTEN_BEFORE,
        atMost: 1.5,
      },
    ],
  };
}

/** The same client starts and awaits both. The outbox is not included. */
async function measureAlone(stage: Stage, service: BenchService, bare: () => Promise<void>): Promise<Samples> {
  const starter = new InvestigationStarter(service.connection, service.settings, Keyring.of(service.settings), stage.log);
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
      if (outcome.kind !== 'accepted') throw new Error(`Temporal did not accept ${alert.alertId}: ${outcome.reason}`);
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

/** An alert that the dispatcher ignores, because it is marked as dispatched. */
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
