import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { type Fault, type StandIn, startStandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { standIn as definition, type ThreatIntelligenceStandInState } from '../../../connectors/threat-intelligence/stand-in.js';
import { until } from '../../processes/waiting.js';
import type { Installation } from '../installation.js';
import type { AcknowledgedAlert } from '../outcome.js';
import type { Scenario } from '../scenario.js';

const CONNECTOR = 'threat-intelligence';
const ALWAYS = 1_000_000;
const FAULTS: Readonly<Record<string, Fault>> = {
  slow: { latencyMs: 300_000 },
  wrong: { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Maintenance</title>' },
  huge: { hugeBytes: 9 * 1024 * 1024 },
  401: { status: 401, body: {} },
  403: { status: 403, body: {} },
  429: { status: 429, headers: { 'retry-after': '10' }, body: {} },
  500: { status: 500, body: {} },
  down: { reset: true },
};
/** A missing permission is no outage: its questions stay gaps until a person investigates again. */
const MISSING_PERMISSION = '403';
const ALERTS_EACH = 3;
/** Longer than an investigation waits for a third party without an answer, which is about a minute. */
const FAULT_MS = 80_000;
const ASKED_AGAIN_LIMIT_MS = 120_000;
const [, , COMPUTER] = COMPUTERS;
const Tested = z.object({ ok: z.boolean() });

interface Faulty {
  readonly fault: string;
  readonly organization: string;
  readonly connectionId: string;
  readonly standIn: StandIn<ThreatIntelligenceStandInState>;
}

/** One organization for each fault, all at the same time: its intelligence platform has the fault, its endpoint platform works. */
export const thirdParties: Scenario = {
  part: 'third-parties',
  name: `third parties: ${Object.keys(FAULTS).join(', ')}`,
  async run({ installation, load, signal, say }) {
    const faulty = await Promise.all(Object.entries(FAULTS).map(([name, fault]) => prepare(installation, name, fault)));
    const sent = new Map<Faulty, AcknowledgedAlert[]>();
    for (const each of faulty) {
      const alerts = Array.from({ length: ALERTS_EACH }, (_, index) =>
        load.send({
          organization_code: each.organization,
          alert_type: 'Malware on the host',
          alert_content: `host=${COMPUTER.name} from 203.0.113.${100 + index}`,
        }),
      );
      sent.set(each, await Promise.all(alerts));
    }
    await sleep(FAULT_MS, undefined, { signal });
    const problems: string[] = [];
    const notes: string[] = [];
    for (const each of faulty) notes.push(await describeDuring(installation, each));
    for (const { standIn } of faulty) standIn.faults.clear();
    say('the third parties answer again');
    for (const each of faulty) {
      if (!(await restore(installation, each))) problems.push(`${each.fault}: the connection test failed after the fault`);
    }
    for (const [each, alerts] of sent) {
      if (each.fault === MISSING_PERMISSION) continue;
      const left = await untilAnswered(installation, alerts, signal);
      if (left !== null) problems.push(`${each.fault}: ${left}`);
    }
    return { faults: faulty.length, problems, notes };
  },
};

async function prepare(installation: Installation, name: string, fault: Fault): Promise<Faulty> {
  const organization = `FAULT${name.toUpperCase()}`;
  const standIn = await startStandIn({ authority: installation.authority, define: definition.define });
  installation.onClose(() => standIn.stop());
  await installation.request('POST', '/platformapi/organizations', { organization_code: organization, name: `With a fault: ${name}` });
  const { connections } = installation.thirdParties;
  await installation.connect({ organization_code: organization, instance_name: 'Endpoints', ...connections.endpointDetection });
  const connectionId = await installation.connect({
    organization_code: organization,
    instance_name: 'Intelligence',
    connector: CONNECTOR,
    ...definition.connection(standIn.url, standIn.state),
  });
  standIn.faults.next({ ...fault, times: ALWAYS });
  return { fault: name, organization, connectionId, standIn };
}

/** As an admin does it: new credentials for a broken connection, and a test for the others. */
async function restore(installation: Installation, { fault, connectionId, standIn }: Faulty): Promise<boolean> {
  const place = `/platformapi/connections/${connectionId}`;
  if (fault !== '401') return Tested.parse((await installation.request('POST', `${place}/test`)).body).ok;
  const credentials = definition.connection(standIn.url, standIn.state).credentials;
  const reply = await installation.request('POST', `${place}/reconnect`, { credentials });
  return z.object({ test: Tested }).parse(reply.body).test.ok;
}

async function describeDuring({ pg }: Installation, { fault, organization }: Faulty): Promise<string> {
  const [row] = await pg<{ ended: number; gaps: number }[]>`
    select count(*) filter (where investigation_status in (15, 20))::int as ended,
      count(*) filter (where exists (
        select from evidence where evidence.alert_uuid = alerts.alert_uuid and kind = 'gap'
          and evidence.source->>'connection' = 'Intelligence'))::int as gaps
    from alerts join organizations using (organization_uuid) where organization_code = ${organization}`;
  return `${fault}: ${row?.ended} of ${ALERTS_EACH} ended during the fault, ${row?.gaps} with a gap`;
}

/** Null when the last investigation of each alert has no gap about the intelligence platform. */
async function untilAnswered({ pg }: Installation, alerts: readonly AcknowledgedAlert[], signal: AbortSignal): Promise<string | null> {
  const ids = alerts.map(({ alertId }) => alertId);
  try {
    await until(
      async () => {
        const rows = await pg<{ alertId: string }[]>`
          select alert_id as "alertId" from alerts where alert_id = any(${ids}) and (
            investigation_status <> 15 or exists (
              select from evidence where evidence.alert_uuid = alerts.alert_uuid and kind = 'gap'
                and evidence.investigation_no = alerts.investigation_no and evidence.source->>'connection' = 'Intelligence'))`;
        return {
          seen: rows.length === 0,
          instead: `${rows.length} alerts were not answered after the fault, for example ${rows[0]?.alertId}`,
        };
      },
      { limitMs: ASKED_AGAIN_LIMIT_MS, signal },
    );
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  }
}
