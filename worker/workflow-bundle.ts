import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type BundleOptions, bundleWorkflowCode, Runtime } from '@temporalio/worker';

/** Workflow code as a worker runs it. */
export interface WorkflowBundle {
  readonly buildId: string;
  readonly code: string;
}

/** What `npm run build` leaves beside the compiled rooms; sources are bundled at start. */
const PREBUILT = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
/** With all that they import. */
const DEFINITIONS = ['activities/connectors/catalogue', 'domain/response/proposal'];
const BUILD_ID_LENGTH = 16;

export async function loadBundle(path = PREBUILT): Promise<WorkflowBundle> {
  const code = existsSync(path) ? await readFile(path, 'utf8') : await bundleWorkflows(SOURCES, { logger: Runtime.instance().logger });
  return { buildId: hashBundle(code), code };
}

/**
 * Every workflow loads its modules anew, so that none sees the state of another. Definitions have no state: they are loaded
 * once for all (and frozen), which is most of what a workflow's start would cost. A frozen schema cannot parse: activities do.
 */
export async function bundleWorkflows(
  workflowsPath: string,
  { root = ROOT, logger }: { root?: string; logger?: BundleOptions['logger'] } = {},
) {
  const definitions = DEFINITIONS.map((module) => join(root, `${module}${extname(workflowsPath)}`));
  const { code } = await bundleWorkflowCode({ workflowsPath, preloadModules: definitions, ...(logger ? { logger } : {}) });
  return code;
}

/** The source map names folders of the machine that made it; the same code elsewhere is the same build. */
function hashBundle(code: string): string {
  const mapAt = code.lastIndexOf('//# sourceMappingURL=data:');
  const hash = createHash('sha256').update(mapAt < 0 ? code : code.slice(0, mapAt));
  return hash.digest('hex').slice(0, BUILD_ID_LENGTH);
}

/** Quickly rather than tightly: every new build is packed while its worker starts. */
export async function packCode(code: string): Promise<string> {
  const packed = await promisify(gzip)(code, { level: 1 });
  return packed.toString('base64');
}

export async function unpackCode(packed: string): Promise<string> {
  const code = await promisify(gunzip)(Buffer.from(packed, 'base64'));
  return code.toString('utf8');
}
