import { Connection } from '@temporalio/client';
import { connectDatabase } from '../db/client.js';
import { listHosts } from '../platform/host-names.js';
import { Keyring } from '../platform/keyring.js';
import type { Logger } from '../platform/log.js';
import { createMetrics, type Metrics } from '../platform/metrics.js';
import { isLoopback } from '../platform/networks.js';
import { readPublicUrl, requireWayToSignIn, type Settings } from '../platform/settings.js';
import { type ColocatedWorker, temporalConnectionOptions } from '../platform/temporal.js';
import { WorkflowRunner } from '../services/workflow-runner.js';
import { buildApp } from './app.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { InvestigationStarter } from './dispatch/investigation-starter.js';
import { INTAKE_CONNECTIONS } from './intake/intake.js';
import { NotificationRouter } from './notifications/router.js';
import { CALLBACK_PATH } from './routes/provider-sign-in.js';
import { IdentityProvider } from './sign-in/identity-provider.js';
import { createProviderChecks } from './sign-in/provider-checks.js';
import { createTimekeeper } from './sla/timekeeper.js';

export interface RunningApi {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the API and its dispatcher. The database must be migrated; Temporal may start later. */
export async function startApi({
  settings,
  log,
  metrics = createMetrics(),
  dashboardFolder = null,
  worker = null,
}: {
  settings: Settings;
  log: Logger;
  metrics?: Metrics;
  dashboardFolder?: string | null;
  worker?: ColocatedWorker | null;
}): Promise<RunningApi> {
  requireWayToSignIn(settings);
  const { DATABASE_URL: databaseUrl = '', DATABASE_POOL_SIZE: poolSize } = settings;
  const database = connectDatabase(databaseUrl, { poolSize, name: 'alert-investigator api' });
  const intakeDatabase = connectDatabase(databaseUrl, { poolSize: INTAKE_CONNECTIONS, name: 'alert-investigator intake' });
  const connection = Connection.lazy(await temporalConnectionOptions(settings));
  const keyring = Keyring.of(settings);
  const starter = new InvestigationStarter(connection, settings, keyring, log, worker);
  const dispatcher = new Dispatcher({ database, starter, metrics, log });
  const runner = new WorkflowRunner(connection, settings, keyring);
  const notifications = new NotificationRouter({ database, runner, log });
  const timekeeper = createTimekeeper({ database, log });
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = settings;
  const tlsFiles = certFile === undefined || keyFile === undefined ? null : { certFile, keyFile };
  const identityProvider = IdentityProvider.of(settings, CALLBACK_PATH);
  const providerChecks = createProviderChecks({ database, identityProvider, keyring, log });
  const app = await buildApp({
    database,
    intakeDatabase,
    metrics,
    log,
    keyring,
    runner,
    onAlertsStored: () => dispatcher.wake(),
    tlsFiles,
    trustedProxies: settings.TRUSTED_PROXIES,
    publicUrl: settings.PUBLIC_URL,
    allowedHosts: [...settings.ALLOWED_HOSTS, ...listHosts(readPublicUrl(settings))],
    metricsToken: settings.METRICS_TOKEN ?? null,
    requestsPerMinute: settings.REQUESTS_PER_MINUTE,
    sessionLimits: {
      idleSeconds: settings.SESSION_IDLE_MINUTES * 60,
      absoluteSeconds: settings.SESSION_MAX_HOURS * 3600,
      requiresTwoFactor: settings.REQUIRE_TWO_FACTOR,
      allowsLocalUsers: settings.LOCAL_SIGN_IN,
    },
    identityProvider,
    operator: settings,
    temporalWeb: settings.TEMPORAL_WEB_URL === undefined ? null : `${settings.TEMPORAL_WEB_URL}/namespaces/${settings.TEMPORAL_NAMESPACE}`,
    dashboardFolder,
    isTemporalReachable: () => starter.isReachable(),
  });
  const url = await app.listen({ port: settings.PORT, host: settings.HOST });
  if (tlsFiles === null && settings.TRUSTED_PROXIES.length === 0 && !isLoopback(settings.HOST)) {
    log.warn(
      { host: settings.HOST },
      'API keys can travel unencrypted: the API listens beyond this machine without TLS. Set TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES if a proxy terminates TLS',
    );
  }
  await dispatcher.start();
  notifications.start();
  timekeeper.start();
  providerChecks?.start();
  return {
    url,
    async close() {
      await app.close();
      starter.abandon();
      await Promise.all([dispatcher.stop(), notifications.stop(), timekeeper.stop(), providerChecks?.stop()]);
      await connection.close();
      await Promise.all([intakeDatabase.close(), database.close()]);
    },
  };
}
