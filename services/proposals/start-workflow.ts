import { readProposalStart } from '../../db/response/proposal-start.js';
import { proposalStart } from '../../domain/response/proposal.js';
import type { ServiceContext } from '../context.js';

/** The workflow id prevents a second start of a proposal. */
export async function startProposal({ db, runner, now }: ServiceContext, proposalUuid: string): Promise<void> {
  const start = await readProposalStart(db, proposalUuid);
  if (start !== null) await runner.startOnce('proposal', proposalStart(start, now() * 1000));
}

/** A run that has not started cannot receive a signal, so it is replaced. A cancelled undo ends when it starts. */
export async function replaceRun({ db, runner, now }: ServiceContext, proposalUuid: string): Promise<void> {
  const start = await readProposalStart(db, proposalUuid);
  if (start !== null) await runner.replace('proposal', proposalStart(start, now() * 1000));
}
