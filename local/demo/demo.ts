import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { catalogue } from '../../activities/connectors/catalogue.js';
import { COMPANY, COMPUTERS, INDICATORS, PEOPLE } from '../../activities/connectors/kit/stand-in/company.js';
import { type ConnectionFields, startThirdParties } from '../../activities/connectors/stand-ins.js';
import { newApiKey } from '../../db/identity/api-keys.js';
import type { Settings } from '../../platform/settings.js';
import { makeDataFolder } from '../data-folder.js';
import { secretIn } from '../secrets.js';

export const DEMO_DATA_DIR = '.data-demo';
const ORGANIZATION = { organization_code: 'HARBOUR', name: COMPANY.name };
const [DANA_PC, , FILE_SERVER] = COMPUTERS;
const [DANA, RUI] = PEOPLE;

const INSTANCE_NAMES: Readonly<Record<string, string>> = {
  'endpoint-detection': 'Endpoints',
  'incident-source': 'Incidents',
  'malware-protection': 'Malware protection',
  'vulnerability-investigation': 'Vulnerabilities',
  'travel-booking': 'Travel',
  'threat-intelligence': 'Intelligence',
};

/** What the stand-ins know more about than the alerts say. */
const ALERTS = [
  {
    alert_provider: 'email-security',
    alert_type: 'Reported phishing',
    alert_content: `From: Parcel service <notice@${INDICATORS.maliciousDomain}>
To: ${DANA.email}
Subject: Your parcel is waiting

Your parcel could not be delivered. Verify your account at ${INDICATORS.maliciousUrl} within 24 hours or it will be returned.`,
  },
  {
    alert_provider: 'identity-provider',
    alert_type: 'Impossible travel',
    alert_content: `user=${RUI.email} signed in from Singapore (${INDICATORS.benignIp}) two hours after a sign-in from ${RUI.office}`,
  },
  {
    alert_provider: 'identity-provider',
    alert_type: 'Impossible travel',
    alert_content: `user=${DANA.email} signed in from Singapore (${INDICATORS.maliciousIp}) two hours after a sign-in from ${DANA.office}`,
  },
  {
    alert_provider: 'malware-protection',
    alert_type: 'Malware detected',
    alert_content: `host=${DANA_PC.dnsName} ip=${DANA_PC.internalIp} user=${DANA.email} file=parcel-label.exe sha256=${INDICATORS.malwareSha256} action=quarantined`,
  },
  {
    alert_provider: 'vulnerability-investigation',
    alert_type: 'Vulnerable host',
    alert_content: `host=${FILE_SERVER.dnsName} ip=${FILE_SERVER.internalIp} has ${INDICATORS.exploitedCve} in gateway-client 1.0`,
  },
  {
    alert_provider: 'siem',
    alert_type: 'Odd DNS traffic',
    alert_content: `host=${DANA_PC.dnsName} asked 1,912 times within an hour for names below ${INDICATORS.maliciousDomain}`,
  },
] as const;

/** Two are there when somebody looks for the first time; the others come while they look. */
const SENT_AT_ONCE = 2;
const SENT_EVERY_MS = 15_000;
/** As long as third parties elsewhere take, so that an investigation can be watched. */
const THIRD_PARTIES_THINK_FOR_MS = 700;

export interface Demo {
  /** For the service: a data folder with a key of its own, and the way to the stand-ins. */
  readonly settings: Settings;
  /** The admin's key, for the person who is shown the demo. */
  readonly shownKey: string;
  /** Makes what is not there yet, through the API; in words what there is now. */
  seed(apiUrl: string): Promise<string>;
  /** Resolves when the last alert was sent, or the demo stops. */
  allSent(): Promise<void>;
  stop(): Promise<void>;
}

/** The third parties of a small company, for a service to be shown with. */
export async function startDemo(given: Settings, signal: AbortSignal): Promise<Demo> {
  const folder = makeDataFolder(given.DATA_DIR);
  const thirdParties = await startThirdParties({ thinkForMs: THIRD_PARTIES_THINK_FOR_MS });
  const caFile = path.join(folder, 'stand-ins.pem');
  writeFileSync(caFile, thirdParties.caPem);
  // Kept, because every start needs it again to find its way in.
  const keyFile = path.join(folder, 'admin-key');
  const adminKey = given.ADMIN_API_KEY ?? secretIn(keyFile, newApiKey);
  let sending = Promise.resolve();
  return {
    settings: {
      ...given,
      ADMIN_API_KEY: adminKey,
      EGRESS_ALLOW: [...given.EGRESS_ALLOW, ...thirdParties.allow],
      EGRESS_CA_FILE: caFile,
    },
    shownKey: given.ADMIN_API_KEY === undefined ? `${adminKey}  (kept in ${keyFile})` : 'the one in ADMIN_API_KEY',
    async seed(apiUrl) {
      const api = createClient(apiUrl, adminKey);
      await api('POST', 'organizations', ORGANIZATION, 409);
      const connections = Object.values(thirdParties.connections);
      const working = await ensureConnections(api, connections);
      const missing = (await missingAlerts(api)).length;
      for (let sent = 0; sent < Math.min(missing, SENT_AT_ONCE); sent += 1) await sendNext(api);
      sending = sendSlowly(api, signal);
      const alerts = missing === 0 ? 'its alerts are those of an earlier start' : `${missing} alerts come within the next minute`;
      return `${ORGANIZATION.name} (${ORGANIZATION.organization_code}): ${working} of ${connections.length} connections to stand-ins work, ${alerts}`;
    },
    allSent: () => sending,
    async stop() {
      await sending;
      await thirdParties.stop();
    },
  };
}

