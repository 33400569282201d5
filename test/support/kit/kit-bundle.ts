import { readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildFailure, build, type Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { listForbiddenGlobals } from '../../../dev/build/forbidden-code.js';
import { describeImport, describeUse } from '../../../domain/playbook/forbidden-globals.js';
import { listInsertions } from '../../../worker/loop-guard-plugin.js';
import { isWorkflowFile } from '../../../worker/workflow-file.js';

export interface KitBundle {
  readonly code: string;
  /** JSON. */
  readonly sourceMap: string;
  readonly filename: string;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PLAYBOOK_RUN = fileURLToPath(new URL('./playbook-run.ts', import.meta.url));
const STUCK_RUN = path.join(ROOT, 'workflows/lib/stuck-run.ts');
/** The SDK's own versions of the Node modules that workflow code may import. */
const OVERRIDES = path.join(ROOT, 'node_modules/@temporalio/worker/lib/workflow/module-overrides');

const bundles = new Map<string, Promise<{ readonly bundle: KitBundle; isCurrent(): boolean }>>();

/** Bundles the module of a playbook once, and again after a change of one of its files. */
export async function loadKitBundle(file: string): Promise<KitBundle> {
  const known = await bundles.get(file);
  if (known?.isCurrent()) return known.bundle;
  const made = createBundle(file);
  bundles.set(file, made);
  return (await made).bundle;
}

/**
 * The same checks and loop guard as `worker/workflow-bundle.ts`, with a faster bundler. As there, each run loads the workflow code
 * again, and all runs share the definitions and libraries.
 */
async function createBundle(file: string) {
  const startedMs = Date.now();
  const problems: string[] = [];
  const shared = new Set<string>();
  const bundle = (entry: string, globalName: string, plugins: Plugin[]) =>
    build({
      stdin: { contents: entry, resolveDir: ROOT, sourcefile: `${globalName}.cjs` },
      bundle: true,
      write: false,
      format: 'iife',
      globalName,
      platform: 'browser',
      target: 'es2017',
      charset: 'ascii',
      sourcemap: 'external',
      sourcesContent: false,
      outdir: ROOT,
      absWorkingDir: ROOT,
      metafile: true,
      logLevel: 'silent',
      plugins,
    }).catch((failure: BuildFailure) => {
      throw new Error(problems[0] ?? describeFailure(failure, file));
    });
  const author = await bundle(authorEntry(file), '__author', [createAuthorPlugin(problems, shared)]);
  if (problems.length > 0) throw new Error(problems[0]);
  const base = await bundle(baseEntry(shared), '__TEMPORAL__', [createBasePlugin()]);
  const files = [author, base].flatMap(({ metafile }) => Object.keys(metafile.inputs)).filter((input) => /^[^:]+\.ts$/.test(input));
  const changedMs = (input: string) => statSync(path.join(ROOT, input), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  return {
    bundle: { ...joinOutputs(base, author), filename: `${file}.kit.js` },
    isCurrent: () => files.every((input) => changedMs(input) < startedMs),
  };
}

type Built = Awaited<ReturnType<typeof build<{ write: false }>>>;

function joinOutputs(base: Built, author: Built): Pick<KitBundle, 'code' | 'sourceMap'> {
  const read = ({ outputFiles }: Built, extension: string) => outputFiles.find((output) => output.path.endsWith(extension))?.text ?? '';
  const before = `${read(base, '.js')}\nfunction __loadAuthor() {\n`;
  const sections = [
    { offset: { line: 0, column: 0 }, map: JSON.parse(read(base, '.map')) },
    { offset: { line: before.split('\n').length - 1, column: 0 }, map: JSON.parse(read(author, '.map')) },
  ];
  return { code: `${before}${read(author, '.js')}\nreturn __author;\n}\n`, sourceMap: JSON.stringify({ version: 3, sections }) };
}

function describeFailure({ errors: [error] }: BuildFailure, file: string): string {
  const place = error?.location ? `${error.location.file}:${error.location.line}` : path.relative(ROOT, file);
  return `${place} cannot be bundled: ${error?.text}. Correct the file and try again.`;
}

function authorEntry(file: string): string {
  return `
exports.importWorkflows = () => require(${JSON.stringify(file)});
exports.importInterceptors = () => [require(${JSON.stringify(STUCK_RUN)}), require(${JSON.stringify(PLAYBOOK_RUN)})];
`;
}

/** The names are those that the SDK's sandbox calls. It freezes all that a global contains. */
function baseEntry(shared: ReadonlySet<string>): string {
  const loaders = [...shared].map((file) => `${JSON.stringify(file)}: () => require(${JSON.stringify(file)}),`);
  return `
// The SDK asks for globalThis.__webpack_module_cache__, which keeps the modules of runs apart. __loadAuthor does so here.
const IS_ISOLATED = 'globalThis.__webpack_module_cache__';
exports.api = require('@temporalio/workflow/lib/worker-interface.js');
require('@temporalio/workflow/lib/global-overrides.js').overrideGlobals();
const shared = { ${loaders.join('\n')} };
exports.isIsolated = IS_ISOLATED;
exports.shared = {};
exports.preloadModules = () => {
  for (const [file, load] of Object.entries(shared)) exports.shared[file] = load();
};
let author;
exports.importInterceptors = () => {
  author = __loadAuthor();
  return author.importInterceptors();
};
exports.importWorkflows = () => author.importWorkflows();
`;
}

const show = (file: string) => path.relative(ROOT, file);
const RESOLVING = 'resolving';

function createAuthorPlugin(problems: string[], shared: Set<string>): Plugin {
  return {
    name: 'author',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /./ }, async ({ path: name, pluginData, importer, resolveDir, kind }) => {
        if (pluginData === RESOLVING) return undefined;
        if (isBuiltin(name)) {
          problems.push(describeImport(show(importer), name));
          return { path: name, external: true };
        }
        const resolved = await resolve(name, { importer, resolveDir, kind, pluginData: RESOLVING });
        if (resolved.errors.length > 0 || isWorkflowFile(resolved.path)) return resolved;
        shared.add(resolved.path);
        return { path: resolved.path, namespace: 'shared' };
      });
      onLoad({ filter: /./, namespace: 'shared' }, ({ path: file }) => ({
        contents: `module.exports = __TEMPORAL__.shared[${JSON.stringify(file)}];`,
      }));
      onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        const code = readFileSync(file, 'utf8');
        const forbidden = await listForbiddenGlobals(code);
        problems.push(...forbidden.map((name) => describeUse(show(file), name)));
        return { contents: guardLoops(file, code), loader: 'ts' };
      });
    },
  };
}

function createBasePlugin(): Plugin {
  return {
    name: 'base',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^__temporal_custom_/ }, ({ path: name }) => ({ path: name, namespace: 'empty' }));
      onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: '' }));
      onResolve({ filter: /^(?:assert|url|util)$/ }, ({ path: name }) => ({ path: path.join(OVERRIDES, `${name}.js`) }));
    },
  };
}

function guardLoops(file: string, code: string): string {
  let guarded = code;
  for (const { text, at } of listInsertions(parseSync(file, code).program).toSorted((a, b) => b.at - a.at))
    guarded = guarded.slice(0, at) + text + guarded.slice(at);
  return guarded;
}
