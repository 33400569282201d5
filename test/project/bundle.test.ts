import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWorkflows } from '../../worker/workflow-bundle.js';

/** Temporal's own part of a bundle, and zod, which the contracts are written in. */
const PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc', 'zod'];
const OURS =
  /^\.\/(?:domain\/|workflows\/|activities\/connectors\/(?:kit\/define|kit\/microsoft-app|catalogue|[^/]+\/(?:contract|intake))\.ts$)/;

/** What is deployed, not the bundle of the other tests, which holds playbooks made for them. */
describe('the workflow bundle', () => {
  let code: string;
  let modules: string[];

  beforeAll(async () => {
    const ignore = () => undefined;
    const logger = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: console.warn, error: console.error };
    code = await bundleWorkflows(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)), { logger });
    // The comment that webpack puts before every module names it, also where the module was left out.
    modules = [...code.matchAll(/^ {2}!\*\*\* (?<name>.+?) \*\*\*!$/gm)].map(({ groups }) => groups?.name ?? '');
  });

  it('loads definitions once for all workflows, not again for each', () => {
    const preloaded = /exports\.preloadModules = function preloadModules\(\) \{(?<body>[\s\S]*?)\n\}/.exec(code)?.groups?.['body'] ?? '';
    expect(preloaded).toMatch(/activities\/connectors\/catalogue/);
  });

  it('holds the workflows', () => {
    expect(modules).toContain('./workflows/index.ts');
    expect(modules).toContain('./workflows/playbook.ts');
  });

  it('holds nothing of ours but workflows, the domain and contracts', () => {
    const ours = modules.filter((module) => module.startsWith('./') && !module.includes('node_modules/'));
    expect(ours.filter((module) => !OURS.test(module))).toEqual([]);
  });

  it('holds no library but Temporal’s own and zod', () => {
    const packages = modules.flatMap((module) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(module)?.[1] ?? []);
    expect([...new Set(packages)].sort()).toEqual(PACKAGES);
  });

  it('leaves out nothing but the converters that nobody set, so no Node built-in was asked for', () => {
    const leftOut = modules.filter((module) => module.endsWith('(ignored)'));
    expect(leftOut.filter((module) => !module.startsWith('__temporal_custom_'))).toEqual([]);
  });
});
