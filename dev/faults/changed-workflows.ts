import { sleep } from '@temporalio/workflow';
import * as workflows from '../../workflows/index.js';

export * from '../../workflows/index.js';

const { reportedPhishing: original, generated: originalGenerated } = workflows;

/** Another build: one more step at the beginning, so a run that changed its build would fail. */
export const reportedPhishing: typeof original = Object.assign(async (...input: Parameters<typeof original>) => {
  await sleep('1s');
  return await original(...input);
}, original);

export const generated: typeof originalGenerated = Object.assign(async (...input: Parameters<typeof originalGenerated>) => {
  await sleep('1s');
  return await originalGenerated(...input);
}, originalGenerated);
