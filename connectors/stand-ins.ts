import { catalogue } from './catalogue.js';
import {
  type Authority,
  type ConnectionValues,
  createAuthority,
  type StandIn,
  type StandInDefinition,
  type StandInStates,
  startStandIn,
} from './kit/stand-in/stand-in.js';

/** The fields of `POST /platformapi/connections` that make a working connection. */
export interface ConnectionFields extends ConnectionValues {
  readonly connector: string;
}

/** The compiler finds a connector whose stand-in declares no state. */
export type StandIns = { readonly [Name in keyof typeof catalogue]: StandIn<StandInStates[Name]> };
type Connections = { readonly [Name in keyof typeof catalogue]: ConnectionFields };

export interface ThirdParties {
  readonly caPem: string;
  /** Entries of EGRESS_ALLOW. */
  readonly allow: readonly string[];
  /** By the connector's name in the catalogue. */
  readonly standIns: StandIns;
  readonly connections: Connections;
  stop(): Promise<void>;
}

/** Starts the stand-in of every connector, all with certificates of one authority. */
export async function startThirdParties({
  thinkForMs,
  authority: given,
}: {
  thinkForMs?: number;
  /** Default: a new one. */
  authority?: Authority;
} = {}): Promise<ThirdParties> {
  const authority = given ?? (await createAuthority());
  const started = await Promise.all(
    Object.entries(catalogue).map(async ([name, { kind }]) => ({ name, ...(await startByKind(kind, authority, thinkForMs)) })),
  );
  const standIns: object = Object.fromEntries(started.map(({ name, standIn }) => [name, standIn]));
  const connections: object = Object.fromEntries(started.map(({ name, fields }) => [name, fields]));
  if (!hasEveryConnector<StandIns>(standIns) || !hasEveryConnector<Connections>(connections))
    throw new Error('A connector of the catalogue has no stand-in. Add connectors/<kind>/stand-in.ts.');
  return {
    caPem: authority.caPem,
    allow: started.map(({ standIn }) => standIn.address),
    standIns,
    connections,
    async stop(): Promise<void> {
      await Promise.all(started.map(({ standIn }) => standIn.stop()));
    },
  };
}

function hasEveryConnector<Complete extends StandIns | Connections>(byName: object): byName is Complete {
  return Object.keys(catalogue).every((name) => Object.hasOwn(byName, name));
}

async function startByKind(kind: string, authority: Authority, thinksForMs: number | undefined) {
  const { define, connection } = await importStandIn(kind);
  const standIn = await startStandIn({ authority, define, ...(thinksForMs === undefined ? {} : { thinksForMs }) });
  const fields: ConnectionFields = { connector: kind, ...connection(standIn.url, standIn.state) };
  return { standIn, fields };
}

/** Stand-ins are not deployed, so they are always TypeScript sources. */
async function importStandIn(kind: string): Promise<StandInDefinition<unknown>> {
  const file = new URL(`./${kind}/stand-in.ts`, import.meta.url);
  const module: { readonly standIn?: StandInDefinition<unknown> } = await import(file.href);
  if (!module.standIn) throw new Error(`connectors/${kind}/stand-in.ts must export "standIn".`);
  return module.standIn;
}
