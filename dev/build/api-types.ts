import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import type { FastifyInstance } from 'fastify';
import openapiTS, { astToString } from 'openapi-typescript';
import { type AppDeps, buildApp } from '../../api/app.js';
import { connectDatabase, type Database } from '../../db/client.js';
import { Keyring } from '../../platform/keyring.js';
import { createLogger } from '../../platform/log.js';
import { createMetrics } from '../../platform/metrics.js';
import { readSettings } from '../../platform/settings.js';
import { WorkflowRunner } from '../../services/workflow-runner.js';

export const API_TYPES_FILE = fileURLToPath(new URL('../../dashboard/api-types.ts', import.meta.url));

const HEADER = '// Generated from the operations of the API: do not edit. `npm run api:types` writes it again.\n\n';
const PREFIX = '/platformapi';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The API builds its OpenAPI document when it is ready, and it subscribes to the database's notifications before that. */
function withoutNotifications(database: Database): Database {
  const pg = new Proxy(database.pg, {
    get: (target, name) => (name === 'listen' ? async () => ({ unlisten: async () => {} }) : Reflect.get(target, name)),
  });
  return { ...database, pg };
}

/** The API without a database and a Temporal server, for tools that read its routes or its document. */
export function buildDetachedApp(deps: Pick<AppDeps, 'documentsBrowserOperations' | 'onRoute'>): Promise<FastifyInstance> {
  const settings = readSettings({ MASTER_KEY: Buffer.alloc(32).toString('base64') });
  const keyring = Keyring.of(settings);
  return buildApp({
    database: withoutNotifications(connectDatabase('postgres://127.0.0.1/unused', { poolSize: 1, name: 'detached' })),
    metrics: createMetrics(),
    log: createLogger('silent', 'detached'),
    keyring,
    runner: new WorkflowRunner(Connection.lazy(), settings, keyring),
    operator: settings,
    requestsPerMinute: settings.REQUESTS_PER_MINUTE,
    isTemporalReachable: async () => false,
    ...deps,
  });
}

/** Builds the document of `GET /openapi.json`, with the operations of browsers. */
async function readOpenApiDocument(): Promise<{ [name: string]: Json }> {
  const app = await buildDetachedApp({ documentsBrowserOperations: true });
  try {
    const reply = await app.inject({ url: '/openapi.json' });
    return reply.json();
  } finally {
    await app.close();
  }
}

const PROSE = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'default']);

/** Leaves out the prose, so that only a change of the API's types changes the generated file. */
function removeProse(value: Json, isMapOfNames = false): Json {
  if (Array.isArray(value)) return value.map((each) => removeProse(each));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => isMapOfNames || !PROSE.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, removeProse(each, !isMapOfNames && name === 'properties')]));
}

/** The client throws every error as one class, so that pages need only the types of successful replies. */
function keepSuccess(operation: Json): Json {
  if (!isObject(operation) || !isObject(operation['responses'])) return operation;
  const responses = Object.entries(operation['responses']).filter(([status]) => status.startsWith('2'));
  return {
    ...operation,
    responses: Object.fromEntries(responses.map(([status, reply]) => [status, { ...(isObject(reply) ? reply : {}), description: '' }])),
  };
}

/** The operations that pages call, by their path after the prefix. */
function selectOperations(document: { [name: string]: Json }): { [name: string]: Json } {
  const paths = isObject(document['paths']) ? document['paths'] : {};
  const selected = Object.entries(paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .map(([path, operations]) => [
      path.slice(PREFIX.length),
      Object.fromEntries(
        Object.entries(isObject(operations) ? operations : {}).map(([method, each]) => [method, keepSuccess(removeProse(each))]),
      ),
    ]);
  const shown: { [name: string]: Json } = Object.fromEntries(selected);
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths: shown, components: { schemas: selectNamed(document, shown) } };
}

/** The named schemas that these operations use, themselves or through another one. */
function selectNamed(document: { [name: string]: Json }, paths: Json): { [name: string]: Json } {
  const { components } = document;
  const named = isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
  const selected: { [name: string]: Json } = {};
  const waiting = [paths];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = named[name];
      if (schema === undefined || name in selected) continue;
      selected[name] = removeProse(schema);
      waiting.push(schema);
    }
  }
  return selected;
}

/** What an operation does not have, and headers of replies, which the client does not read. */
const ABSENT = /^\s+(?:\w+\?: never;|parameters: \{\s+\};|headers: \{\s+\[name: string\]: unknown;\s+\};)\n/gm;
const HINT = /^\s+\/\*\* (@enum|@constant|Format).*\n/gm;
const OPTIONAL_LINE = /^(\s+[\w"$.-]+\?: )(?!never)(.+[^{[(|]);$/gm;
const OPTIONAL_BLOCK = /^( +)([\w"$.-]+\?: \{\n(?:\1 .*\n)*\1\}(?: \| null)?);$/gm;

/** With exactOptionalPropertyTypes, a parameter without a value needs `| undefined` in its type before a caller can pass it on. */
function allowUndefined(types: string): string {
  let allowed = types.replace(HINT, '').replace(ABSENT, '').replace(ABSENT, '').replace(OPTIONAL_LINE, '$1$2 | undefined;');
  // A match consumes the blocks inside it; the next round finds those.
  while (OPTIONAL_BLOCK.test(allowed)) allowed = allowed.replace(OPTIONAL_BLOCK, '$1$2 | undefined;');
  return allowed;
}

/** TypeScript types of every operation, for the dashboard's client. */
export async function generateApiTypes(): Promise<string> {
  const document = selectOperations(await readOpenApiDocument());
  return HEADER + allowUndefined(astToString(await openapiTS(JSON.stringify(document), { silent: true })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(API_TYPES_FILE, await generateApiTypes());