type Api = (method: string, place: string, body?: unknown, alsoFine?: number) => Promise<unknown>;

function createClient(apiUrl: string, adminKey: string): Api {
  return async (method, place, body, alsoFine) => {
    const response = await fetch(`${apiUrl}/platformapi/${place}`, {
      method,
      headers: { cookie: `Session=${adminKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok && response.status !== alsoFine)
      throw new Error(`The demo's ${method} ${place} was answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
}

const OF_ORGANIZATION = `organization_code=${ORGANIZATION.organization_code}&limit=200`;
const Connection = z.object({ connection_id: z.string(), instance_name: z.string() });
const Connections = z.object({ items: z.array(Connection) });
const ConnectionTest = z.object({ ok: z.boolean() });
const Alerts = z.object({ items: z.array(z.object({ alert_content: z.string() })) });

/** Whoever wants to connect it once more, by the form, finds here what to enter: its keys open nothing but itself. */
function describe({ connector, settings, credentials }: ConnectionFields): string {
  const contract = Object.values(catalogue).find(({ kind }) => kind === connector);
  const labels: Record<string, z.ZodType> = { ...contract?.settings.shape, ...contract?.credentials.shape };
  const fields = Object.entries({ ...settings, ...credentials }).map(([name, value]) => `${labels[name]?.meta()?.title ?? name} ${value}`);
  return `A stand-in on this machine. To connect it yourself: ${fields.join(', ')}`;
}

/** How many of them work. */
async function ensureConnections(api: Api, wanted: readonly ConnectionFields[]): Promise<number> {
  const known = Connections.parse(await api('GET', `connections?${OF_ORGANIZATION}`)).items;
  const tests: Promise<unknown>[] = [];
  for (const { connector, settings, credentials } of wanted) {
    const instance_name = INSTANCE_NAMES[connector] ?? connector;
    const there = known.find((connection) => connection.instance_name === instance_name);
    const made = there
      ? // The stand-ins listen on other ports than at the last start.
        await api('PATCH', `connections/${there.connection_id}`, { description: describe({ connector, settings, credentials }), settings })
      : await api('POST', 'connections', {
          organization_code: ORGANIZATION.organization_code,
          connector,
          instance_name,
          description: describe({ connector, settings, credentials }),
          settings,
          credentials,
        });
    tests.push(api('POST', `connections/${Connection.parse(made).connection_id}/test`));
  }
  return (await Promise.all(tests)).filter((report) => ConnectionTest.parse(report).ok).length;
}

/** Those that are there already are not sent again, however many others have come since. */
async function missingAlerts(api: Api): Promise<(typeof ALERTS)[number][]> {
  const types = [...new Set(ALERTS.map(({ alert_type }) => alert_type))];
  const lists = await Promise.all(types.map((type) => api('GET', `alerts?${OF_ORGANIZATION}&alert_type=${encodeURIComponent(type)}`)));
  const known = new Set(lists.flatMap((list) => Alerts.parse(list).items.map(({ alert_content }) => alert_content)));
  return ALERTS.filter(({ alert_content }) => !known.has(alert_content));
}

/** False: there was none left. */
async function sendNext(api: Api): Promise<boolean> {
  const [next] = await missingAlerts(api);
  if (!next) return false;
  const created_at_source = Math.floor(Date.now() / 1000);
  await api('POST', 'alerts', { ...next, organization_code: ORGANIZATION.organization_code, created_at_source });
  return true;
}

async function sendSlowly(api: Api, signal: AbortSignal): Promise<void> {
  for (let isLeft = true; isLeft && !signal.aborted; ) {
    await delay(SENT_EVERY_MS, undefined, { signal }).catch(() => undefined);
    // An API that is away for a moment is asked again: what it took meanwhile is found there.
    if (!signal.aborted) isLeft = await sendNext(api).catch(() => true);
  }
}
