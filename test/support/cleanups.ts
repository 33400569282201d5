type Cleanup = (test: { hasFailed: boolean }) => unknown;

/**
 * Files of a fork share their modules, so a hook at the top of a support module would run only for the first file.
 * `setup-file.ts` runs these for every file.
 */
export const afterEveryTest: Cleanup[] = [];
export const afterEveryFile: (() => unknown)[] = [];
