/** Knows which calls of an author have not ended. */
export class OpenCalls {
  readonly #open = new Map<object, string>();

  /** `calls` has a function for each verb of each connector. */
  watch<Calls extends object>(prefix: 'skills' | 'propose', calls: Calls): Calls {
    const connectors = Object.entries(calls).map(([connector, verbs]: [string, object]) => [
      connector,
      Object.fromEntries(Object.entries(verbs).map(([verb, call]) => [verb, this.#watchOne(`${prefix}.${connector}.${verb}`, call)])),
    ]);
    return Object.fromEntries(connectors);
  }

  list(): string[] {
    return [...new Set(this.#open.values())];
  }

  #watchOne(name: string, call: (...given: unknown[]) => Promise<unknown>) {
    return (...given: unknown[]): Promise<unknown> => {
      const result = call(...given);
      this.#open.set(result, name);
      const end = () => void this.#open.delete(result);
      // Also handles the rejection of a call that nothing awaits, which would fail the workflow task.
      result.then(end, end);
      return result;
    };
  }
}
