import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { until } from '../processes/waiting.js';
import { VictimRows } from './digest.js';
import { send } from './request.js';
import { type AttackedRoute, fillPath } from './routes.js';
import { aimAt, type Json, sampleOf } from './samples.js';
import { storeRecords } from './stored-records.js';
import { type Credential, call, parseBody, require, type Target, withKey } from './target.js';

/** The organization whose rows no stranger may see or change. */
export const VICTIM = 'DEMO';
const CASE_LIMIT_MS = 120_000;

export interface Victim {
  readonly organizationUuid: string;
  /** In each text of the victim that the attack wrote. */
  readonly marker: string;
  /** The victim's ids, by the name of the parameter or the field. */
  readonly ids: ReadonlyMap<string, string>;
  /** Parameters for which the victim has no record: their cells use an unknown id. */
  readonly withoutRecord: readonly string[];
}

/** Fills the victim's organization: one alert with its case, then a record from each route that creates one. */
export async function prepareVictim(target: Target, routes: readonly AttackedRoute[], signal: AbortSignal): Promise<Victim> {
  const marker = `vm${randomBytes(6).toString('hex')}`;
  const body = {
    organization_code: VICTIM,
    alert_provider: 'siem',
    alert_type: `Odd sign-in ${marker}`,
    alert_content: `user=dana from 203.0.113.9 ${marker}`,
  };
  const Alert = z.object({ alert_id: z.string(), alert_uuid: z.string(), organization_uuid: z.string() });
  const alert = await require(Alert, call(target, 'POST', '/platformapi/alerts', { body }));
  const caseId = await waitForCase(target, alert.alert_id, signal);
  await target.stopWorker();
  const ids = new Map([
    ['organization_code', VICTIM],
    ['alert_id', alert.alert_id],
    ['case_id', caseId],
    ['into', caseId],
    ['skill', 'isolate-machine'],
  ]);
  const rows = await VictimRows.of(target.database.pg, alert.organization_uuid);
  const parameters = [...new Set(routes.flatMap((route) => route.parameters))].sort();
  const searched = parameters.filter((name) => !ids.has(name));
  const { userUuid, session } = await addPerson(target, 'admin', VICTIM);
  // Twice: some records need another one that a later route creates, and some belong to the organization of the caller.
  for (const credential of [withKey(target.adminKey), session]) {
    await createRecords(target, credential, { routes, marker, ids });
    await findIds(rows, searched, ids);
  }
  await addFile(target, marker, ids);
  await storeRecords(target.database, { marker, ids, organizationUuid: alert.organization_uuid, alertUuid: alert.alert_uuid, userUuid });
  await findIds(rows, searched, ids);
  const withoutRecord = parameters.filter((name) => !ids.has(name));
  return { organizationUuid: alert.organization_uuid, marker, ids, withoutRecord };
}

async function waitForCase(target: Target, alertId: string, signal: AbortSignal): Promise<string> {
  let caseId: string | null = null;
  await until(
    async () => {
      const [row] = await target.database.pg<{ case_id: string; status: number }[]>`
        select case_id, investigation_status as status from alerts join case_alerts using (alert_uuid) join cases using (case_uuid)
        where alert_id = ${alertId}`;
      caseId = row !== undefined && row.status >= 15 ? row.case_id : null;
      return { seen: caseId !== null, instead: `${alertId} has the status ${row?.status ?? 0}` };
    },
    { limitMs: CASE_LIMIT_MS, signal },
  );
  return caseId ?? '';
}

const TEXTS = new Set(['name', 'title', 'reason', 'description', 'comment', 'note', 'instance_name']);

/** Texts with the marker. Addresses stay on this machine. */
function mark(value: Json, marker: string): Json {
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? each : mark(each, marker)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (typeof each !== 'string') return [name, mark(each, marker)];
      if (/^https?:/.test(each)) return [name, 'https://localhost:1/'];
      return [name, TEXTS.has(name) ? `${each} ${marker}`.slice(0, 60) : each];
    }),
  );
}

/** Changes that create no record, end one, or would refuse the people of the attack, who have no authenticator app. */
const OTHER_CHANGES =
  /\/(?:alerts|organizations|providers|stop|reject|merge|bulk|read|deactivate|investigate|reconnect|test|approve|refuse|release|reconfirm|decision|sign-in-policy)$|session/;

interface Creation {
  readonly routes: readonly AttackedRoute[];
  readonly marker: string;
  readonly ids: ReadonlyMap<string, string>;
}

async function createRecords(target: Target, credential: Credential, { routes, marker, ids }: Creation): Promise<void> {
  for (const route of routes) {
    const isCreate = ['POST', 'PUT'].includes(route.method) && route.access !== 'public' && !OTHER_CHANGES.test(route.path);
    if (!isCreate || route.body === null || route.parameters.some((name) => !ids.has(name))) continue;
    const place = fillPath(route, (name) => ids.get(name) ?? '');
    await call(target, route.method, place, { body: mark(aimAt(sampleOf(route.body), ids), marker), credential });
  }
}

/** The request of a file is not JSON. */
async function addFile({ url, adminKey }: Target, marker: string, ids: ReadonlyMap<string, string>): Promise<void> {
  const path = `/platformapi/cases/${ids.get('case_id')}/attachments?name=${marker}.txt`;
  const headers = [...withKey(adminKey), 'content-type: application/octet-stream'];
  await send(url, { method: 'POST', target: path, headers, body: `file ${marker}` });
}

/** `:case_id` is the column `case_uuid`, for each parameter. A newer record can have ended an older one, such as an invitation. */
async function findIds(rows: VictimRows, parameters: readonly string[], ids: Map<string, string>): Promise<void> {
  for (const name of parameters) {
    const id = await rows.newest(name.replace(/_id$/, '_uuid'));
    if (id !== null) ids.set(name, id);
  }
}

const PASSWORD = 'a long enough password';
const Invited = z.object({ token: z.string() });
const Joined = z.object({ user_uuid: z.string() });

/** Invites a person, who joins and creates an own API key. */
export async function addPerson(target: Target, role: 'analyst' | 'admin', organizationCode: string | null) {
  const name = `attack ${randomBytes(6).toString('hex')}`;
  const email = `${name.replace(' ', '-')}@attack.example`;
  const body = { email, role, organization_code: organizationCode };
  const { token } = await require(Invited, call(target, 'POST', '/platformapi/invitations', { body }));
  const joined = await call(target, 'POST', '/platformapi/session/join', { body: { token, name, password: PASSWORD }, credential: [] });
  const cookie = /^set-cookie: ((?:__Host-)?Session=[^;\r]+)/im.exec(joined.head)?.[1];
  if (cookie === undefined) throw new Error(`A person could not join: ${joined.status} ${joined.body}`);
  const session: Credential = [`cookie: ${cookie}`];
  const { user_uuid: userUuid } = Joined.parse(parseBody(joined.body));
  return { name, email, password: PASSWORD, session, userUuid };
}

export async function addKey(
  target: Target,
  role: string,
  organizationCode: string | null,
): Promise<{ id: string; credential: Credential }> {
  const body = { name: `attack ${role} ${randomBytes(6).toString('hex')}`, role, organization_code: organizationCode };
  const Key = z.object({ api_key: z.string(), key_uuid: z.string() });
  const { api_key: apiKey, key_uuid: id } = await require(Key, call(target, 'POST', '/platformapi/api-keys', { body }));
  return { id, credential: withKey(apiKey) };
}
