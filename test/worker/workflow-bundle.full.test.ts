import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BUNDLED_FOLDERS } from '../../dev/build/workflow-bundle.js';
import { bundleWorkflows, DEFINITIONS, INTERCEPTORS } from '../../worker/workflow-bundle.js';

/** Temporal's own modules in a bundle, and zod, which the contracts use. */
const PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'ipaddr.js', 'long', 'ms', 'nexus-rpc', 'zod'];
const OURS =
  /^\.\/(?:domain\/|workflows\/|connectors\/(?:kit\/define|kit\/microsoft-app|kit\/microsoft-records|catalogue|standard-plans|[^/]+\/(?:contract|contract\/[^/]+|intake|records|card))\.ts$)/;

/** The deployed bundle. Other tests use a bundle with test playbooks. */
describe('the workflow bundle', () => {
  let code: string;
  let modules: string[];

  beforeAll(async () => {
    const ignore = () => undefined;
    const logger = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: console.warn, error: console.error };
    code = await bundleWorkflows(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)), { logger });
    // webpack names every module in a comment before it, including an omitted module.
    modules = [...code.matchAll(/^ {2}!\*\*\* (?<name>.+?) \*\*\*!$/gm)].map(({ groups }) => groups?.name ?? '');
  });

  it('loads definitions once for all workflows', () => {
    const preloaded = /exports\.preloadModules = function preloadModules\(\) \{(?<body>[\s\S]*?)\n\}/.exec(code)?.groups?.['body'] ?? '';
    expect(preloaded).toMatch(/connectors\/catalogue/);
  });

  it('contains the workflows', () => {
    expect(modules).toContain('./workflows/index.ts');
    expect(modules).toContain('./workflows/playbook.ts');
  });

  it('contains only our workflows, domain and contracts', () => {
    const ours = modules.filter((module) => module.startsWith('./') && !module.includes('node_modules/'));
    expect(ours.filter((module) => !OURS.test(module))).toEqual([]);
  });

  it('is built again after a change of each file that it contains', () => {
    const ours = modules.filter((module) => module.startsWith('./') && !module.includes('node_modules/'));
    expect(ours.filter((module) => !BUNDLED_FOLDERS.includes(module.split('/')[1] ?? ''))).toEqual([]);
  });

  it('contains only the libraries of Temporal, ipaddr.js and zod', () => {
    const packages = modules.flatMap((module) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(module)?.[1] ?? []);
    expect([...new Set(packages)].sort()).toEqual(PACKAGES);
  });

  it('omits only the converters that are not set, so no module imports a Node built-in', () => {
    const leftOut = modules.filter((module) => module.endsWith('(ignored)'));
    expect(leftOut.filter((module) => !module.startsWith('__temporal_custom_'))).toEqual([]);
  });
});

describe('a workflow that cannot be bundled', () => {
  it.each([
    [
      'a global that the sandbox does not have',
      "export async function faulty() {\n  await fetch('https://example.com');\n}\n",
      /faulty\.ts uses fetch\. .* Ask a skill/,
    ],
    ['the environment', 'export async function faulty() {\n  return process.env;\n}\n', /faulty\.ts uses process\./],
    ['a Node module', "import { readFileSync } from 'node:fs';\nexport const faulty = readFileSync;\n", /faulty\.ts imports node:fs\. /],
    [
      'a missing file',
      "export { faulty } from '../project/missing.js';\n",
      /faulty\.ts cannot be bundled: .*missing\.js.* Correct the file/,
    ],
    ['a syntax error', 'export async function faulty( {\n', /faulty\.ts cannot be bundled: /],
  ])('is one sentence with its file: %s', async (_, code, sentence) => {
    const root = mkdtempSync(path.join(tmpdir(), 'faulty-bundle-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    // Bundling the definitions takes much longer than the check of one file.
    for (const module of [...DEFINITIONS, INTERCEPTORS]) {
      mkdirSync(path.join(root, path.dirname(module)), { recursive: true });
      writeFileSync(path.join(root, `${module}.ts`), 'export {};\n');
    }
    const file = path.join(root, 'faulty.ts');
    writeFileSync(file, code);
    const failure = await bundleWorkflows(file, { root }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(sentence);
    expect(String(failure)).not.toContain('\n');
  });
});
