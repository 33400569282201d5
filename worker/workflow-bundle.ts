import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type BundleOptions, bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { StartError } from '../platform/start-error.js';
import { createBundleCheck } from './bundle-check-plugin.js';
import { createLoopGuard } from './loop-guard-plugin.js';
import { isWorkflowFile } from './workflow-file.js';

/** The compiled workflow code that a worker loads. */
export interface WorkflowBundle {
  readonly buildId: string;
  readonly code: string;
}

/** `npm run build` writes it. A start from sources passes the path of its own bundle. */
const PREBUILT = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** These modules and all their imports are preloaded. */
export const DEFINITIONS = [
  'connectors/catalogue',
  'connectors/standard-plans',
  'domain/response/proposal',
  'domain/verdict/verdict',
  'domain/playbook/conditions',
  'domain/playbook/place',
  'domain/playbook/planner',
  'domain/playbook/prune-plan',
  'domain/record/record-facts',
];
export const INTERCEPTORS = 'workflows/lib/stuck-run';
const BUILD_ID_LENGTH = 16;
/** The bundle check reports the errors of the bundler. */
const SILENT = new DefaultLogger('ERROR', () => {});

export async function loadBundle(path = PREBUILT): Promise<WorkflowBundle> {
  if (!existsSync(path)) throw new StartError(`The workflow bundle ${path} does not exist. Run \`npm run build\`.`);
  const code = await readFile(path, 'utf8');
  return { buildId: hashBundle(code), code };
}

/**
 * A workflow loads its modules again for each run, so that runs share no state. Definitions have no state: preloading them once
 * saves most of a run's start. Preloaded modules are frozen, and a frozen schema cannot parse: activities parse input.
 */
export async function bundleWorkflows(
  workflowsPath: string,
  { root = ROOT, logger = SILENT }: { root?: string; logger?: BundleOptions['logger'] } = {},
) {
  const toFile = (module: string) => join(root, `${module}${extname(workflowsPath)}`);
  const problems: string[] = [];
  const plugins = [createLoopGuard(isWorkflowFile), createBundleCheck({ root, isChecked: isWorkflowFile, problems })];
  try {
    const { code } = await bundleWorkflowCode({
      workflowsPath,
      preloadModules: DEFINITIONS.map(toFile),
      workflowInterceptorModules: [toFile(INTERCEPTORS)],
      webpackConfigHook: (config) => ({ ...config, plugins: [...(config.plugins ?? []), ...plugins] }),
      logger,
    });
    if (problems.length === 0) return toAscii(code);
  } catch (error) {
    if (problems.length === 0) throw error;
  }
  throw new StartError(problems[0]);
}

/** A worker holds several copies of the code, and V8 needs two bytes for each character of a text that is not Latin-1. */
function toAscii(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Without the source map, which names folders of the build machine: the same code has the same id on every machine. */
export function hashBundle(code: string): string {
  const mapAt = code.lastIndexOf('//# sourceMappingURL=data:');
  const hash = createHash('sha256').update(mapAt < 0 ? code : code.slice(0, mapAt));
  return hash.digest('hex').slice(0, BUILD_ID_LENGTH);
}

/** Level 1, because a worker packs its bundle while it starts. */
export async function packCode(code: string): Promise<string> {
  const packed = await promisify(gzip)(code, { level: 1 });
  return packed.toString('base64');
}

export async function unpackCode(packed: string): Promise<string> {
  const code = await promisify(gunzip)(Buffer.from(packed, 'base64'));
  return code.toString('utf8');
}
