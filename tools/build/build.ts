import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../../worker/workflow-bundle.js';
import { buildDashboard } from './dashboard.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });

const compiled = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(1);

cpSync(join(root, 'db/migrations'), join(dist, 'db/migrations'), { recursive: true });

await buildDashboard(join(dist, 'pages'));

// Bundled now, a worker starts in a second and needs neither webpack nor the sources of the workflows.
const code = await bundleWorkflows(join(dist, 'workflows/index.js'), { root: dist });
writeFileSync(join(dist, 'workflow-bundle.js'), code);
console.log(`dist/ is built; the workflow bundle has ${Math.round(Buffer.byteLength(code) / 1024)} kB.`);
