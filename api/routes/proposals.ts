import { z } from 'zod';
import { writeContracts } from '../../connectors/skill-index.js';
import { approveProposal, type Decided, reconfirmProposal, refuseProposal } from '../../db/response/proposal-decisions.js';
import { readProposalStart } from '../../db/response/proposal-start.js';
import { findProposal, listProposals } from '../../db/response/proposals.js';
import { releaseProposal } from '../../db/response/release-proposal.js';
import type { Principal } from '../../domain/identity/identity.js';
import {
  ApproveProposal,
  DECIDING_ROLES,
  PROPOSAL_CHANGED,
  Proposal,
  ProposalState,
  proposalStart,
  proposalWorkflowId,
  ReconfirmProposal,
  RefuseProposal,
  ReleaseProposal,
} from '../../domain/response/proposal.js';
import { explainDecision } from '../../domain/response/proposal-result.js';
import { storable } from '../../domain/text.js';
import { conflict, invalid, notFound } from '../../services/errors.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['response'];
const ProposalPath = z.object({ proposal_id: z.uuid() });
const ProposalQuery = PageQuery.extend({ state: ProposalState.optional(), organization_code: storable(32).optional() });
const access = DECIDING_ROLES;

export function proposalRoutes(app: ZodApp, { database: { db }, runner }: RouteDeps): void {
  async function find(principal: Principal, proposalId: string): Promise<Proposal> {
    const proposal = await findProposal(db, principal.organizationUuid, proposalId, writeContracts);
    if (!proposal) throw notFound('proposal with this id');
    return proposal;
  }

  /** The decision is stored. If this signal is lost, the reconcile pass wakes the workflow. */
  async function wake(proposalId: string): Promise<void> {
    await runner.signal([proposalWorkflowId(proposalId)], PROPOSAL_CHANGED);
  }

  /** A run that has not started cannot receive a signal, so it is replaced. A cancelled undo ends when it starts. */
  async function replaceRun(proposalId: string | null): Promise<void> {
    const start = proposalId === null ? null : await readProposalStart(db, proposalId);
    if (start !== null) await runner.replace('proposal', proposalStart(start, Date.now()));
  }

  function check(decided: Decided, otherwise: string): void {
    if (decided === 'missing') throw notFound('proposal with this id');
    if (decided === 'decided') throw conflict(otherwise);
    if (decided === 'repeated') throw conflict(explainDecision(decided, 'approve'));
  }

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
      const { state, organization_code: organizationCode } = query;
      return toListReply(
        await listProposals(db, principal.organizationUuid, { state, organizationCode }, pageRequest(query), writeContracts),
      );
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
    async ({ params, principal }) => find(principal, params.proposal_id),
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
    async ({ params, body, principal }) => {
      const { undoable, skill_id: skillId } = await find(principal, params.proposal_id);
      if (body.release_after_hours !== undefined && !undoable)
        throw invalid([{ pointer: '#/release_after_hours', detail: `${skillId} cannot be undone. Remove release_after_hours.` }]);
      check(await approveProposal(db, principal, params.proposal_id, body), explainDecision('decided', 'approve'));
      await wake(params.proposal_id);
      return find(principal, params.proposal_id);
    },
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
    async ({ params, body, principal }) => {
      check(await refuseProposal(db, principal, params.proposal_id, body.reason), explainDecision('decided', 'refuse'));
      await wake(params.proposal_id);
      return find(principal, params.proposal_id);
    },
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
    async ({ params, body, principal }) => {
      const { decided, moved } = await reconfirmProposal(db, principal, params.proposal_id, body);
      check(decided, 'This proposal has no scheduled undo.');
      await replaceRun(moved);
      return find(principal, params.proposal_id);
    },
  );

  app.post(
    '/platformapi/proposals/:proposal_id/release',
    {
      config: { access, changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'releaseProposalAPI',
        tags,
        summary: 'Undo a write now',
        description: 'Runs the scheduled undo at once, or adds one. The approvals of the write count for its undo.',
        params: ProposalPath,
        body: ReleaseProposal.meta({ examples: [{ reason: 'The machine is clean.' }] }),
        response: { 200: Proposal, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, principal }) => {
      const { decided, moved } = await releaseProposal(db, principal, params.proposal_id, body.reason, writeContracts);
      check(decided, 'The service cannot undo this proposal: it was not done, it has no undo, or its undo has started.');
      await replaceRun(moved);
      return find(principal, params.proposal_id);
    },
  );
}
