import { z } from 'zod';
import { writeContracts } from '../../connectors/skill-index.js';
import { listProposals } from '../../db/response/proposals.js';
import { DECIDING_ROLES, ManualFilter, Proposal, ProposalState } from '../../domain/response/proposal.js';
import { storable } from '../../domain/text.js';
import { approveProposal } from '../../services/proposals/approve.js';
import { reconfirmProposal } from '../../services/proposals/reconfirm.js';
import { refuseProposal } from '../../services/proposals/refuse.js';
import { releaseProposal } from '../../services/proposals/release.js';
import { requireProposal } from '../../services/proposals/require-proposal.js';
import { ApproveProposal, ReconfirmProposal, RefuseProposal, ReleaseProposal } from '../../services/proposals/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['response'];
const ProposalPath = z.object({ proposal_id: z.uuid() });
const ProposalQuery = PageQuery.extend({
  state: ProposalState.optional(),
  organization_code: storable(32).optional(),
  connector: storable(100).optional(),
  manual: ManualFilter.default('false').describe(
    '`true`: also the writes that people requested, which have no case and no alert. `only`: no other writes.',
  ),
});
const access = DECIDING_ROLES;

export function proposalRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/proposals',
    {
      config: { access },
      schema: {
        operationId: 'getProposalListAPI',
        tags,
        summary: 'List proposed writes, newest first',
        querystring: ProposalQuery,
        response: { 200: pageSchema(Proposal), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const { state, organization_code: organizationCode, connector: connectorKind, manual } = query;
      const filters = { state, organizationCode, connectorKind, manual };
      return toListReply(await listProposals(db, principal.organizationUuid, filters, pageRequest(query), writeContracts));
    },
  );

  app.get(
    '/platformapi/proposals/:proposal_id',
    {
      config: { access },
      schema: {
        operationId: 'getProposalAPI',
        tags,
        summary: 'Read one proposed write',
        params: ProposalPath,
        response: { 200: Proposal, ...problems(404) },
      },
    },
    async ({ params, context }) => requireProposal(context, params.proposal_id),
  );

  app.post(
    '/platformapi/proposals/:proposal_id/approve',
    {
      config: { access, changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'approveProposalAPI',
        tags,
        summary: 'Approve a proposed write; the service sends it after the last required approval',
        params: ProposalPath,
        body: ApproveProposal.meta({ examples: [{ reason: 'Confirmed with the owner.', release_after_hours: 24 }] }),
        response: { 200: Proposal, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => approveProposal(context, params.proposal_id, body),
  );

  app.post(
    '/platformapi/proposals/:proposal_id/refuse',
    {
      config: { access, changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'refuseProposalAPI',
        tags,
        summary: 'Refuse a proposed write, including an approved write that is held',
        params: ProposalPath,
        body: RefuseProposal.meta({ examples: [{ reason: 'Red team exercise.' }] }),
        response: { 200: Proposal, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => refuseProposal(context, params.proposal_id, body.reason),
  );

  app.post(
    '/platformapi/proposals/:proposal_id/reconfirm',
    {
      config: { access, changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'reconfirmProposalAPI',
        tags,
        summary: 'Postpone or cancel the scheduled undo of a write',
        params: ProposalPath,
        body: ReconfirmProposal.meta({ examples: [{ hours: 24, reason: 'Forensics needs another day.' }] }),
        response: { 200: Proposal, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => reconfirmProposal(context, params.proposal_id, body),
  );

  app.post(
    '/platformapi/proposals/:proposal_id/release',
    {
      config: { access, changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'releaseProposalAPI',
        tags,
        summary: 'Undo a write now',
        description:
          'Runs the scheduled undo at once, or adds one. If the write needs two people, a second person has to send the same request within 24 hours. Until then the reply is 202.',
        params: ProposalPath,
        body: ReleaseProposal.meta({ examples: [{ reason: 'The machine is clean.' }] }),
        response: { 200: Proposal, 202: Proposal, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }, reply) => {
      const { proposal, isPending } = await releaseProposal(context, params.proposal_id, body.reason);
      return reply.status(isPending ? 202 : 200).send(proposal);
    },
  );
}
