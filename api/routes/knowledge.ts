import { z } from 'zod';
import { listKnowledge } from '../../db/organization/knowledge.js';
import { KnowledgeSuggestion } from '../../domain/organization/knowledge.js';
import { storable } from '../../domain/text.js';
import { addKnowledge } from '../../services/knowledge/add.js';
import { changeKnowledge } from '../../services/knowledge/change.js';
import { rejectSuggestion } from '../../services/knowledge/reject-suggestion.js';
import { removeKnowledge } from '../../services/knowledge/remove.js';
import { suggestKnowledge } from '../../services/knowledge/suggest.js';
import { Knowledge, SaveKnowledge } from '../../services/knowledge/wire.js';
import { requirePathOrganization } from '../../services/organizations/require-organization.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['organizations'];
const OrganizationPath = z.object({ organization_code: storable(32) });
const KnowledgePath = OrganizationPath.extend({ knowledge_id: z.uuid() });
const EXAMPLE = { kind: 'vpn-exit', value: '198.51.100.0/28', note: 'VPN of the Lyon office' } as const;
const LIST = '/platformapi/organizations/:organization_code/knowledge';
const SUGGESTIONS = '/platformapi/organizations/:organization_code/knowledge-suggestions';

/** What an organization knows about itself: own domains, networks, relays, test accounts and drill providers. */
export function knowledgeRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    LIST,
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getKnowledgeListAPI',
        tags,
        summary: 'List what an organization knows about itself',
        params: OrganizationPath,
        querystring: PageQuery,
        response: { 200: pageSchema(Knowledge), ...problems(404) },
      },
    },
    async ({ params, query, principal }) => {
      const organizationUuid = await requirePathOrganization(db, principal, params.organization_code);
      return toListReply(await listKnowledge(db, organizationUuid, pageRequest(query)));
    },
  );

  app.post(
    LIST,
    {
      config: { access: ['admin'], changes: ['settings', 'alerts'] },
      schema: {
        operationId: 'createKnowledgeAPI',
        tags,
        summary: 'Add an own domain, network, relay, account or drill provider',
        description: 'Investigations mark matching entities as own. An accepted suggestion is added the same way.',
        params: OrganizationPath,
        body: SaveKnowledge.meta({ examples: [EXAMPLE] }),
        response: { 201: Knowledge, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }, reply) => reply.status(201).send(await addKnowledge(context, params.organization_code, body)),
  );

  app.put(
    `${LIST}/:knowledge_id`,
    {
      config: { access: ['admin'], changes: ['settings', 'alerts'] },
      schema: {
        operationId: 'updateKnowledgeAPI',
        tags,
        summary: 'Replace an entry',
        params: KnowledgePath,
        body: SaveKnowledge.meta({ examples: [EXAMPLE] }),
        response: { 200: Knowledge, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => changeKnowledge(context, params.organization_code, params.knowledge_id, body),
  );

  app.delete(
    `${LIST}/:knowledge_id`,
    {
      config: { access: ['admin'], changes: ['settings', 'alerts'] },
      schema: {
        operationId: 'deleteKnowledgeAPI',
        tags,
        summary: 'Remove an entry',
        params: KnowledgePath,
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      await removeKnowledge(context, params.organization_code, params.knowledge_id);
      return reply.status(204).send(null);
    },
  );

  app.get(
    SUGGESTIONS,
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getKnowledgeSuggestionListAPI',
        tags,
        summary: 'List what stored alerts and answers suggest',
        description:
          'Values that records and alerts of many people or machines share, and what else stored data suggests. Suggestions have no effect until an admin adds them to the knowledge of the organization.',
        params: OrganizationPath,
        response: { 200: z.object({ items: z.array(KnowledgeSuggestion) }), ...problems(404) },
      },
    },
    async ({ params, principal }) => ({ items: await suggestKnowledge(db, principal, params.organization_code) }),
  );

  app.post(
    `${SUGGESTIONS}/reject`,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'rejectKnowledgeSuggestionAPI',
        tags,
        summary: 'Reject a suggestion, so that it does not appear again',
        params: OrganizationPath,
        body: SaveKnowledge.meta({ examples: [{ kind: 'domain', value: 'partner.example' }] }),
        response: { 204: z.null(), ...problems(404, 413, 415) },
      },
    },
    async ({ params, body, context }, reply) => {
      await rejectSuggestion(context, params.organization_code, body);
      return reply.status(204).send(null);
    },
  );
}
