import { readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildFailure, build, type Plugin, transform } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { describeImport, describeUse, FORBIDDEN_GLOBALS } from '../../../domain/playbook/forbidden-globals.js';
import { guardBody, LOOPS, TURN_COUNT } from '../../../worker/loop-guard-plugin.js';
import { isWorkflowFile } from '../../../worker/workflow-file.js';

export interface KitBundle {
  readonly code: string;
  /** JSON. */
  readonly sourceMap: string;
  readonly filename: string;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PLAYBOOK_RUN = fileURLToPath(new URL('./playbook-run.ts', import.meta.url));
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

/** The same entry point, checks and loop guard as `worker/workflow-bundle.ts`, with a faster bundler. */
async function createBundle(file: string) {
  const startedMs = Date.now();
  const problems: string[] = [];
  const result = await build({
    stdin: { contents: entryPoint(file), resolveDir: ROOT, sourcefile: 'kit-entry.cjs' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: '__TEMPORAL__',
    platform: 'browser',
    target: 'es2017',
    charset: 'ascii',
    sourcemap: 'external',
    sourcesContent: false,
    outdir: ROOT,
    absWorkingDir: ROOT,
    metafile: true,
    logLevel: 'silent',
    plugins: [createKitPlugin(problems)],
  }).catch((failure: BuildFailure) => {
    throw new Error(problems[0] ?? describeFailure(failure, file));
  });
  if (problems.length > 0) throw new Error(problems[0]);
  const read = (extension: string) => result.outputFiles.find((output) => output.path.endsWith(extension))?.text ?? '';
  const files = Object.keys(result.metafile.inputs).filter((input) => input.endsWith('.ts'));
  const changedMs = (input: string) => statSync(path.join(ROOT, input), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  return {
    bundle: { code: read('.js'), sourceMap: read('.map'), filename: `${file}.kit.js` },
    isCurrent: () => files.every((input) => changedMs(input) < startedMs),
  };
}

function describeFailure({ errors: [error] }: BuildFailure, file: string): string {
  const place = error?.location ? `${error.location.file}:${error.location.line}` : path.relative(ROOT, file);
  return `${place} cannot be bundled: ${error?.text}. Correct the file and try again.`;
}

/** The names that the SDK's sandbox calls. */
function entryPoint(file: string): string {
  return `
exports.api = require('@temporalio/workflow/lib/worker-interface.js');
require('@temporalio/workflow/lib/global-overrides.js').overrideGlobals();
exports.importWorkflows = () => require(${JSON.stringify(file)});
exports.importInterceptors = () => [require(${JSON.stringify(PLAYBOOK_RUN)})];
`;
}

function createKitPlugin(problems: string[]): Plugin {
  const show = (file: string) => path.relative(ROOT, file);
  return {
    name: 'playbook-kit',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^__temporal_custom_/ }, ({ path: name }) => ({ path: name, namespace: 'empty' }));
      onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: '' }));
      onResolve({ filter: /^[a-z_:/]+$/ }, ({ path: name, importer }) => {
        if (!isBuiltin(name)) return undefined;
        if (isWorkflowFile(importer)) problems.push(describeImport(show(importer), name));
        return { path: path.join(OVERRIDES, `${name.replace('node:', '')}.js`) };
      });
      onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        if (!isWorkflowFile(file)) return undefined;
        const code = readFileSync(file, 'utf8');
        const forbidden = await listForbidden(code);
        problems.push(...forbidden.map((name) => describeUse(show(file), name)));
        return { contents: guardLoops(file, code), loader: 'ts' };
      });
    },
  };
}

const MARK = '__forbidden';

/** esbuild replaces only the names that the file does not declare itself. */
async function listForbidden(code: string): Promise<string[]> {
  const named = FORBIDDEN_GLOBALS.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  if (named.length === 0) return [];
  const define = Object.fromEntries(named.map((name) => [name, `${MARK}.${name}`]));
  const { code: marked } = await transform(code, { loader: 'ts', define, logLevel: 'silent' });
  return named.filter((name) => new RegExp(`\\b${MARK}\\.${name}\\b`).test(marked));
}

function guardLoops(file: string, code: string): string {
  const insertions = [{ text: TURN_COUNT, at: 0 }];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isLoop(node)) insertions.push(...guardBody(node.body.type === 'BlockStatement', [node.body.start, node.body.end]));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, code).program);
  let guarded = code;
  for (const { text, at } of insertions.toSorted((a, b) => b.at - a.at)) guarded = guarded.slice(0, at) + text + guarded.slice(at);
  return guarded;
}

function isLoop(node: object): node is { readonly body: { readonly type: string; readonly start: number; readonly end: number } } {
  return 'type' in node && typeof node.type === 'string' && LOOPS.has(node.type);
}
