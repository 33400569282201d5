import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, ConnectionLike } from '@temporalio/client';
import type { Timestamp } from '@temporalio/common';
import { util } from 'protobufjs';
import { SEARCH_ATTRIBUTES } from '../domain/search-attributes.js';
import { failedWithStatus, GRPC_STATUS } from './grpc-status.js';
import type { Keyring } from './keyring.js';
import type { Logger } from './log.js';
import { PayloadSealer } from './payload-sealer.js';
import type { Settings } from './settings.js';

type TemporalSettings = Pick<
  Settings,
  | 'TEMPORAL_ADDRESS'
  | 'TEMPORAL_NAMESPACE'
  | 'TEMPORAL_TLS'
  | 'TEMPORAL_TLS_CA_FILE'
  | 'TEMPORAL_TLS_CERT_FILE'
  | 'TEMPORAL_TLS_KEY_FILE'
  | 'TEMPORAL_API_KEY'
>;

/** Temporal's indexed value type for a keyword. */
const KEYWORD = 2;
const RETENTION_SECONDS = 30 * 86_400;
// biome-ignore lint/nursery/noUnsafeTypeAssertion: protobufjs types a part of the class that Temporal's types name.
const RETENTION = { seconds: new util.Long(RETENTION_SECONDS, 0) as NonNullable<Timestamp['seconds']> };

/** Address, TLS and API key, for clients and for workers. */
export async function temporalConnectionOptions(settings: TemporalSettings) {
  const { TEMPORAL_TLS_CA_FILE: ca, TEMPORAL_TLS_CERT_FILE: certificate, TEMPORAL_TLS_KEY_FILE: key } = settings;
  const wantsTls = settings.TEMPORAL_TLS || settings.TEMPORAL_API_KEY !== undefined || ca !== undefined || certificate !== undefined;
  const tls = wantsTls
    ? {
        ...(ca === undefined ? {} : { serverRootCACertificate: await readFile(ca) }),
        ...(certificate === undefined || key === undefined
          ? {}
          : { clientCertPair: { crt: await readFile(certificate), key: await readFile(key) } }),
      }
    : false;
  return {
    address: settings.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
    tls,
    ...(settings.TEMPORAL_API_KEY === undefined ? {} : { apiKey: settings.TEMPORAL_API_KEY }),
  };
}

/** The same for every client and worker, so that each reads what another wrote. */
export function createDataConverter(
  { TEMPORAL_NAMESPACE, TEMPORAL_PAYLOAD_ENCRYPTION }: Pick<Settings, 'TEMPORAL_NAMESPACE' | 'TEMPORAL_PAYLOAD_ENCRYPTION'>,
  keyring: Keyring,
) {
  return { payloadCodecs: [new PayloadSealer(keyring, TEMPORAL_NAMESPACE, TEMPORAL_PAYLOAD_ENCRYPTION)] };
}

/** A worker in the same process. A run that starts through its connection gets its first task without the task queue. */
export interface ColocatedWorker {
  readonly connection: ConnectionLike;
  /** Whether its workflow code is the current build. */
  takesNewRuns(): boolean;
}

/** The name of this process in Temporal Web. */
export function processIdentity(role: string): string {
  return `${role}@${hostname()}:${process.pid}`;
}

/** Creates the namespace, its retention and our search attributes as needed. Every process can call it. */
export async function prepareNamespace(connection: Connection, namespace: string, log: Logger): Promise<void> {
  try {
    await ensureNamespace(connection, namespace);
    await addSearchAttributes(connection, namespace);
  } catch (error) {
    if (!failedWithStatus(error, GRPC_STATUS.permissionDenied) && !failedWithStatus(error, GRPC_STATUS.unimplemented)) throw error;
    // Temporal Cloud allows this only in its console.
    log.warn(
      { namespace, attributes: SEARCH_ATTRIBUTES },
      'this Temporal server refuses to configure the namespace over gRPC: add these Keyword search attributes in its console',
    );
  }
}

async function ensureNamespace(connection: Connection, namespace: string): Promise<void> {
  const { workflowService } = connection;
  try {
    const { config } = await workflowService.describeNamespace({ namespace });
    if (Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) < RETENTION_SECONDS) {
      await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: RETENTION } });
    }
  } catch (error) {
    if (!failedWithStatus(error, GRPC_STATUS.notFound)) throw error;
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: RETENTION })
      .catch(unless(GRPC_STATUS.alreadyExists));
  }
}

/** A new namespace takes a moment to reach every part of the server. */
async function addSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    try {
      await addMissingAttributes(connection, namespace);
      return;
    } catch (error) {
      if (!failedWithStatus(error, GRPC_STATUS.notFound) || looks >= 20) throw error;
      await delay(500);
    }
  }
}

/** Temporal refuses a list that contains an existing attribute as a whole, so a later release adds its new ones alone. */
async function addMissingAttributes({ operatorService }: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.filter((name) => !Object.hasOwn(customAttributes ?? {}, name));
  if (missing.length === 0) return;
  const add = (names: readonly string[]) =>
    operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(names.map((name) => [name, KEYWORD])) });
  try {
    await add(missing);
  } catch (error) {
    // Another process added some of them since.
    if (!failedWithStatus(error, GRPC_STATUS.alreadyExists)) throw error;
    for (const name of missing) await add([name]).catch(unless(GRPC_STATUS.alreadyExists));
  }
}

function unless(code: number): (error: unknown) => void {
  return (error) => {
    if (!failedWithStatus(error, code)) throw error;
  };
}
