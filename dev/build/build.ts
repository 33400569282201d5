import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../platform/start-error.js';
import { ROOT } from './digest.js';
import { runBundler } from './run-bundler.js';
import { writeSbom } from './sbom.js';

/** Writes dist/: the compiled code, the migrations, the behaviour rules, the pages, the workflow bundle and the list of libraries. */
export async function build(): Promise<void> {
  const dist = join(ROOT, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(ROOT, 'tsconfig.build.json')], { stdio: 'inherit' });
  if (status !== 0) throw new StartError('The compiler found errors. Fix the errors above and build again.');
  cpSync(join(ROOT, 'db/migrations'), join(dist, 'db/migrations'), { recursive: true });
  cpSync(join(ROOT, 'domain/investigation/behaviours'), join(dist, 'domain/investigation/behaviours'), { recursive: true });
  const file = join(dist, 'workflow-bundle.js');
  await runBundler({ bundle: 'dashboard', outDir: join(dist, 'pages') });
  await runBundler({ bundle: 'workflows', entry: join(dist, 'workflows/index.js'), root: dist, file });
  writeSbom(join(dist, 'sbom.cdx.json'));
  console.log(`Built dist/. The workflow bundle has ${Math.round(statSync(file).size / 1024)} kB.`);
}
