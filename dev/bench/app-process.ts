import { randomBytes } from 'node:crypto';
import { Connection } from '@temporalio/client';
import Fastify from 'fastify';
import { z } from 'zod';
import { buildApp } from '../../api/app.js';
import { INTAKE_CONNECTIONS } from '../../api/intake/intake.js';
import { connectDatabase, type Database } from '../../db/client.js';
import { findOrganization } from '../../db/identity/organizations.js';
import { findProvider } from '../../db/identity/providers.js';
import { newUuid } from '../../db/ids.js';
import { type Alert, alertTypeKey } from '../../domain/alert/alert.js';
import { Keyring } from '../../platform/keyring.js';
import { createLogger } from '../../platform/log.js';
import { createMetrics } from '../../platform/metrics.js';
import { readSettings } from '../../platform/settings.js';
import { CreateAlert } from '../../services/alerts/wire.js';
import { WorkflowRunner } from '../../services/workflow-runner.js';
import { childInput, serveParent } from '../processes/child.js';

const { kind, databaseUrl, dashboardFolder } = childInput(
  z.object({ kind: z.enum(['bare', 'naive', 'ours']), databaseUrl: z.string(), dashboardFolder: z.string().nullable().default(null) }),
);
const { DATABASE_POOL_SIZE: poolSize } = readSettings({});
const database = connectDatabase(databaseUrl, { poolSize, name: `bench ${kind}` });
const intakeDatabase = connectDatabase(databaseUrl, { poolSize: INTAKE_CONNECTIONS, name: `bench ${kind} intake` });
const PATH = '/platformapi/alerts';

/** The product's app without the dispatcher, to measure only the intake or the pages. */
async function ours() {
  const keyring = new Keyring(() => [randomBytes(32).toString('base64')]);
  const app = await buildApp({
    database,
    intakeDatabase,
    metrics: createMetrics(),
    log: createLogger('warn', 'api'),
    requestsPerMinute: 100_000_000,
    keyring,
    runner: new WorkflowRunner(Connection.lazy(), readSettings({}), keyring),
    operator: readSettings({}),
    isTemporalReachable: async () => true,
    dashboardFolder,
  });
  // The baseline for the pages: an almost empty page.
  if (dashboardFolder !== null)
    app.get('/bare', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
      reply.type('text/html; charset=utf-8').send('<!doctype html><title>bare</title><button>Ready</button>'),
    );
  return app;
}

/** The baseline of the machine: parses the JSON and sends a reply of the same size. */
async function bare() {
  const app = Fastify();
  app.post(PATH, async (request, reply) => reply.status(201).send(replyTo(CreateAlert.parse(request.body), ids('DEMO-SIEM-1000'))));
  return app;
}

/** The usual implementation: validate the body, insert one row into a table with the same indexes, reply. */
async function naive() {
  const app = Fastify();
  const { organizationUuid, providerUuid } = await parents(database);
  app.post(PATH, async (request, reply) => {
    const parsed = CreateAlert.safeParse(request.body);
    if (!parsed.success) return reply.status(422).send(z.treeifyError(parsed.error));
    const alert = parsed.data;
    const { alertUuid, createdBy, createdAt } = ids('');
    const at = new Date(createdAt * 1000).toISOString();
    const [row] = await database.pg<{ alert_id: string }[]>`
      insert into naive_alerts (
        alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content,
        created_at_source, created_by, created_at, modified_at
      ) values (
        ${alertUuid}, 'DEMO-SIEM-' || nextval('naive_numbers'), ${organizationUuid}, ${providerUuid}, ${alert.alert_type},
        ${alertTypeKey(alert.alert_type)}, ${alert.alert_content}, ${alert.created_at_source?.toString() ?? null}, ${createdBy}, ${at}, ${at}
      ) returning alert_id`;
    return reply.status(201).send(replyTo(alert, { alertUuid, createdBy, createdAt, organizationUuid, alertId: row?.alert_id ?? '' }));
  });
  return app;
}

const CREATED_BY = newUuid();
function ids(alertId: string) {
  return { alertUuid: newUuid(), createdBy: CREATED_BY, createdAt: Math.floor(Date.now() / 1000), organizationUuid: CREATED_BY, alertId };
}

async function parents({ db }: Database) {
  const [organization, provider] = await Promise.all([findOrganization(db, 'DEMO'), findProvider(db, 'siem')]);
  return { organizationUuid: organization?.organization_uuid ?? '', providerUuid: provider?.provider_uuid ?? '' };
}

function replyTo(request: CreateAlert, made: ReturnType<typeof ids>): Alert {
  return {
    alert_content: request.alert_content,
    alert_id: made.alertId,
    alert_provider: request.alert_provider,
    alert_type: request.alert_type,
    alert_uuid: made.alertUuid,
    created_at: made.createdAt,
    created_at_source: request.created_at_source ?? null,
    created_by: made.createdBy,
    investigation_retry_count: 0,
    investigation_status: 0,
    modified_at: made.createdAt,
    organization_code: request.organization_code,
    organization_uuid: made.organizationUuid,
  };
}

const app = await { ours, bare, naive }[kind]();
const url = await app.listen({ port: 0, host: '127.0.0.1' });
serveParent({ url }, async () => {
  await app.close();
  await Promise.all([intakeDatabase.close(), database.close()]);
});
