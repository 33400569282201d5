import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { catalogue } from '../../connectors/catalogue.js';
import { COMPANY, COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { type ConnectionFields, startThirdParties } from '../../connectors/stand-ins.js';
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

/** Alerts about people, computers and indicators that the stand-ins know. */
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
  {
    alert_provider: 'siem',
    alert_type: 'Ransomware behavior',
    alert_content: JSON.stringify({
      severity: 'Critical',
      host: { name: 'archive-07' },
      process: { command_line: 'vssadmin delete shadows /all /quiet' },
      renamed_files: 400,
    }),
  },
  {
    alert_provider: 'siem',
    alert_type: 'Scheduled task created',
    alert_content: JSON.stringify({
      host: { name: 'kiosk-03' },
      process: { command_line: 'schtasks /create /sc minute /tn updater /tr C:\\Users\\Public\\updater.exe' },
    }),
  },
  {
    alert_provider: 'siem',
    alert_type: 'Account locked',
    alert_content: 'host=kiosk-04 locked the account lobby after five wrong passwords',
  },
] as const;

/** The first alerts exist when the dashboard opens. The others arrive later, to show live updates. */
const SENT_AT_ONCE = 2;
const SENT_EVERY_MS = 8_000;
/** About the latency of real third parties, so that you can watch an investigation. */
const THIRD_PARTIES_THINK_FOR_MS = 700;

export interface Demo {
  /** The settings of the service, with the admin key and the addresses of the stand-ins. */
  readonly settings: Settings;
  /** The admin key and its file, as text for the terminal. */
  readonly shownKey: string;
  /** Creates the missing records through the API. Returns a summary as text. */
  seed(apiUrl: string): Promise<string>;
  /** Resolves when the demo has sent the last alert, or stops. */
  allSent(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts stand-ins for the third parties of a small company. */
export async function startDemo(given: Settings, signal: AbortSignal): Promise<Demo> {
  const folder = makeDataFolder(given.DATA_DIR);
  const thirdParties = await startThirdParties({ thinkForMs: THIRD_PARTIES_THINK_FOR_MS });
  const caFile = path.join(folder, 'stand-ins.pem');
  writeFileSync(caFile, thirdParties.caPem);
  // Stored, because every later start signs in with the same key.
  const keyFile = path.join(folder, 'admin-key');
  const adminKey = given.ADMIN_API_KEY ?? secretIn(keyFile, newApiKey);
  let sending = Promise.resolve();
  return {
    settings: {
      ...given,
      ADMIN_API_KEY: adminKey,
      EGRESS_ALLOW: [...given.EGRESS_ALLOW, ...thirdParties.allow.map((address) => `*:${address}`)],
      EGRESS_CA_FILE: caFile,
    },
    shownKey: given.ADMIN_API_KEY === undefined ? `${adminKey}  (stored in ${keyFile})` : 'the value of ADMIN_API_KEY',
    async seed(apiUrl) {
      const api = createClient(apiUrl, adminKey);
      await api('POST', 'organizations', ORGANIZATION, 409);
      const connections = Object.values(thirdParties.connections);
      const working = await ensureConnections(api, connections);
      const missing = (await missingAlerts(api)).length;
      for (let sent = 0; sent < Math.min(missing, SENT_AT_ONCE); sent += 1) await sendNext(api);
      sending = sendSlowly(api, signal);
      const alerts = missing === 0 ? 'all alerts exist from an earlier start' : `${missing} alerts arrive within the next minute`;
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
      throw new Error(`The API answered ${response.status} to the demo's ${method} ${place}: ${await response.text()}`);
    return response.json();
  };
}

const OF_ORGANIZATION = `organization_code=${ORGANIZATION.organization_code}&limit=200`;
const Connection = z.object({ connection_id: z.string(), instance_name: z.string() });
const Connections = z.object({ items: z.array(Connection) });
const ConnectionTest = z.object({ ok: z.boolean() });
const Alerts = z.object({ items: z.array(z.object({ alert_content: z.string() })) });

/** Shows the credentials, so that you can fill in the form yourself. They work only with the stand-in. */
function describe({ connector, settings, credentials }: ConnectionFields): string {
  const contract = Object.values(catalogue).find(({ kind }) => kind === connector);
  const labels: Record<string, z.ZodType> = { ...contract?.settings.shape, ...contract?.credentials.shape };
  const fields = Object.entries({ ...settings, ...credentials }).map(([name, value]) => `${labels[name]?.meta()?.title ?? name} ${value}`);
  return `A stand-in on this machine. To connect it yourself: ${fields.join(', ')}`;
}

/** Returns the number of connections that pass their test. */
async function ensureConnections(api: Api, wanted: readonly ConnectionFields[]): Promise<number> {
  const known = Connections.parse(await api('GET', `connections?${OF_ORGANIZATION}`)).items;
  const tests: Promise<unknown>[] = [];
  for (const { connector, settings, credentials } of wanted) {
    const instance_name = INSTANCE_NAMES[connector] ?? connector;
    const there = known.find((connection) => connection.instance_name === instance_name);
    const made = there
      ? // The stand-ins listen on other ports than at the last start.
        await api('PATCH', `connections/${there.connection_id}`, {
          description: describe({ connector, settings, credentials }),
          settings,
          credentials,
        })
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

/** Filters by alert type, so that a long list of other alerts does not hide the demo's alerts. */
async function missingAlerts(api: Api): Promise<(typeof ALERTS)[number][]> {
  const types = [...new Set(ALERTS.map(({ alert_type }) => alert_type))];
  const lists = await Promise.all(types.map((type) => api('GET', `alerts?${OF_ORGANIZATION}&alert_type=${encodeURIComponent(type)}`)));
  const known = new Set(lists.flatMap((list) => Alerts.parse(list).items.map(({ alert_content }) => alert_content)));
  return ALERTS.filter(({ alert_content }) => !known.has(alert_content));
}

/** False: no alert was left. */
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
    // If the API is unavailable, try again. sendNext finds the alerts that the API has already accepted.
    if (!signal.aborted) isLeft = await sendNext(api).catch(() => true);
  }
}
