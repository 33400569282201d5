import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** Bundlers keep several hundred MB for the life of their process, so each bundle is built in a process of its own. */
const Input = z.discriminatedUnion('bundle', [
  z.object({ bundle: z.literal('dashboard'), outDir: z.string() }),
  z.object({ bundle: z.literal('workflows'), entry: z.string(), root: z.string(), file: z.string() }),
]);
export type BundleInput = z.infer<typeof Input>;

const ignore = () => undefined;
const logger = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: console.warn, error: console.error };

const input = Input.parse(JSON.parse(await text(process.stdin)));
if (input.bundle === 'dashboard') {
  const { bundleDashboard } = await import('./bundle-dashboard.js');
  await bundleDashboard(input.outDir);
} else {
  const { bundleWorkflows } = await import('../../worker/workflow-bundle.js');
  writeFileSync(input.file, await bundleWorkflows(input.entry, { root: input.root, logger }));
}
process.exit();
