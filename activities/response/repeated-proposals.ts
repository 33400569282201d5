import type { Client } from '@temporalio/client';
import type { Catalogue } from '../../connectors/kit/define.js';
import type { Db } from '../../db/client.js';
import { type HappenedWrite, withdrawRepeated } from '../../db/response/withdraw-repeated.js';
import { PROPOSAL_CHANGED, proposalWorkflowId } from '../../domain/response/proposal.js';
import { isSameWrite } from '../../domain/response/write-sentence.js';

interface Deps {
  readonly catalogue: Catalogue;
  readonly db: Db;
  readonly client: Client;
}

/** Withdraws the proposals of a write that happened for another alert or by hand, so that no person approves it a second time. */
export async function withdrawHappened({ catalogue, db, client }: Deps, write: HappenedWrite, proposalId?: string): Promise<void> {
  const contract = catalogue[write.connectorKey]?.skills[write.verb];
  if (contract?.effect !== 'write') return;
  const withdrawn = await withdrawRepeated(db, write, {
    reason: proposalId === undefined ? 'A person ran the same action by hand.' : 'The same action was done for another alert.',
    isSame: (input) => isSameWrite(contract.target, input, write.input),
    ...(proposalId === undefined ? {} : { except: proposalId }),
  });
  for (const each of withdrawn) {
    // A lost signal is harmless: the reconcile pass ends the run of a withdrawn proposal.
    const handle = client.workflow.getHandle(proposalWorkflowId(each));
    await handle.signal(PROPOSAL_CHANGED).catch(() => undefined);
  }
}
