import type { TLSSocket } from 'node:tls';
import type { ConnectorContract } from '../../connectors/kit/define.js';
import type { Egress } from '../../connectors/kit/egress.js';
import type { HttpClient } from '../../connectors/kit/http.js';
import type { SkillContext } from '../../connectors/kit/implement.js';
import { withTimeLimit } from '../../connectors/kit/time-limit.js';
import { STREAM_CREDENTIAL } from '../../domain/alert/intake-source.js';
import type { ConnectionTestReport } from '../../domain/connection/connection.js';
import type { TestedConnection } from '../../domain/connection/remote-agent.js';
import { SkillError, ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { toSkillKey } from '../../domain/skill-key.js';
import { type SkillSet, scrubError, scrubText } from './perform-skill.js';

const TEST_LIMIT_MS = 45_000;

interface Subject {
  readonly connectorKey: string;
  readonly contract: ConnectorContract;
  readonly implementation: NonNullable<SkillSet['implementations'][string]>;
  readonly connectionId: string;
  /** null in a remote agent, which has its own list of destinations. */
  readonly organization: string | null;
}

interface Clients {
  readonly httpClient: HttpClient;
  readonly egress: Egress;
}

type Open = (call: Pick<SkillContext, 'http' | 'signal'>) => SkillContext;

/** Tests a connection on a worker or a remote agent. `open` decrypts the connection. */
export function testConnection(subject: Subject, clients: Clients, cancelled: AbortSignal, open: Open): Promise<TestedConnection> {
  return withTimeLimit(TEST_LIMIT_MS, cancelled, (signal) => runTest(subject, clients, signal, open));
}

async function runTest(
  { connectorKey, contract, implementation, connectionId, organization }: Subject,
  { httpClient, egress: anyEgress }: Clients,
  signal: AbortSignal,
  open: Open,
): Promise<TestedConnection> {
  const egress = anyEgress.of(organization);
  const empty = { hosts: [], permissions: [], clock_skew_seconds: null };
  let hosts: ConnectionTestReport['hosts'] = [];
  try {
    const { requestsPerMinute } = contract;
    const context = open({ http: httpClient.forConnection({ connectionId, organization, requestsPerMinute, signal }), signal });
    // biome-ignore lint/nursery/noUnsafeTypeAssertion: the contract's own schema has just parsed the settings.
    const known = contract.hosts(context.connection.settings as never);
    hosts = await Promise.all(known.map(({ purpose, url }) => reach(egress, purpose, url, signal)));
    try {
      // biome-ignore lint/nursery/noUnsafeTypeAssertion: the same, for the whole connection.
      const found = await implementation.test(context as never);
      const detail = scrubText(found.credentials.detail, context.connection.credentials);
      const keys = new Map(Object.entries(contract.skills).map(([verb, { title }]) => [title, toSkillKey(connectorKey, verb)]));
      const permissions = found.permissions.map((permission) => {
        const skillKey = keys.get(permission.skill_id);
        return { ...permission, ...(skillKey && { skill_key: skillKey }) };
      });
      const missing = permissions.filter(({ granted }) => granted === false).map(({ skill_id }) => skill_id);
      const mandatory = listMissingMandatory(contract, permissions);
      const stream = await probeStream(implementation, context, egress, signal);
      const skew = clockSkew(found.date);
      const summary = [
        found.credentials.ok ? 'The third party accepts the credentials.' : detail,
        ...(mandatory.length > 0 ? [`Grant the mandatory permission ${mandatory.join(' and ')}, then test again.`] : []),
        ...(missing.length > 0 ? [`Not permitted: ${missing.join(', ')}.`] : []),
        ...(stream?.reachable === false ? [`The event stream cannot be read: ${stream.detail}`] : []),
        ...(skew !== null && Math.abs(skew) > 60 ? [`The clock differs by ${skew} seconds.`] : []),
      ].join(' ');
      return {
        ok: found.credentials.ok && mandatory.length === 0 && stream?.reachable !== false,
        broken: !found.credentials.ok,
        summary,
        hosts: stream === null ? hosts : [...hosts.filter(({ purpose }) => purpose !== stream.purpose), stream],
        credentials: { ok: found.credentials.ok, detail },
        permissions,
        clock_skew_seconds: skew,
      };
    } catch (error) {
      throw scrubError(error, context.connection);
    }
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const resolution = error instanceof ThirdPartyError ? error.resolution : undefined;
    const detail = resolution === undefined ? error.message : `${error.message} ${resolution}`;
    return {
      ...empty,
      hosts,
      ok: false,
      broken: error.code === 'CredentialsRejected',
      summary: detail,
      credentials: { ok: false, detail },
    };
  }
}

function listMissingMandatory(
  { mandatoryPermissions = [] }: ConnectorContract,
  permissions: ConnectionTestReport['permissions'],
): readonly string[] {
  const isMissing = (wanted: string) => permissions.some(({ permission, granted }) => permission === wanted && granted === false);
  return mandatoryPermissions.filter(isMissing);
}

/** null: the connection has no stream. Otherwise signs in to the stream and finds its queue. */
async function probeStream(
  { openStream }: Subject['implementation'],
  { connection: { credentials } }: SkillContext,
  egress: Egress,
  signal: AbortSignal,
): Promise<ConnectionTestReport['hosts'][number] | null> {
  const credential: unknown = credentials[STREAM_CREDENTIAL];
  if (!openStream || !credential) return null;
  const purpose = 'event stream';
  try {
    const stream = openStream(credential);
    await stream.probe({ egress, signal });
    return { purpose, host: stream.name, reachable: true, detail: 'The third party accepts the credentials of the stream.' };
  } catch (error) {
    const detail = error instanceof Error ? scrubText(error.message, credentials) : String(error);
    return { purpose, host: null, reachable: false, detail };
  }
}

async function reach(
  egress: Egress,
  purpose: string,
  url: string | null,
  signal: AbortSignal,
): Promise<ConnectionTestReport['hosts'][number]> {
  if (url === null) return { purpose, host: null, reachable: null, detail: 'Not configured.' };
  const { hostname, port } = new URL(url);
  const host = port === '' ? hostname : `${hostname}:${port}`;
  try {
    const socket: TLSSocket = await egress.connectTls({ host: hostname, port: port === '' ? 443 : Number(port), signal });
    const protocol = socket.getProtocol();
    socket.destroy();
    return { purpose, host, reachable: true, detail: `Reachable over ${protocol ?? 'TLS'}.` };
  } catch (error) {
    return { purpose, host, reachable: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

function clockSkew(date: string | null): number | null {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? null : Math.round((Date.now() - theirs) / 1000);
}
