import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { type ConfirmChannel, connect } from 'amqplib';
import type { Authority } from '../../connectors/kit/stand-in/authority.js';
import { freePort } from '../../local/ports.js';
import { run, type StopStep, sendSignal } from '../../local/processes.js';
import { supervise } from '../../local/supervisor.js';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';
import { installDebianPackage } from './debian-package.js';

export interface RabbitmqOptions {
  /** Signs the certificate of the broker. */
  readonly authority: Authority;
  /** Stores all data until the next start. Created if it is missing. */
  readonly folder: string;
  readonly log: Logger;
  /** The setting AMQP_URL: a running broker to use instead of starting one. */
  readonly given?: string | undefined;
}

export interface Broker {
  readonly host: string;
  readonly port: number;
  /** Of the authority that signed its certificate. null: a public authority. */
  readonly ca: string | null;
  /** Creates a durable queue and a user that may only consume it. An external broker uses its own user. Returns that user. */
  declareQueue(queue: string, userName: string, password: string): Promise<{ user_name: string; password: string }>;
  /** Resolves after the broker has stored them on disk. */
  publish(queue: string, messages: readonly string[]): Promise<void>;
  /** The number of waiting messages, without unacknowledged ones. */
  waiting(queue: string): Promise<number>;
  /** Ends the broker with this signal and waits until it runs again. null: an external broker. */
  readonly restart: ((signal: 'SIGTERM' | 'SIGKILL') => Promise<void>) | null;
  stop(): Promise<void>;
}

const HOST = 'localhost';
const ADDRESS = '127.0.0.1';
const PROGRAMS = '/usr/lib/rabbitmq/bin';
/** The module of the broker that stores users and permissions. */
const USERS = 'rabbit_auth_backend_internal';
const COMMAND_LIMIT_MS = 60_000;
const READY_LIMIT_MS = 120_000;
const PROBE_EVERY_MS = 100;
/** As at the third party, a message without a consumer expires after ten days. */
const KEPT_MS = 10 * 24 * 3_600_000;
const ADMIN = 'operator';
const STOP_STEPS: readonly StopStep[] = [
  ['SIGTERM', 20_000],
  ['SIGKILL', 10_000],
];

/** Starts a real RabbitMQ that accepts AMQP over TLS only, or throws a StartError with the cause. */
export async function startRabbitmq(options: RabbitmqOptions): Promise<Broker> {
  if (options.given) return connectExternalBroker(options.given, options.authority);
  await install(options.log);
  return await startOwn(options);
}

async function connectExternalBroker(given: string, authority: Authority): Promise<Broker> {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !['amqp:', 'amqps:'].includes(url.protocol))
    throw new StartError('AMQP_URL has to be amqps://user:password@host:port.');
  const [userName, password] = [decodeURIComponent(url.username) || 'guest', decodeURIComponent(url.password) || 'guest'];
  const place =
    url.protocol === 'amqps:'
      ? { host: url.hostname, port: Number(url.port || 5671), ca: null, stop: async () => {} }
      : await startTlsProxy(url.hostname, Number(url.port || 5672), authority);
  const queues = listQueues({ ...place, userName, password });
  return {
    ...place,
    ...queues,
    async declareQueue(queue) {
      await queues.declareQueue(queue);
      return { user_name: userName, password };
    },
    restart: null,
  };
}

/** The stream always uses TLS, so a broker without TLS gets a TLS proxy. */
async function startTlsProxy(host: string, port: number, authority: Authority) {
  const door = createTlsServer(await authority.issue([HOST, ADDRESS]), (outside) => {
    const inside = connectTcp({ host, port });
    pipeline(outside, inside, outside, () => undefined);
  });
  door.listen({ host: ADDRESS, port: 0 });
  await once(door, 'listening');
  const address = door.address();
  if (address === null || typeof address === 'string') throw new Error('the TLS proxy has no port');
  return { host: HOST, port: address.port, ca: authority.caPem, stop: async () => void door.close() };
}

