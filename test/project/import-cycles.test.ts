import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_SOURCES = new Set(['node_modules', 'dist', 'pages', 'coverage', 'docs']);

type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Type imports count, because a type cycle is one edit away from a cycle at run time. */
function readImports(file: string, source: string, files: ReadonlySet<string>): string[] {
  const specifiers = [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(([, specifier = '']) => specifier);
  return specifiers.flatMap((specifier) => {
    const target = join(dirname(file), specifier).replace(/\.js$/, '');
    return [`${target}.ts`, `${target}.tsx`].filter((candidate) => files.has(candidate));
  });
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || NOT_SOURCES.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listSources(path) : /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function readGraph(): ImportGraph {
  const files = new Set(listSources(ROOT).map((path) => relative(ROOT, path)));
  return new Map([...files].map((file) => [file, readImports(file, readFileSync(join(ROOT, file), 'utf8'), files)]));
}

/** Returns one cycle for each import that closes one, as a list of files. */
function findCycles(graph: ImportGraph): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]) => {
    const start = trail.indexOf(file);
    if (start !== -1) cycles.push([...trail.slice(start), file].join(' → '));
    else if (!done.has(file)) {
      for (const imported of graph.get(file) ?? []) visit(imported, [...trail, file]);
      done.add(file);
    }
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

it('has no import cycles, type imports included', () => {
  const graph = readGraph();
  expect(graph.size).toBeGreaterThan(300);
  expect(graph.get('db/client.ts')).toEqual([]);
  expect(graph.get('db/migrate.ts')).toEqual([]);
  expect(graph.get('db/database-loss.ts')).toEqual(['db/client.ts']);
  expect(findCycles(graph)).toEqual([]);
});

it('names each cycle it finds', () => {
  const graph = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts', 'd.ts']],
    ['c.ts', ['b.ts']],
    ['d.ts', []],
  ]);
  expect(findCycles(graph)).toEqual(['b.ts → c.ts → b.ts']);
});

it('reads value, type and dynamic imports of relative files', () => {
  const source = `import type { A } from './a.js';\nexport * from '../b.js';\nconst c = await import('./c.js');\nimport './d.js';\nimport { z } from 'zod';`;
  const files = new Set(['x/a.ts', 'b.tsx', 'x/c.ts', 'x/d.ts']);
  expect(readImports('x/x.ts', source, files)).toEqual(['x/a.ts', 'b.tsx', 'x/c.ts', 'x/d.ts']);
});
