import { condition } from '@temporalio/workflow';
import { findAuthorPlace } from '../../domain/playbook/error-place.js';

/** The parts of the SDK's state of a run that have no public function. */
interface Activator {
  readonly completions: Readonly<Record<string, ReadonlyMap<number, unknown>>>;
  readonly blockedConditions: ReadonlyMap<number, unknown>;
  readonly promiseStackStore: { readonly promiseToStack: ReadonlyMap<unknown, { readonly formatted: string }> };
}

/**
 * Rejects when the run waits, but for nothing that can happen: no activity, timer, child workflow or condition. Such a run would
 * stay open for ever.
 */
export async function whenStuck(isEnded: () => boolean): Promise<never> {
  // The SDK checks conditions before and after the promises of an activation continue. Only the second check tells.
  let havePromisesContinued = false;
  await condition(() => {
    const isStuck = !isEnded() && isWaitingForNothing();
    if (isStuck && havePromisesContinued) return true;
    havePromisesContinued = false;
    if (isStuck)
      void Promise.resolve().then(() => {
        havePromisesContinued = true;
      });
    return false;
  });
  const place = findWaitingPlace();
  throw new StuckError('The playbook waits for a promise that nothing resolves.', place);
}

/** An error whose place is not in its stack. */
export class StuckError extends Error {
  override readonly name = 'StuckError';
  readonly place: string | null;

  constructor(message: string, place: string | null) {
    super(message);
    this.place = place;
  }
}

function isWaitingForNothing(): boolean {
  const { completions, blockedConditions } = readActivator();
  // The condition of this check is the one that remains.
  return blockedConditions.size <= 1 && Object.values(completions).every((pending) => pending.size === 0);
}

/** The newest promise that an author's file created and that is open. */
function findWaitingPlace(): string | null {
  const stacks = [...readActivator().promiseStackStore.promiseToStack.values()].map(({ formatted }) => formatted);
  return stacks.map(findAuthorPlace).findLast((place) => place !== null) ?? null;
}

function readActivator(): Activator {
  return Reflect.get(globalThis, '__TEMPORAL_ACTIVATOR__');
}