/** A busy machine can miss the few seconds that erl_call waits for the connection. It has called nothing then. */
async function untilConnected(ask: () => Promise<string>): Promise<string> {
  for (const deadline = Date.now() + COMMAND_LIMIT_MS; ; )
    try {
      return await ask();
    } catch (error) {
      if (!String(error).includes('failed to connect to node') || Date.now() > deadline) throw error;
      await sleep(PROBE_EVERY_MS);
    }
}

async function install(log: Logger): Promise<void> {
  if (existsSync(`${PROGRAMS}/rabbitmq-server`)) return;
  await installDebianPackage(log, { name: 'rabbitmq-server', what: 'RabbitMQ', otherwise: 'set AMQP_URL to a broker' });
}

async function startOwn({ authority, folder: givenFolder, log }: RabbitmqOptions): Promise<Broker> {
  const folder = path.resolve(givenFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(path.join(folder, 'data'), { recursive: true, force: true });
  const [port, nodePort, epmdPort] = [await freePort(), await freePort(), await freePort()];
  const password = randomBytes(18).toString('base64url');
  const env = {
    ...(await writeConfiguration(folder, port, password, authority)),
    RABBITMQ_NODENAME: `broker-${port}@${HOST}`,
    RABBITMQ_DIST_PORT: String(nodePort),
    ERL_EPMD_PORT: String(epmdPort),
    // Runs without a shell around it. RabbitMQ then reads from a terminal by default, which -noinput disables.
    RABBITMQ_ALLOW_INPUT: 'true',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-noinput -kernel inet_dist_use_interface {127,0,0,1}',
  };
  const common = { stopSteps: STOP_STEPS, readyTimeoutMs: READY_LIMIT_MS, log };

  // Erlang starts this name server as a daemon that outlives the broker, unless one is running.
  const names = await supervise({
    ...common,
    name: 'epmd',
    ...endWithParent('epmd', '-address', ADDRESS, '-port', String(epmdPort)),
    marker: String(epmdPort),
    pidFile: path.join(folder, 'epmd.pid'),
    logFile: path.join(folder, 'epmd.log'),
    probe: () => checkPort(epmdPort),
  });
  const admin = { host: HOST, port, ca: authority.caPem, userName: ADMIN, password };
  try {
    const child = await supervise({
      ...common,
      name: 'RabbitMQ',
      ...endWithParent(
        'env',
        ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
        `${PROGRAMS}/rabbitmq-server`,
        '-folder',
        folder,
      ),
      marker: folder,
      pidFile: path.join(folder, 'rabbitmq.pid'),
      logFile: path.join(folder, 'rabbitmq.log'),
      probe: () => checkConnection(admin),
    });
    const queues = listQueues(admin);
    /** Calls a function of the broker. rabbitmqctl would start Erlang for it, which takes a second. */
    const call = async (name: string, ...args: readonly string[]) => {
      const input = `${name}(${args.map((arg) => `<<"${arg}">>`).join()}).\n`;
      const ask = () =>
        run('erl_call', ['-sname', env.RABBITMQ_NODENAME, '-e'], { env: { ...process.env, ...env }, input, timeoutMs: COMMAND_LIMIT_MS });
      const reply = await untilConnected(ask);
      if (reply !== '{ok, ok}') throw new Error(`RabbitMQ refused ${name}: ${reply}`);
    };
    return {
      host: HOST,
      port,
      ca: authority.caPem,
      ...queues,
      async declareQueue(queue, userName, userPassword) {
        await queues.declareQueue(queue);
        await call(`${USERS}:add_user`, userName, userPassword, ADMIN);
        await call(`${USERS}:set_permissions`, userName, '/', '^$', '^$', `^${queue.replace(/[^\w-]/g, '.')}$`, ADMIN);
        return { user_name: userName, password: userPassword };
      },
      async restart(signal) {
        const before = child.pid;
        if (before !== undefined) sendSignal(before, signal);
        await waitForRestart(() => child.pid !== undefined && child.pid !== before, admin);
      },
      async stop() {
        await child.stop();
        await names.stop();
      },
    };
  } catch (error) {
    await names.stop();
    throw error;
  }
}

/** Runs a command that ends with our process, even after a kill. */
export function endWithParent(...command: string[]): { command: string; args: string[] } {
  return { command: 'setpriv', args: ['--pdeathsig', 'KILL', ...command] };
}

async function writeConfiguration(folder: string, port: number, password: string, authority: Authority): Promise<Record<string, string>> {
  const at = (name: string) => path.join(folder, name);
  const { key, cert } = await authority.issue([HOST, ADDRESS]);
  for (const [name, content] of Object.entries({
    'ca.pem': authority.caPem,
    'cert.pem': cert,
    'key.pem': key,
    plugins: '[].\n',
    env: '',
  })) {
    writeFileSync(at(name), content, { mode: 0o600 });
  }
  const settings = {
    'listeners.tcp': 'none',
    'listeners.ssl.1': `${ADDRESS}:${port}`,
    'ssl_options.cacertfile': at('ca.pem'),
    'ssl_options.certfile': at('cert.pem'),
    'ssl_options.keyfile': at('key.pem'),
    'ssl_options.versions.1': 'tlsv1.3',
    'ssl_options.versions.2': 'tlsv1.2',
    'ssl_options.verify': 'verify_none',
    default_user: ADMIN,
    default_pass: password,
    'loopback_users.guest': 'true',
    // Limits for small machines. The messages of the stream are small.
    'disk_free_limit.absolute': '1MB',
    'log.file.level': 'warning',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(at('rabbitmq.conf'), lines.join(''), { mode: 0o600 });
  return {
    HOME: folder,
    RABBITMQ_CONFIG_FILE: at('rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: at('env'),
    RABBITMQ_ENABLED_PLUGINS_FILE: at('plugins'),
    RABBITMQ_MNESIA_BASE: at('data'),
    RABBITMQ_LOG_BASE: at('log'),
    RABBITMQ_PID_FILE: at('erlang.pid'),
  };
}

interface Account {
  readonly host: string;
  readonly port: number;
  readonly ca: string | null;
  readonly userName: string;
  readonly password: string;
}

type Work<Result> = (channel: ConfirmChannel) => Promise<Result>;

/** Opens a connection for each call, because the broker may have restarted since the last one. */
async function inChannel<Result>({ host, port, ca, userName, password }: Account, work: Work<Result>): Promise<Result> {
  const model = await connect(
    { protocol: 'amqps', hostname: host, port, username: userName, password, vhost: '/' },
    { timeout: 10_000, ...(ca === null ? {} : { ca: [ca] }) },
  );
  model.on('error', () => undefined);
  try {
    const channel = await model.createConfirmChannel();
    channel.on('error', () => undefined);
    return await work(channel);
  } finally {
    await model.close().catch(() => undefined);
  }
}

function listQueues(account: Account) {
  return {
    declareQueue: (queue: string) => inChannel(account, (channel) => channel.assertQueue(queue, { durable: true, expires: KEPT_MS })),
    publish: (queue: string, messages: readonly string[]) =>
      inChannel(account, async (channel) => {
        for (const message of messages) {
          channel.sendToQueue(queue, Buffer.from(message), { persistent: true, contentType: 'application/octet-stream' });
        }
        await channel.waitForConfirms();
      }),
    waiting: (queue: string) => inChannel(account, async (channel) => (await channel.checkQueue(queue)).messageCount),
  };
}

async function checkConnection(account: Account): Promise<void> {
  await inChannel(account, async () => undefined);
}

async function waitForRestart(isNew: () => boolean, admin: Account): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  while (Date.now() < deadline) {
    const isBack =
      isNew() &&
      (await checkConnection(admin).then(
        () => true,
        () => false,
      ));
    if (isBack) return;
    await sleep(PROBE_EVERY_MS);
  }
  throw new StartError(`RabbitMQ did not come back within ${READY_LIMIT_MS / 1_000} s.`);
}

function checkPort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: ADDRESS, port });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
