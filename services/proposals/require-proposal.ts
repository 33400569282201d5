import { writeContracts } from '../../connectors/skill-index.js';
import { findProposal } from '../../db/response/proposals.js';
import type { Proposal } from '../../domain/response/proposal.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';

/** The proposal as it is now. */
export async function requireProposal({ db, by }: Pick<Context, 'db' | 'by'>, proposalUuid: string): Promise<Proposal> {
  const proposal = await findProposal(db, by.organizationUuid, proposalUuid, writeContracts);
  if (proposal === null) throw notFound('proposal with this id');
  return proposal;
}
