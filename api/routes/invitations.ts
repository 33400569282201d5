import { z } from 'zod';
import { listInvitations } from '../../db/identity/invitations.js';
import { createInvitation } from '../../services/invitations/create.js';
import { revokeInvitation } from '../../services/invitations/revoke.js';
import { CreatedInvitation, CreateInvitation, Invitation } from '../../services/invitations/wire.js';
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
    async ({ body, context }, reply) => reply.status(201).send(await createInvitation(context, body)),
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
    '/platformapi/invitations/:invitation_id',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'revokeInvitationAPI',
        tags,
        summary: 'Revoke an invitation',
        params: z.object({ invitation_id: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      await revokeInvitation(context, params.invitation_id);
      return reply.status(204).send(null);
    },
  );
}
