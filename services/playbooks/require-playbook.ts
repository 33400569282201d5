import type { Db, Transaction } from '../../db/client.js';
import { findPlaybook, lockPlaybook } from '../../db/playbooks/playbooks.js';
import { CommandError, conflict, notFound } from '../errors.js';
import type { Playbook } from './wire.js';

export async function requirePlaybook(db: Db | Transaction, scope: string | null, playbookUuid: string): Promise<Playbook> {
  const playbook = await findPlaybook(db, scope, playbookUuid);
  if (playbook === null) throw notFound('playbook with this id');
  return playbook;
}

/** A playbook with a plan to read. */
export async function requirePlanned(db: Db | Transaction, scope: string | null, playbookUuid: string): Promise<Playbook> {
  const playbook = await requirePlaybook(db, scope, playbookUuid);
  if (playbook.origin === 'written') throw new CommandError('not-found', `${playbook.name} is written in TypeScript and has no plan.`);
  return playbook;
}

/** A playbook with a plan to change, locked until the end of the transaction. */
export async function lockGeneratedPlaybook(db: Transaction, scope: string | null, playbookUuid: string) {
  const playbook = await lockPlaybook(db, scope, playbookUuid);
  if (playbook === null) throw notFound('playbook with this id');
  if (playbook.origin === 'written')
    throw conflict(`${playbook.name} is written in TypeScript and has no plan. Change its file in workflows/playbooks.`);
  return playbook;
}
