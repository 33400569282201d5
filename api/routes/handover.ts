import type { FastifyRequest } from 'fastify';
import { isUniqueViolation, type Transaction } from '../../db/client.js';
import { findConnection, type GivenCredentials, insertConnection, replaceCredentials } from '../../db/connections/connections.js';
import { findLinkByToken, type LinkRow, recordRefusedLink, redeemCredentialLink } from '../../db/connections/credential-links.js';
import { newUuid } from '../../db/ids.js';
import { findLinkEnd, HandedOver, type Handover, type LinkEnd } from '../../domain/connection/credential-link.js';
import type { Principal } from '../../domain/identity/identity.js';
import { checkFields, splitCredentials } from '../../services/connections/fields.js';
import { requireConnector, testConnection } from '../../services/connections/setup.js';
import { CommandError, conflict } from '../../services/errors.js';
import { refuseIfExceeded } from '../http/auth.js';
import { withinTime } from '../http/deadline.js';
import type { Problem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { describeConnector } from './connectors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the token of a credential link. */
    credentialLink: LinkRow;
  }
}

/** A secret has at most 4,096 characters, and a connector has a few of them. */
const BODY_BYTES = 64 * 1024;
const REQUESTS_PER_MINUTE = 30;

const ENDED: Readonly<Record<LinkEnd, string>> = {
  used: 'This link was used already. It works only once.',
  revoked: 'This link was revoked.',
  expired: 'This link has expired.',
};

const describeEnd = (reason: LinkEnd) => new CommandError('gone', `${ENDED[reason]} Ask the person who sent it for a new one.`);

const NAME_TAKEN = conflict(
  'The organization has got a connection with the name of this one since the link was made. Your credentials are not stored. Ask for a new link.',
);

interface Given extends GivenCredentials {
  readonly secretExpiresOn: string | null;
}

/** In the audit log, the holder of a link has the id of the link. */
function toPrincipal({ linkUuid, organizationUuid }: LinkRow): Principal {
  const person = { personUuid: linkUuid, userUuid: null, sessionUuid: null };
  return { uuid: linkUuid, name: 'customer with a link', role: 'admin', organizationUuid, ...person };
}

function describe(link: LinkRow): Handover {
  const { contract } = requireConnector(link.connectorKind);
  const { title, products, setup, credentials, settings, skills } = describeConnector(contract);
  return {
    organization: link.organizationName,
    asked_by: link.createdBy,
    title,
    products,
    instance_name: link.instanceName,
    setup,
    permissions: [...new Set(skills.flatMap(({ permission }) => (permission === null ? [] : [permission])))],
    credentials,
    settings: settings.flatMap(({ name, label }) => {
      const value = link.settings[name];
      return typeof value === 'string' && value !== '' ? [{ label, value }] : [];
    }),
    expires_at: link.expiresAt,
  };
}

/** For the page of a link. The token is the only key, and it is checked before the body is read. */
export function handoverRoutes(app: ZodApp, { database: { db }, keyring, refusedKeys, runner }: RouteDeps): void {
  app.decorateRequest('credentialLink');
  const countRequest = app.createRateLimit({
    max: REQUESTS_PER_MINUTE,
    timeWindow: 60_000,
    keyGenerator: ({ credentialLink }) => credentialLink.linkUuid,
  });

  async function openLink(request: FastifyRequest): Promise<void> {
    const [, token = null] = /^Bearer (link_[\w-]{43})$/.exec(request.headers.authorization ?? '') ?? [];
    const link = token === null ? null : await withinTime(findLinkByToken(db, token));
    if (link === null) {
      const unknown = new CommandError(
        'not-found',
        'This link is unknown. Check that you opened the whole address, or ask for a new link.',
      );
      throw await refusedKeys.refuse(request, 'credential-link', token, unknown);
    }
    const reason = findLinkEnd(link, Date.now() / 1000);
    if (reason !== null) throw await refuse(request, link, reason);
    request.credentialLink = link;
    refuseIfExceeded(await countRequest(request), 'This link was opened too often. Wait, then try again.');
  }

  /** Throttled refusals are not recorded, so that an old link cannot fill the audit log. */
  async function refuse(request: FastifyRequest, link: LinkRow, reason: LinkEnd): Promise<Problem> {
    const problem = await refusedKeys.refuse(request, 'credential-link', null, describeEnd(reason));
    if (problem.status === 410) await withinTime(recordRefusedLink(db, toPrincipal(link), link, reason));
    return problem;
  }

  async function store(transaction: Transaction, link: LinkRow, connectionUuid: string, given: Given): Promise<string> {
    const by = toPrincipal(link);
    if (link.newConnection !== null) {
      await insertConnection(transaction, by, { ...link.newConnection, connectionUuid, ...given });
      return connectionUuid;
    }
    const connection = await findConnection(transaction, link.organizationUuid, connectionUuid);
    if (connection === null) throw describeEnd('revoked');
    const plainCredentials = { ...connection.plainCredentials, ...given.plainCredentials };
    await replaceCredentials(transaction, by, connection, { plainCredentials, secrets: given.secrets }, given.secretExpiresOn);
    return connectionUuid;
  }

  const access = 'public';

  app.get('/platformapi/handover', { config: { access }, onRequest: openLink, schema: { hide: true } }, async ({ credentialLink }) =>
    describe(credentialLink),
  );

  app.post(
    '/platformapi/handover',
    {
      config: { access, changes: ['connections', 'settings'] },
      onRequest: openLink,
      bodyLimit: BODY_BYTES,
      schema: { hide: true, body: HandedOver },
    },
    async (request, reply) => {
      const { credentialLink: link, body } = request;
      const { contract } = requireConnector(link.connectorKind);
      const credentials = checkFields(contract.credentials, body.credentials, 'credentials');
      const place = { organizationUuid: link.organizationUuid, connectionUuid: link.connectionUuid ?? newUuid() };
      const given = { ...splitCredentials(contract, credentials, keyring, place), secretExpiresOn: body.secret_expires_on ?? null };
      const reason = await redeemCredentialLink(db, toPrincipal(link), link, (transaction) =>
        store(transaction, link, place.connectionUuid, given),
      ).catch((error: unknown) => {
        throw isUniqueViolation(error) ? NAME_TAKEN : error;
      });
      if (reason !== null) throw await refuse(request, link, reason);
      request.changedIn = link.organizationUuid;
      // Staff see the result on the connection. Without Temporal they can start the test later.
      testConnection(runner, { ...place, instanceName: link.instanceName }, 0).catch(() => {});
      return reply.status(204).send(null);
    },
  );
}
