/** The values of docker-compose.yml. A test compares the two. */
const HISTORY_SHARDS = 16;
const DYNAMIC_SETTINGS = {
  'system.enableActivityEagerExecution': true,
  'matching.useNewMatcher': true,
  'matching.enableFairness': true,
  'history.transferProcessorMaxPollRPS': 1000,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

const HOST = '127.0.0.1';
const ROLES = ['frontend', 'history', 'matching', 'worker'] as const;
/** Each role has a port for gRPC and one for membership. */
export const PORTS_NEEDED = 2 * ROLES.length;

export interface ServerPlace {
  readonly databasePort: number;
  readonly databaseUser: string;
  readonly databasePassword: string;
  readonly databases: { readonly store: string; readonly visibility: string };
  readonly ports: readonly number[];
  readonly dynamicConfigFile: string;
}

export interface ServerConfig {
  readonly address: string;
  /** JSON, which is valid YAML. */
  readonly text: string;
}

/** All roles in one process that listens only on this machine and stores its data in Postgres. */
export function serverConfig(place: ServerPlace): ServerConfig {
  if (new Set(place.ports).size < PORTS_NEEDED) throw new RangeError(`the server needs ${PORTS_NEEDED} ports`);
  const address = `${HOST}:${place.ports[0]}`;
  const sql = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `${HOST}:${place.databasePort}`,
      connectProtocol: 'tcp',
      user: place.databaseUser,
      password: place.databasePassword,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const services = ROLES.map((role, index) => {
    const [grpcPort, membershipPort] = place.ports.slice(2 * index);
    return [role, { rpc: { grpcPort, membershipPort, bindOnLocalHost: true } }] as const;
  });
  const config = {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: HISTORY_SHARDS,
      defaultStore: 'store',
      visibilityStore: 'visibility',
      // Each role has its own pool. Together they use half of the connections of the embedded Postgres.
      datastores: { store: sql(place.databases.store, 20), visibility: sql(place.databases.visibility, 5) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: HOST } },
    services: Object.fromEntries(services),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address } },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: place.dynamicConfigFile, pollInterval: '60s' },
  };
  return { address, text: JSON.stringify(config, null, 2) };
}

export function dynamicConfig(): string {
  const values = Object.entries(DYNAMIC_SETTINGS).map(([name, value]) => [name, [{ value }]]);
  return JSON.stringify(Object.fromEntries(values), null, 2);
}
