import { findAuthorPlace } from '../../domain/playbook/error-place.js';

/** Notes whether code awaits it, directly or with Promise.all. */
class WatchedPromise<Value> extends Promise<Value> {
  isAwaited = false;

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it.
  override then<Fulfilled = Value, Rejected = never>(...handlers: Parameters<typeof Promise.prototype.then<Fulfilled, Rejected>>) {
    this.isAwaited = true;
    return super.then(...handlers);
  }

  /** A chain of a watched promise is a plain promise. */
  static override get [Symbol.species]() {
    return Promise;
  }
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** Finds the calls of a playbook that it did not await. */
export class AwaitedCalls {
  readonly #calls: { readonly name: string; readonly place: string | null; readonly result: WatchedPromise<unknown> }[] = [];

  watch<Calls extends object>(prefix: 'skills' | 'propose', calls: Calls): Calls {
    const watchOne =
      (name: string, call: Call) =>
      (...given: unknown[]) => {
        const place = findAuthorPlace(new Error('the place of the call').stack);
        const result = new WatchedPromise<unknown>((resolve, reject) => void call(...given).then(resolve, reject));
        this.#calls.push({ name, place, result });
        return result;
      };
    const watched = Object.entries(calls).map(([connector, verbs]: [string, Record<string, Call>]) => [
      connector,
      Object.fromEntries(Object.entries(verbs).map(([verb, call]) => [verb, watchOne(`${prefix}.${connector}.${verb}`, call)])),
    ]);
    return Object.fromEntries(watched);
  }

  requireAwaited(): void {
    const missed = this.#calls.find(({ result }) => !result.isAwaited);
    for (const { result } of this.#calls) result.catch(() => {});
    if (missed) throw new Error(`${missed.name} was called without await${missed.place === null ? '' : ` at ${missed.place}`}. Add await.`);
  }
}
