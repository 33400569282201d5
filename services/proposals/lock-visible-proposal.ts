import { lockProposal, type ProposalRow } from '../../db/response/proposal-rows.js';
import type { Context, Inside } from '../context.js';
import { notFound } from '../errors.js';

export async function lockVisibleProposal({ db, by }: Pick<Inside<Context>, 'db' | 'by'>, proposalUuid: string): Promise<ProposalRow> {
  const row = await lockProposal(db, by.organizationUuid, proposalUuid);
  if (row === null) throw notFound('proposal with this id');
  return row;
}
