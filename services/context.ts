import type { Db, Transaction } from '../db/client.js';
import type { Principal } from '../domain/identity/identity.js';
import type { WorkflowRunner } from './workflow-runner.js';

/** For a command that needs no Temporal. */
export interface WorkContext {
  /** null: the service itself. */
  readonly by: Principal | null;
  /** A command opens its transaction with `inTransaction`. In a transaction already, it joins that one. */
  readonly db: Db | Transaction;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Set in a transaction. */
  readonly beforeCommit?: (step: LastStep) => void;
  readonly afterCommit?: (effect: Effect) => void;
}

/** For work without a person, such as ending an investigation. */
export interface ServiceContext extends WorkContext {
  readonly runner: Pick<WorkflowRunner, 'run' | 'start' | 'startOnce' | 'signal' | 'replace' | 'wakeChannels'>;
}

/** For a command that a person or a key gives. */
export interface Context extends ServiceContext {
  readonly by: Principal;
}

type LastStep = (db: Transaction) => Promise<void>;
type Effect = () => Promise<void>;
type Transactional = Pick<ServiceContext, 'db' | 'beforeCommit' | 'afterCommit'>;

/** The context in a transaction. */
export type Inside<Outer extends Transactional> = Outer & {
  readonly db: Transaction;
  readonly beforeCommit: (step: LastStep) => void;
  readonly afterCommit: (effect: Effect) => void;
};

/**
 * Runs a command in one transaction. `beforeCommit` takes events, whose locks must be the last. `afterCommit` takes signals, which must
 * not overtake the rows that their receiver reads. A command that another command calls joins the transaction of that one.
 */
export async function inTransaction<Outer extends Transactional, Result>(
  context: Outer,
  work: (inside: Inside<Outer>) => Promise<Result>,
): Promise<Result> {
  const steps: LastStep[] = [];
  const effects: Effect[] = [];
  const isOutermost = context.beforeCommit === undefined;
  const result = await context.db.transaction(async (db) => {
    const queues = { beforeCommit: (step: LastStep) => void steps.push(step), afterCommit: (effect: Effect) => void effects.push(effect) };
    const worked = await work({ ...context, db, ...queues });
    if (isOutermost) for (const step of steps) await step(db);
    return worked;
  });
  if (!isOutermost) for (const step of steps) context.beforeCommit?.(step);
  for (const effect of effects) context.afterCommit ? context.afterCommit(effect) : await effect();
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
