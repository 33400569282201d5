import type { Db, Transaction } from '../db/client.js';
import type { Principal } from '../domain/identity/identity.js';
import type { WorkflowRunner } from './workflow-runner.js';

/** For work that signals no workflow. */
export interface WorkContext {
  /** null: the service itself. */
  readonly by: Principal | null;
  /** A command opens its transaction with `inTransaction`. In a transaction already, it joins that one. */
  readonly db: Db | Transaction;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Set in a transaction. */
  readonly afterCommit?: (effect: Effect) => void;
}

/** For work without a person, such as ending an investigation. */
export interface ServiceContext extends WorkContext {
  readonly runner: Pick<WorkflowRunner, 'signal' | 'replace' | 'wakeChannels'>;
}

/** For a command that a person or a key gives. */
export interface Context extends ServiceContext {
  readonly by: Principal;
}

/** For a command that signals no workflow. */
export type RowContext = Pick<ServiceContext, 'db' | 'now' | 'afterCommit'>;

type Effect = () => Promise<void>;
type Transactional = Pick<ServiceContext, 'db' | 'afterCommit'>;

/** The context in a transaction. */
export type Inside<Outer extends Transactional> = Outer & { readonly db: Transaction; readonly afterCommit: (effect: Effect) => void };

/**
 * Runs the statements of a command in one transaction. `afterCommit` takes signals, which must not overtake the rows that their
 * receiver reads. A command that another command calls joins the transaction of that one.
 */
export async function inTransaction<Outer extends Transactional, Result>(
  context: Outer,
  work: (inside: Inside<Outer>) => Promise<Result>,
): Promise<Result> {
  const effects: Effect[] = [];
  const afterCommit = context.afterCommit ?? ((effect: Effect) => void effects.push(effect));
  const result = await context.db.transaction((transaction) => work({ ...context, db: transaction, afterCommit }));
  for (const effect of effects) await effect();
  return result;
}

/** For the service's own work, such as ending an investigation. */
export function asService(db: Db): WorkContext {
  return { by: null, db, now: readClock };
}

/** The clock of every process. Tests pass their own. */
export function readClock(): number {
  return Math.floor(Date.now() / 1000);
}
