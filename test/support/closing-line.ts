import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Prints the last line of a run, for programs that count tests: `12 passed, 0 failed, 1 skipped`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]).map((test) => test.result().state);
    const count = (state: (typeof tests)[number]) => tests.filter((each) => each === state).length;
    // A file or suite that fails before its tests counts as one failure, as does each error outside of a test.
    const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter((part) => part.errors().length > 0).length;
    const failed = count('failed') + broken + unhandledErrors.length;
    const skipped = count('skipped') + count('pending');
    process.stdout.write(`\n${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  }
}
