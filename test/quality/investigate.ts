import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { Verdict } from '../../domain/verdict/evidence.js';
import type { LabelledAlert } from './labelled.js';
import { LABELLED_SET, PARTS, type Part } from './set.js';

/** The result of one labelled alert. */
export interface Outcome {
  readonly part: Part;
  readonly alert: LabelledAlert;
  readonly caseId: string;
  /** null: the investigation failed. */
  readonly verdict: Verdict | null;
  readonly analystVerdict: Verdict | null;
  /** 0 … 100; null: the investigation failed. */
  readonly confidence: number | null;
  /** From the acknowledgement of the alert to its verdict. */
  readonly elapsedMs: number;
  readonly gaps: readonly string[];
  readonly summary: string;
}

const Sent = z.object({ alert_id: z.string() });
const Alert = z.object({ investigation_status: z.int(), case_id: z.string().nullable() });
const Case = z.object({
  verdict: Verdict.nullable(),
  analyst_verdict: Verdict.nullable(),
  confidence: z.number().nullable(),
  summary: z.string(),
  evidence: z.array(z.object({ kind: z.string(), title: z.string() })),
});
const ENDED: readonly number[] = [InvestigationStatus.Completed, InvestigationStatus.Failed];
const LOOK_EVERY_MS = 200;

interface QualityService {
  readonly url: string;
  readonly adminKey: string;
  /** Tests read the database instead, because a look through the API takes ten times as long. */
  waitForStatus?(alertId: string, ...statuses: number[]): Promise<unknown>;
}

/** Alerts of one organization, in the order in which they arrive. */
type Lane = (typeof LABELLED_SET)[number][];
/** Low enough that the rate limit of a third party delays none of them. */
const ALERTS_OF_AN_ORGANIZATION = 4;
/** An area has more, because its alerts name the same shared values. */
const ALERTS_OF_AN_AREA = 12;
const ORGANIZATIONS_AT_ONCE = 8;

/**
 * Sends labelled alerts to a running service and waits for its verdicts. A few alerts have their own organization
 * and run one after the other, so that each alert has the same earlier alerts in every run.
 */
export async function investigateSet(
  service: QualityService,
  thirdParties: ThirdParties,
  lanes: readonly Lane[] = groupByOrganization(PARTS),
): Promise<Outcome[]> {
  const request = async (method: string, place: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${service.url}/platformapi/${place}`, {
      method,
      headers: { cookie: `Session=${service.adminKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${place} was answered ${response.status}: ${await response.text()}`);
    return response.json();
  };

  const investigate = async (organization_code: string, { part, alert }: (typeof LABELLED_SET)[number]): Promise<Outcome> => {
    const body = { organization_code, alert_provider: 'siem', alert_type: alert.type, alert_content: alert.content };
    const { alert_id } = Sent.parse(await request('POST', 'alerts', body));
    const beganMs = performance.now();
    await service.waitForStatus?.(alert_id, ...ENDED);
    for (;;) {
      const { investigation_status, case_id } = Alert.parse(await request('GET', `alerts/${alert_id}`));
      if (case_id !== null && ENDED.includes(investigation_status)) {
        const elapsedMs = performance.now() - beganMs;
        const { verdict, analyst_verdict, confidence, summary, evidence } = Case.parse(await request('GET', `cases/${case_id}`));
        const gaps = evidence.filter(({ kind }) => kind === 'gap').map(({ title }) => title);
        return { part, alert, caseId: case_id, verdict, analystVerdict: analyst_verdict, confidence, elapsedMs, gaps, summary };
      }
      await delay(LOOK_EVERY_MS);
    }
  };

  const outcomes: Outcome[] = [];
  const waiting = lanes.entries();
  const work = async () => {
    for (const [index, lane] of waiting) {
      const organization_code = `QUALITY${index + 1}`;
      await request('POST', 'organizations', { organization_code, name: `Quality ${index + 1}` });
      for (const [instance_name, fields] of Object.entries(thirdParties.connections))
        await request('POST', 'connections', { organization_code, instance_name, ...fields });
      for (const labelled of lane) outcomes.push(await investigate(organization_code, labelled));
    }
  };
  await Promise.all(Array.from({ length: ORGANIZATIONS_AT_ONCE }, work));
  return outcomes;
}

export function groupByOrganization(parts: readonly Part[]): Lane[] {
  const all: Lane[] = [];
  const open = new Map<string, Lane>();
  for (const labelled of LABELLED_SET) {
    if (!parts.includes(labelled.part)) continue;
    const { area, type } = labelled.alert;
    // The third part mixes its types, as a company does.
    const key = `${labelled.part} ${area ?? (labelled.part === 'third' ? '' : type)}`;
    const lane = open.get(key) ?? [];
    if (lane.length === 0) all.push(lane);
    lane.push(labelled);
    open.set(key, lane.length < (area === undefined ? ALERTS_OF_AN_ORGANIZATION : ALERTS_OF_AN_AREA) ? lane : []);
  }
  return all;
}

/** A fixed sample of whole organizations, evenly from some parts. */
export function sampleByOrganization(alerts: number, parts: readonly Part[]): Lane[] {
  const whole = groupByOrganization(parts).filter((lane) => lane.length === ALERTS_OF_AN_ORGANIZATION);
  const count = alerts / ALERTS_OF_AN_ORGANIZATION;
  return Array.from({ length: count }, (_, index) => whole[Math.floor((index * whole.length) / count)] ?? []);
}
