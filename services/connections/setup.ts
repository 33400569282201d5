import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue, ConnectorContract } from '../../connectors/kit/define.js';
import { findUsableAgent } from '../../db/agents/remote-agents.js';
import { type Db, isUniqueViolation } from '../../db/client.js';
import type { ConnectionDefinition } from '../../db/schema/index.js';
import type { Context } from '../context.js';
import { type CommandError, conflict, invalid } from '../errors.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { checkAll } from './fields.js';
import type { DefineConnection } from './wire.js';

const contracts: Catalogue = catalogue;
const byKind = new Map(Object.entries(contracts).map(([name, contract]) => [contract.kind, { name, contract }]));

/** Finds the contract for the kind of a stored connection. */
export function requireConnector(kind: string): { name: string; contract: ConnectorContract } {
  const known = byKind.get(kind);
  if (!known) throw conflict(`This version of the service has no connector ${kind}. Upgrade the service, or delete the connection.`);
  return known;
}

export async function checkAgent(
  db: Db,
  contract: ConnectorContract,
  organizationUuid: string,
  agent: string | null | undefined,
): Promise<string | null> {
  if (agent === null || agent === undefined) return null;
  const wrong = (detail: string) => invalid([{ pointer: '#/remote_agent', detail }]);
  if (!contract.routable) throw wrong(`The ${contract.title} does not support remote agents.`);
  if (!(await findUsableAgent(db, organizationUuid, agent))) throw wrong('The organization has no active remote agent with this id.');
  return agent;
}

export function checkFeed(contract: ConnectorContract, asked: boolean | undefined): void {
  if (asked && contract.intake === undefined)
    throw invalid([{ pointer: '#/feeds_intake', detail: `The ${contract.title} cannot feed the intake.` }]);
}

/** Checks a new connection. One reply lists the errors of settings and credentials; `given` is null if another person enters them later. */
export async function checkDefinition(
  { db, by }: Pick<Context, 'db' | 'by'>,
  body: DefineConnection,
  given: Record<string, unknown> | null,
): Promise<{ contract: ConnectorContract; definition: ConnectionDefinition; credentials: Record<string, unknown> }> {
  const organizationUuid = await requireOrganization(db, by, body.organization_code);
  const known = byKind.get(body.connector);
  if (!known) throw invalid([{ pointer: '#/connector', detail: `Unknown connector. Choose one of ${[...byKind.keys()].join(', ')}.` }]);
  const { contract } = known;
  const { settings = {}, credentials = {} } = checkAll({
    settings: { schema: contract.settings, given: body.settings },
    ...(given === null ? {} : { credentials: { schema: contract.credentials, given } }),
  });
  checkFeed(contract, body.feeds_intake);
  const definition = {
    organizationUuid,
    connectorKind: contract.kind,
    instanceName: body.instance_name,
    description: body.description,
    settings,
    remoteAgentUuid: await checkAgent(db, contract, organizationUuid, body.remote_agent),
    needsSecondPerson: body.needs_second_person,
    feedsIntake: body.feeds_intake,
  };
  return { contract, definition, credentials };
}

export async function refuseTakenName<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw takenName();
  }
}

export function takenName(): CommandError {
  return conflict('The organization already has a connection with this instance name. Choose another name.', {
    errors: [{ pointer: '#/instance_name', detail: 'instance_name: is taken.' }],
  });
}
