import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import type { AlertHeader } from '../../domain/alert/alert-header.js';
import { type Entity, EntityCollection, MAX_ENTITIES_PER_KIND } from '../../domain/alert/entity.js';
import type { ContentRead } from './extractor-thread.js';

type ThreadFunctions = typeof import('./extractor-thread.js');

export interface Extraction {
  readonly entities: Entity[];
  readonly header: AlertHeader;
  /** The reason why entities may be missing, or null. */
  readonly incomplete: string | null;
}

export interface EntityExtractor {
  extract(content: string): Promise<Extraction>;
  close(): Promise<void>;
}

/** The intake rejects longer content. */
const MAX_CONTENT_LENGTH = 1024 * 1024;
/** For each of the two steps: the named fields, and the network indicators in the text. */
const DEFAULT_TIMEOUT_MS = 2000;
/** With the default, an idle thread keeps tens of megabytes. */
const YOUNG_GENERATION = { maxYoungGenerationSizeMb: 8 };
const NO_HEADER: AlertHeader = { severity: null, ruleName: null, techniques: [] };
const NOTHING_READ: ContentRead = { entities: [], overfull: [], text: '', roles: [], header: NO_HEADER };

/**
 * Searches content in a thread, because hostile content can block the search. A timeout ends the thread. The time of each
 * content counts from the begin of its search, so a slow content only delays the next ones.
 */
export function createEntityExtractor(options: { timeoutMs?: number } = {}): EntityExtractor {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const pool = new Piscina({ ...threadFile(), name: 'read', minThreads: 1, maxThreads: 1, resourceLimits: YOUNG_GENERATION });

  let started: Promise<unknown> | null = null;
  const threadStarted = () => {
    started ??= pool.run('', { name: 'read' }).catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };

  /** Returns null after a timeout, which ends the thread. */
  async function run<Name extends keyof ThreadFunctions>(
    name: Name,
    task: Parameters<ThreadFunctions[Name]>[0],
  ): Promise<Awaited<ReturnType<ThreadFunctions[Name]>> | null> {
    await threadStarted();
    const kill = new AbortController();
    let killing: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // A result can wait behind the timer if this thread was blocked. setImmediate lets the result arrive first.
      killing = setImmediate(() => kill.abort());
    }, timeoutMs);
    try {
      return await pool.run(task, { name, signal: kill.signal });
    } catch (error) {
      started = null;
      if (kill.signal.aborted) return null;
      throw error;
    } finally {
      clearTimeout(timer);
      clearImmediate(killing);
    }
  }

  async function extract(content: string): Promise<Extraction> {
    const searched = content.slice(0, MAX_CONTENT_LENGTH);
    const read = await run('read', searched);
    const { entities: named, overfull, text, roles, header } = read ?? { ...NOTHING_READ, text: searched };
    const found = await run('findIndicators', { entities: named, text, roles });

    const all = new EntityCollection();
    for (const entity of [...(found?.entities ?? []), ...named]) all.add(entity);
    const exceeded = new Set([...(found?.overfull ?? []), ...overfull, ...all.overfull()]);
    const reasons = [
      ...(content.length > MAX_CONTENT_LENGTH
        ? [`Only the first ${MAX_CONTENT_LENGTH} of ${content.length} characters were searched.`]
        : []),
      ...(read ? [] : [`The search for named fields timed out after ${timeoutMs} ms.`]),
      ...(found ? [] : [`The search for network indicators timed out after ${timeoutMs} ms.`]),
      ...(exceeded.size > 0
        ? [`More than ${MAX_ENTITIES_PER_KIND} entities of a kind (${[...exceeded].join(', ')}). The others are left out.`]
        : []),
    ];
    return { entities: all.list(), header, incomplete: reasons.length > 0 ? reasons.join(' ') : null };
  }

  let last: Promise<unknown> = threadStarted().catch(() => undefined);
  let isClosed = false;
  return {
    async extract(content) {
      // The pool would start a thread that nothing ends.
      if (isClosed) throw new Error('The entity extractor is closed.');
      const result = last.then(() => extract(content));
      last = result.catch(() => undefined);
      return result;
    },

    async close() {
      isClosed = true;
      await last;
      await pool.destroy();
    },
  };
}

/** In a source checkout the thread is TypeScript, so it needs the tsx loader. */
function threadFile(): { filename: string; execArgv?: string[] } {
  const isSource = new URL(import.meta.url).pathname.endsWith('.ts');
  const filename = fileURLToPath(new URL(isSource ? './extractor-thread.ts' : './extractor-thread.js', import.meta.url));
  if (!isSource) return { filename };
  return { filename, execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] };
}
