import { findAuthorPlace } from '../../domain/playbook/error-place.js';

interface Call {
  readonly name: string;
  /** Its stack is read only to report the call. */
  readonly calledAt: Error;
  isEnded: boolean;
  reads: number;
}

interface MissedCall {
  readonly name: string;
  /** `workflows/playbooks/data-loss.ts:12`. */
  readonly place: string | null;
}

/** Knows which calls of an author have not ended, and which ones no code awaited. */
export class WatchedCalls {
  readonly #calls: Call[] = [];
  readonly #readsBySettling = countReadsBySettling();

  /** `calls` has a function for each verb of each connector. */
  watch<Calls extends object>(prefix: 'skills' | 'propose', calls: Calls): Calls {
    const connectors = Object.entries(calls).map(([connector, verbs]: [string, object]) => [
      connector,
      Object.fromEntries(Object.entries(verbs).map(([verb, call]) => [verb, this.#watchOne(`${prefix}.${connector}.${verb}`, call)])),
    ]);
    return Object.fromEntries(connectors);
  }

  listOpen(): MissedCall[] {
    return listMissed(this.#calls.filter(({ isEnded }) => !isEnded));
  }

  listUnawaited(): MissedCall[] {
    return listMissed(this.#calls.filter((call) => !this.#isAwaited(call)));
  }

  /** Ended, although no code awaited it. */
  listEndedUnawaited(): MissedCall[] {
    return listMissed(this.#calls.filter((call) => call.isEnded && !this.#isAwaited(call)));
  }

  #isAwaited({ reads, isEnded }: Call): boolean {
    return reads > (isEnded ? this.#readsBySettling : 0);
  }

  #watchOne(name: string, perform: (...given: unknown[]) => Promise<unknown>) {
    return (...given: unknown[]): Promise<unknown> => {
      const result = perform(...given);
      const call: Call = { name, calledAt: new Error('The place of the call.'), isEnded: false, reads: 0 };
      this.#calls.push(call);
      const end = () => {
        call.isEnded = true;
      };
      // Also handles the rejection of a call that nothing awaits, which would fail the workflow task.
      result.then(end, end);
      onConstructorRead(result, () => {
        call.reads += 1;
      });
      return result;
    };
  }
}

/**
 * `await`, `then` and `Promise.all` read the constructor of a promise. A promise of another class would tell the same, but each
 * `await` of it takes longer, which changes the order of steps in recorded histories.
 */
function onConstructorRead(promise: Promise<unknown>, notice: () => void): void {
  Reflect.defineProperty(promise, 'constructor', {
    configurable: true,
    get() {
      notice();
      return Promise;
    },
  });
}

/** The SDK reads the constructor of each promise that settles. */
function countReadsBySettling(): number {
  let reads = 0;
  let settle = () => {};
  const probe = new Promise<void>((resolve) => {
    settle = resolve;
  });
  onConstructorRead(probe, () => {
    reads += 1;
  });
  settle();
  return reads;
}

function listMissed(calls: readonly Call[]): MissedCall[] {
  const missed = calls.map(({ name, calledAt }) => ({ name, place: findAuthorPlace(calledAt.stack) }));
  return [...new Map(missed.map((call) => [`${call.name} ${call.place}`, call])).values()];
}
