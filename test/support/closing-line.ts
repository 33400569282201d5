import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';
import { measureCpuSeconds } from './cpu-seconds.js';

/** Prints the last lines of a run: its CPU time, and the count of tests for programs, such as `12 passed, 0 failed, 1 skipped`. */
export default class ClosingLine implements Reporter {
  readonly #cpu = measureCpuSeconds();
  #closing = '';
  #isWatching = false;

  onInit({ config }: Vitest): void {
    this.#isWatching = config.watch;
    // At the exit all forks and servers have ended, and the kernel has counted their time.
    process.once('exit', () => this.#isWatching || process.stdout.write(`\n${this.#describeCpu()}\n${this.#closing}`));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]).map((test) => test.result().state);
    const count = (state: (typeof tests)[number]) => tests.filter((each) => each === state).length;
    // A file or suite that fails before its tests counts as one failure, as does each error outside of a test.
    const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter((part) => part.errors().length > 0).length;
    const failed = count('failed') + broken + unhandledErrors.length;
    const skipped = count('skipped') + count('pending');
    this.#closing = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
    if (this.#isWatching) process.stdout.write(`\n${this.#closing}`);
  }

  #describeCpu(): string {
    const seconds = this.#cpu.read();
    return `CPU time: ${seconds === null ? 'not measured on this system' : `${Math.round(seconds)} s with all child processes and servers`}`;
  }
}
