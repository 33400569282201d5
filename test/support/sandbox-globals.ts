import { AsyncLocalStorage } from 'node:async_hooks';
import { findAuthorPlace } from '../../domain/playbook/error-place.js';
import { describeForbidden, FORBIDDEN_GLOBALS } from '../../domain/playbook/forbidden-globals.js';

const inPlaybook = new AsyncLocalStorage<boolean>();

/** Runs the function of a playbook. The globals that the workflow sandbox does not have throw in it. */
export function runInSandbox<Result>(run: () => Promise<Result>): Promise<Result> {
  hideGlobals();
  return inPlaybook.run(true, run);
}

/** Runs code of a test that the playbook calls. It may use every global. */
export function runOutside<Result>(run: () => Result): Result {
  return inPlaybook.run(false, run);
}

let areHidden = false;
function hideGlobals(): void {
  if (areHidden) return;
  areHidden = true;
  for (const name of FORBIDDEN_GLOBALS) {
    const value: unknown = Reflect.get(globalThis, name);
    if (value === undefined) continue;
    Object.defineProperty(globalThis, name, {
      configurable: true,
      enumerable: false,
      get() {
        if (inPlaybook.getStore() !== true) return value;
        // Libraries may look for a global. Only the author's own use is a mistake.
        const stack = new Error('the place of the use').stack;
        const place = isDirectUse(stack) ? findAuthorPlace(stack) : null;
        if (place === null) return value;
        throw new Error(`${place} uses ${name}. ${describeForbidden(name)}`);
      },
    });
  }
}

/** The frames are the error, this getter and the code that uses the global. */
function isDirectUse(stack: string | undefined): boolean {
  const user = stack?.split('\n')[2] ?? '';
  return !user.includes('node_modules') && !user.includes('node:');
}
