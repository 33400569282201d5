import type { Catalogue } from '../../connectors/kit/define.js';
import { lockUnsentOfSkill, type ProposalRow } from '../../db/response/proposal-rows.js';
import { isSameWrite } from '../../domain/response/write-sentence.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { wakeProposals } from './wake.js';
import { withdrawRows } from './withdraw-rows.js';

/** Withdraws the proposals of a write that happened for another alert or by hand, so that no person approves it a second time. */
export async function withdrawRepeated(context: ServiceContext, catalogue: Catalogue, sent: ProposalRow): Promise<void> {
  const contract = catalogue[sent.connectorKey]?.skills[sent.verb];
  if (contract?.effect !== 'write') return;
  await inTransaction(context, async (inside) => {
    const unsent = await lockUnsentOfSkill(inside.db, sent);
    const repeated = unsent.filter(
      ({ proposalUuid, input }) => proposalUuid !== sent.proposalUuid && isSameWrite(contract.target, input, sent.input),
    );
    const reason = sent.alertUuid === null ? 'A person ran the same action by hand.' : 'The same action was done for another alert.';
    await withdrawRows(inside, repeated, reason);
    wakeProposals(inside, repeated);
  });
}
