import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../local/ports.js';
import { run } from '../../local/processes.js';
import { supervise } from '../../local/supervisor.js';
import type { Logger } from '../../platform/log.js';
import { endWithParent } from './rabbitmq.js';

const VERSION = '26.4.0';
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
const DOWNLOAD_LIMIT_MS = 600_000;
const READY_LIMIT_MS = 180_000;
const ADMIN = { name: 'admin', password: 'the password of the admin' };

/** A running Keycloak with the realm `soc`. */
export interface Keycloak {
  readonly issuer: string;
  /** Calls the admin API of the realm. Returns the id of a created record, or the reply. */
  admin(method: 'GET' | 'POST' | 'PUT' | 'DELETE', place: string, body?: unknown): Promise<string>;
  stop(): Promise<void>;
}

/** Starts Keycloak with an empty database. Maven downloads it at the first use (160 MB); it needs Java 17. */
export async function startKeycloak({ folder, log }: { folder: string; log: Logger }): Promise<Keycloak> {
  const home = await findKeycloak(log);
  const [port, managementPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(folder, { recursive: true });
  const settings = {
    'http-host': '127.0.0.1',
    'http-port': port,
    'http-management-port': managementPort,
    'bootstrap-admin-username': ADMIN.name,
    'bootstrap-admin-password': ADMIN.password,
    db: 'dev-mem',
  };
  const server = await supervise({
    name: 'Keycloak',
    ...endWithParent(
      path.join(home, 'bin', 'kc.sh'),
      'start-dev',
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ),
    marker: `--http-port=${port}`,
    pidFile: path.join(folder, 'keycloak.pid'),
    logFile: path.join(folder, 'keycloak.log'),
    stopSteps: [
      ['SIGTERM', 20_000],
      ['SIGKILL', 10_000],
    ],
    readyTimeoutMs: READY_LIMIT_MS,
    probe: () => readToken(url).then(() => undefined),
    log,
  });
  const call = async (method: string, place: string, body?: unknown): Promise<string> => {
    const response = await fetch(`${url}/admin/realms${place}`, {
      method,
      headers: { authorization: `Bearer ${await readToken(url)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`Keycloak answered ${response.status} to ${method} ${place}: ${await response.text()}`);
    return response.headers.get('location')?.split('/').at(-1) ?? response.text();
  };
  await call('POST', '', { realm: 'soc', enabled: true });
  return {
    issuer: `${url}/realms/soc`,
    admin: (method, place, body) => call(method, `/soc${place}`, body),
    stop: () => server.stop(),
  };
}

async function readToken(url: string): Promise<string> {
  const form = { grant_type: 'password', client_id: 'admin-cli', username: ADMIN.name, password: ADMIN.password };
  const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`Keycloak answered ${response.status}`);
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

/** `KEYCLOAK_HOME`, or a copy in the cache folder of the user. */
async function findKeycloak(log: Logger): Promise<string> {
  const given = process.env['KEYCLOAK_HOME'];
  if (given) return given;
  const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'alert-investigator');
  const home = path.join(cache, `keycloak-${VERSION}`);
  if (existsSync(home)) return home;
  mkdirSync(cache, { recursive: true });
  log.info(`Downloading Keycloak ${VERSION} with Maven …`);
  await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${cache}`], {
    timeoutMs: DOWNLOAD_LIMIT_MS,
  });
  await run('unzip', ['-q', path.join(cache, `keycloak-quarkus-dist-${VERSION}.zip`), '-d', cache], { timeoutMs: DOWNLOAD_LIMIT_MS });
  return home;
}
