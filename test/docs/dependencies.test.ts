import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { expect, it } from 'vitest';
import { z } from 'zod';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFile(new URL(file, root), 'utf8');
const Versions = z.record(z.string(), z.string());
const manifest = z
  .object({ dependencies: Versions, devDependencies: Versions, overrides: z.record(z.string(), z.union([z.string(), Versions])) })
  .parse(JSON.parse(await read('package.json')));

/** The packages that the compiled processes import: `tsconfig.build.json` lists their folders. */
async function listProductionImports(): Promise<Set<string>> {
  const { include } = z.object({ include: z.array(z.string()) }).parse(JSON.parse(await read('tsconfig.build.json')));
  const imports = new Set<string>();
  for (const folder of include) {
    const files = await readdir(new URL(folder, root), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.includes('stand-in'))) {
      const statements = (await read(`${folder}/${file}`)).matchAll(
        /(?:^import|^export|^\} from| from|import\() ?'(?<name>[@\w][\w./:@-]*)';?/gm,
      );
      for (const { groups } of statements) imports.add(/^(?:@[^/]+\/)?[^/]+/.exec(groups?.name ?? '')?.[0] ?? '');
    }
  }
  return new Set([...imports].filter((name) => !isBuiltin(name)));
}

it('production code imports production dependencies only', async () => {
  const missing = [...(await listProductionImports())].filter((name) => !(name in manifest.dependencies));
  expect(missing).toEqual([]);
});

it('docs/dependencies.md explains each production dependency that no file imports', async () => {
  const imports = await listProductionImports();
  const document = await read('docs/dependencies.md');
  const unexplained = Object.keys(manifest.dependencies).filter((name) => !imports.has(name) && !document.includes(`| \`${name}\` |`));
  expect(unexplained).toEqual([]);
});

it('docs/dependencies.md explains each override and each pre-release', async () => {
  const document = await read('docs/dependencies.md');
  const overrides = Object.entries(manifest.overrides).map(([name, version]) =>
    typeof version === 'string' ? `| \`${name}\` ${version} |` : `| \`${name}\` |`,
  );
  const prereleases = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(([, version]) =>
    version.includes('-'),
  );
  for (const row of [...overrides, ...prereleases.map(([name, version]) => `| \`${name}\` | ${version} |`)])
    expect(document).toContain(row);
});

it('versions are exact, and the lock file names no registry', async () => {
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.filter(([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+/.test(version))).toEqual([]);
  expect(await read('package-lock.json')).not.toContain('"resolved": "http');
});
