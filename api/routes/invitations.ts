import { z } from 'zod';
import { createInvitation, listInvitations, revokeInvitation } from '../../db/identity/invitations.js';
import { CreatedInvitation, CreateInvitation, Invitation } from '../../domain/identity/user.js';
import { notFound } from '../../services/errors.js';
import { grantableOrganization } from '../../services/organizations/require-organization.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['users'];

/** Local users join by invitation. */
export function invitationRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.post(
    '/platformapi/invitations',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'createInvitationAPI',
        tags,
        summary: 'Invite a person to become a local user',
        body: CreateInvitation.meta({ examples: [{ email: 'dana@harbour.example', role: 'analyst', organization_code: 'DEMO' }] }),
        response: { 201: CreatedInvitation, ...problems(413, 415) },
      },
    },
    async ({ body: { email, role, organization_code }, principal }, reply) => {
      const organizationUuid = await grantableOrganization(db, principal, organization_code);
      const created = await createInvitation(db, principal, { email, role, organizationUuid });
      return reply.status(201).send({ ...created, email, role, organization_code });
    },
  );

  app.get(
    '/platformapi/invitations',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getInvitationListAPI',
        tags,
        summary: 'List invitations that can still be used (never their links)',
        querystring: PageQuery,
        response: { 200: pageSchema(Invitation), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listInvitations(db, principal.organizationUuid, pageRequest(query))),
  );

  app.delete(
    '/platformapi/invitations/:invitation_uuid',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'revokeInvitationAPI',
        tags,
        summary: 'Revoke an invitation',
        params: z.object({ invitation_uuid: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, principal }, reply) => {
      if (!(await revokeInvitation(db, principal, params.invitation_uuid))) throw notFound('open invitation with this id');
      return reply.status(204).send(null);
    },
  );
}
