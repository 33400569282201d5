import { isBuiltin } from 'node:module';
import { build, type Plugin, transform } from 'esbuild';
import { FORBIDDEN_GLOBALS } from '../../domain/playbook/forbidden-globals.js';

const MARK = '__forbidden';

/** The forbidden globals that TypeScript code uses. esbuild replaces only the names that the code does not declare itself. */
export async function listForbiddenGlobals(code: string): Promise<string[]> {
  const named = FORBIDDEN_GLOBALS.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  if (named.length === 0) return [];
  const define = Object.fromEntries(named.map((name) => [name, `${MARK}.${name}`]));
  const { code: marked } = await transform(code, { loader: 'ts', define, logLevel: 'silent' });
  return named.filter((name) => new RegExp(`\\b${MARK}\\.${name}\\b`).test(marked));
}

/** The Node modules that a file imports itself. Throws esbuild's `BuildFailure` for a file that is no TypeScript. */
export async function listNodeImports(file: string): Promise<string[]> {
  const found = new Set<string>();
  const plugin: Plugin = {
    name: 'node-imports',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined;
        if (isBuiltin(path)) found.add(path);
        return { path, external: true };
      });
    },
  };
  await build({ entryPoints: [file], bundle: true, write: false, format: 'esm', logLevel: 'silent', plugins: [plugin] });
  return [...found];
}
