import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client, Connection } from '@temporalio/client';
import postgres from 'postgres';
import { z } from 'zod';
import { newUuid } from '../../db/ids.js';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { readSettings, type Settings } from '../../platform/settings.js';
import type { Child } from '../processes/child.js';
import { sampleContents } from './contents.js';
import type { Stage } from './stage.js';

/** A second organization, next to the one of most alerts. */
export const OTHER_ORGANIZATION = 'OTHER';
const CHANNEL = 'bench_completed';
const CONTENTS = sampleContents(500);
const Sent = z.object({ alert_id: z.string(), alert_uuid: z.string() });

/** The service and a bare worker, each in its own process, with a notification for each completed alert. */
export interface BenchService {
  readonly settings: Settings;
  readonly pg: postgres.Sql;
  readonly connection: Connection;
  readonly temporal: Client;
  readonly bareTaskQueue: string;
  /** The process of the API and the worker. */
  readonly process: Child;
  /** Sends an alert to the API. Resolves when the alert is acknowledged. */
  send(alertType: string, given?: { organizationCode?: string; content?: string }): Promise<string>;
  post(path: string, body: unknown): Promise<string>;
  /** Returns the number of bytes in the reply. */
  get(path: string): Promise<number>;
  /** Resolves when the alert's last transaction is committed. */
  completed(alertId: string): Promise<void>;
  close(): Promise<void>;
}

interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Uses the connectors of the product, with stand-ins, instead of the connector of the benchmark. */
  readonly usesStandIns?: boolean;
}

export async function startBenchService(
  stage: Stage,
  name: string,
  { env: more = {}, usesStandIns = false }: ServiceOptions = {},
): Promise<BenchService> {
  const [database, { address }, bundlePath] = await Promise.all([stage.database(name), stage.temporal(), stage.workflowBundle()]);
  const env = {
    PORT: '0',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_TASK_QUEUE: name,
    REQUESTS_PER_MINUTE: '100000000',
    MASTER_KEY: randomBytes(32).toString('base64'),
    ...more,
  };
  const settings = readSettings(env);
  const pg = postgres(database.url, { max: 4, onnotice: () => {} });
  await pg`
    insert into organizations (organization_uuid, organization_code, name, created_at)
    values (${newUuid()}, ${OTHER_ORGANIZATION}, 'Another organization', now())`;
  await pg`
    insert into connections (connection_uuid, organization_uuid, connector_kind, instance_name, settings, plain_credentials, is_default, state_since,
      secrets_set_at, created_by, created_at, modified_at)
    select organization_uuid, organization_uuid, 'testbed', 'bench', '{}', '{}', true, now(), now(), ${newUuid()}, now(), now()
    from organizations`;
  const watch = await watchCompletions(pg);
  const script = new URL('./service-process.ts', import.meta.url);
  const bareTaskQueue = `${name}-bare`;
  await stage.child(script, { kind: 'bare', env: { ...env, TEMPORAL_TASK_QUEUE: bareTaskQueue }, bundlePath });
  const service = await stage.child(script, { kind: usesStandIns ? 'connected' : 'service', env, bundlePath });
  const connection = await Connection.connect({ address });
  const temporal = new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE });

  let sent = 0;
  const postJson = async (place: string, body: unknown): Promise<string> => {
    const reply = await call(`${service.url}${place}`, { method: 'POST', cookie: `Session=${database.adminKey}`, body });
    if (reply.status !== 201) throw new Error(`POST ${place} returned ${reply.status}: ${reply.text}`);
    return reply.text;
  };
  const get = async (place: string): Promise<number> => {
    const reply = await call(`${service.url}${place}`, { method: 'GET', cookie: `Session=${database.adminKey}` });
    if (reply.status !== 200) throw new Error(`GET ${place} returned ${reply.status}: ${reply.text.slice(0, 200)}`);
    return reply.text.length;
  };
  const send: BenchService['send'] = async (alertType, { organizationCode = 'DEMO', content } = {}) => {
    sent += 1;
    const body = {
      organization_code: organizationCode,
      alert_provider: 'siem',
      alert_type: alertType,
      alert_content: content ?? CONTENTS[sent % CONTENTS.length],
    };
    return Sent.parse(JSON.parse(await postJson('/platformapi/alerts', body))).alert_id;
  };
  const close = async () => {
    agent.destroy();
    await connection.close();
    await pg.end({ timeout: 5 });
  };
  return { settings, pg, connection, temporal, bareTaskQueue, process: service, send, post: postJson, get, completed: watch, close };
}

const agent = new Agent({ keepAlive: true });

/** `fetch` would use much of the CPU that the benchmark measures. */
function call(
  url: string,
  { method, cookie, body }: { method: 'GET' | 'POST'; cookie: string; body?: unknown },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sending = request(url, { method, agent, headers: { ...type, cookie } }, (response) => {
      text(response).then((received) => resolve({ status: response.statusCode ?? 0, text: received }), reject);
    });
    sending.on('error', reject);
    sending.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** A trigger notifies at the commit, because polling would add load to the measurement. */
async function watchCompletions(pg: postgres.Sql): Promise<(alertId: string) => Promise<void>> {
  const seen = new Map<string, string>();
  const waiting = new Map<string, (status: string) => void>();
  await pg.unsafe(`
    create function bench_completed() returns trigger language plpgsql as
      $$ begin perform pg_notify('${CHANNEL}', new.alert_id || ' ' || new.investigation_status); return null; end $$;
    create trigger bench_completed after update on alerts for each row
      when (new.investigation_status >= ${InvestigationStatus.Completed} and old.investigation_status < ${InvestigationStatus.Completed})
      execute function bench_completed()`);
  await pg.listen(CHANNEL, (payload) => {
    const [alertId = '', status = ''] = payload.split(' ');
    const wake = waiting.get(alertId);
    if (wake) wake(status);
    else seen.set(alertId, status);
  });
  return async (alertId) => {
    const status = seen.get(alertId) ?? (await new Promise<string>((resolve) => waiting.set(alertId, resolve)));
    waiting.delete(alertId);
    seen.delete(alertId);
    if (status !== String(InvestigationStatus.Completed)) throw new Error(`${alertId} ended with status ${status}`);
  };
}

/** Calls `once` `count` times, at most `inFlight` at the same time. */
export async function repeatInFlight(count: number, inFlight: number, once: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const loop = async () => {
    while (next < count) {
      next += 1;
      await once(next);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
}
