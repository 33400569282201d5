import { Piscina } from 'piscina';
import { threadFile } from '../../platform/thread-file.js';
import { type Extraction, type ExtractionSteps, extractEntities } from './extract-entities.js';

export interface EntityExtractor {
  extract(content: string): Promise<Extraction>;
  close(): Promise<void>;
}

/** For each of the two steps: the named fields, and the network indicators in the text. */
const DEFAULT_TIMEOUT_MS = 2000;
/** With the default, an idle thread keeps tens of megabytes. */
const YOUNG_GENERATION = { maxYoungGenerationSizeMb: 8 };

/**
 * Searches content in a thread, because hostile content can block the search. A timeout ends the thread. The time of each
 * content counts from the begin of its search, so a slow content only delays the next ones.
 */
export function createEntityExtractor(options: { timeoutMs?: number } = {}): EntityExtractor {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const pool = new Piscina({
    ...threadFile(import.meta.url, 'extractor-thread'),
    name: 'read',
    minThreads: 1,
    maxThreads: 1,
    resourceLimits: YOUNG_GENERATION,
  });

  let started: Promise<unknown> | null = null;
  const threadStarted = () => {
    started ??= pool.run('', { name: 'read' }).catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };

  /** Returns null after a timeout, which ends the thread. */
  async function run(name: keyof ExtractionSteps, task: unknown) {
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
  const steps: ExtractionSteps = {
    read: (content) => run('read', content),
    findIndicators: (search) => run('findIndicators', search),
  };

  let last: Promise<unknown> = threadStarted().catch(() => undefined);
  let isClosed = false;
  return {
    async extract(content) {
      // The pool would start a thread that nothing ends.
      if (isClosed) throw new Error('The entity extractor is closed.');
      const result = last.then(() => extractEntities(content, steps, timeoutMs));
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
