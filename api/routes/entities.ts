import { z } from 'zod';
import { CARDS } from '../../connectors/skill-index.js';
import { readCaseGraph } from '../../db/cases/case-graph.js';
import { listConnectorKinds } from '../../db/connections/connections.js';
import { countEntityAlerts, type EntityRef, findEntity, listEntityAlerts, listOtherNames } from '../../db/entities/entities.js';
import { listEntityAnswers } from '../../db/entities/entity-answers.js';
import { findOrganizationCode } from '../../db/identity/organizations.js';
import { readKnowledge } from '../../db/organization/knowledge.js';
import { readProtection } from '../../db/response/protected-assets.js';
import { CaseGraph } from '../../domain/case/case-graph.js';
import { EntityAlert, EntityDetail } from '../../domain/case/entity-page.js';
import { Entity } from '../../domain/entity/entity.js';
import type { Principal } from '../../domain/identity/identity.js';
import { listOwn } from '../../domain/organization/own-entities.js';
import { listProtections } from '../../domain/response/response-rules.js';
import { storable } from '../../domain/text.js';
import { listEntityActions } from '../../services/entities/actions.js';
import { notFound } from '../../services/errors.js';
import { resolveOrganization } from '../../services/organizations/require-organization.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['entities'];

/** Parameters of the query: a URL as an entity does not fit in a path. */
const EntityQuery = z.object({
  kind: Entity.shape.kind,
  value: Entity.shape.value.describe('The value in any spelling: short or full name, upper or lower case, defanged.'),
  organization_code: storable(32).optional().describe('Required for a key that covers all organizations.'),
});

export function entityRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  const resolve = async (principal: Principal, query: z.output<typeof EntityQuery>): Promise<EntityRef> => {
    const place = { parameter: 'organization_code' };
    const organizationUuid = await resolveOrganization(db, principal, query.organization_code, place);
    return findEntity(db, organizationUuid, query);
  };

  app.get(
    '/platformapi/entity',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getEntityAPI',
        tags,
        summary: 'Read what is stored about a host, an account, an address or another entity',
        description: 'From stored alerts and answers only. No third party is asked. An entity that no alert contains has empty lists.',
        querystring: EntityQuery,
        response: { 200: EntityDetail, ...problems() },
      },
    },
    async ({ query, principal }) => {
      const entity = await resolve(principal, query);
      const { organizationUuid, canonical, spellings } = entity;
      const [code, counts, knowledge, protections, names, told, connectorKinds] = await Promise.all([
        findOrganizationCode(db, organizationUuid),
        countEntityAlerts(db, entity),
        readKnowledge(db, organizationUuid),
        readProtection(db, [organizationUuid]),
        listOtherNames(db, entity),
        listEntityAnswers(db, entity, CARDS),
        listConnectorKinds(db, organizationUuid),
      ]);
      const [own] = listOwn(spellings, knowledge);
      const assets = protections.get(organizationUuid)?.assets ?? [];
      return {
        ...canonical,
        organization_code: code ?? '',
        own: own?.reason ?? null,
        protected: [...new Set(spellings.flatMap((spelling) => listProtections(spelling, assets)))],
        ...counts,
        ...names,
        ...told,
        actions: listEntityActions(spellings, connectorKinds),
      };
    },
  );

  app.get(
    '/platformapi/entity/alerts',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getEntityAlertListAPI',
        tags,
        summary: 'List the alerts that contain an entity, with their cases, newest first',
        querystring: EntityQuery.extend(PageQuery.shape),
        response: { 200: pageSchema(EntityAlert), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listEntityAlerts(db, await resolve(principal, query), pageRequest(query))),
  );

  app.get(
    '/platformapi/cases/:case_id/graph',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getCaseGraphAPI',
        tags: ['cases'],
        summary: "Read the entities of a case's alerts, and the events around them",
        params: z.object({ case_id: storable(100) }),
        response: { 200: CaseGraph, ...problems(404) },
      },
    },
    async ({ params, principal }) => {
      const graph = await readCaseGraph(db, principal.organizationUuid, params.case_id);
      if (!graph) throw notFound('case with this id');
      return graph;
    },
  );
}
