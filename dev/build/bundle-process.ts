import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { StartError } from '../../platform/start-error.js';

/** Bundlers keep several hundred MB for the life of their process, so each bundle is built in a process of its own. */
const Input = z.discriminatedUnion('bundle', [
  z.object({ bundle: z.literal('dashboard'), outDir: z.string() }),
  z.object({ bundle: z.literal('workflows'), entry: z.string(), root: z.string(), file: z.string() }),
]);
export type BundleInput = z.infer<typeof Input>;

const input = Input.parse(JSON.parse(await text(process.stdin)));
if (input.bundle === 'dashboard') {
  const { bundleDashboard } = await import('./bundle-dashboard.js');
  await bundleDashboard(input.outDir);
} else {
  const { bundleWorkflows } = await import('../../worker/workflow-bundle.js');
  try {
    writeFileSync(input.file, await bundleWorkflows(input.entry, { root: input.root }));
  } catch (error) {
    // The parent prints the last lines: for an error that the author can correct, only its sentence.
    console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  }
}
process.exit();
