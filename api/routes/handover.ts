import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findAgentFacts } from '../../db/agents/remote-agents.js';
import type { Db } from '../../db/client.js';
import { findLinkByToken, type LinkRow } from '../../db/connections/credential-links.js';
import { findLinkEnd } from '../../domain/connection/credential-link.js';
import { requireConnector } from '../../services/connections/setup.js';
import { readClock } from '../../services/context.js';
import { LinkEnded } from '../../services/credential-links/link.js';
import { recordRefusal } from '../../services/credential-links/record-refusal.js';
import { redeemLink } from '../../services/credential-links/redeem.js';
import { HandedOver, Handover } from '../../services/credential-links/wire.js';
import { CommandError } from '../../services/errors.js';
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

async function describe(db: Db, link: LinkRow): Promise<Handover> {
  const { name, contract } = requireConnector(link.connectorKind);
  const { title, products, setup, credentials, settings, skills } = describeConnector(name, contract);
  const agent = link.remoteAgentUuid === null ? null : await findAgentFacts(db, link.remoteAgentUuid);
  return {
    organization: link.organizationName,
    asked_by: link.createdBy,
    title,
    products,
    instance_name: link.instanceName,
    setup,
    permissions: [...new Set(skills.flatMap(({ permission }) => (permission === null ? [] : [permission])))],
    credentials,
    settings: settings.flatMap(({ name: field, label }) => {
      const value = link.settings[field];
      return typeof value === 'string' && value !== '' ? [{ label, value }] : [];
    }),
    remote_agent: agent === null ? null : { name: agent.name },
    expires_at: link.expiresAt,
  };
}

/** For the page of a link. The token is the only key, and it is checked before the body is read. */
export function handoverRoutes(app: ZodApp, { database: { db }, keyring, refusedKeys, runner }: RouteDeps): void {
  const context = { by: null, db, keyring, runner, now: readClock };
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
    if (reason !== null) throw await refuse(request, link, new LinkEnded(reason));
    request.credentialLink = link;
    refuseIfExceeded(await countRequest(request), 'This link was opened too often. Wait, then try again.');
  }

  /** Throttled refusals are not recorded, so that an old link cannot fill the audit log. */
  async function refuse(request: FastifyRequest, link: LinkRow, ended: LinkEnded): Promise<Problem> {
    const problem = await refusedKeys.refuse(request, 'credential-link', null, ended);
    if (problem.status === 410) await withinTime(recordRefusal(context, link, ended.reason));
    return problem;
  }

  const access = 'public';

  app.get(
    '/platformapi/handover',
    { config: { access }, onRequest: openLink, schema: { hide: true, response: { 200: Handover } } },
    async ({ credentialLink }) => describe(db, credentialLink),
  );

  app.post(
    '/platformapi/handover',
    {
      config: { access, changes: ['connections', 'settings'] },
      onRequest: openLink,
      bodyLimit: BODY_BYTES,
      schema: { hide: true, body: HandedOver, response: { 204: z.null() } },
    },
    async (request, reply) => {
      const { credentialLink: link, body } = request;
      await redeemLink(context, link, body).catch(async (error: unknown) => {
        throw error instanceof LinkEnded ? await refuse(request, link, error) : error;
      });
      request.changedIn = link.organizationUuid;
      return reply.status(204).send(null);
    },
  );
}
