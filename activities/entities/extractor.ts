import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import { readAlertContent } from '../../domain/alert/alert-content.js';
import { type Entity, EntityCollection, MAX_ENTITIES_PER_KIND } from '../../domain/alert/entity.js';
import type { IndicatorSearch, IndicatorsFound } from './extractor-thread.js';

export interface EntityExtractor {
  /** `incomplete` is the reason why entities may be missing, or null. */
  extract(content: string): Promise<{ entities: Entity[]; incomplete: string | null }>;
  close(): Promise<void>;
}

/** The intake rejects longer content. */
const MAX_CONTENT_LENGTH = 1024 * 1024;
/** Ordinary content of full length takes 5 % of this time, the worst known content 50 %. */
const DEFAULT_TIMEOUT_MS = 2000;
const NOTHING: IndicatorSearch = { text: '', known: [] };

/**
 * Searches content in a thread, because hostile content can block the search. A timeout ends the thread. The time of each
 * content counts from the begin of its search, so a slow content only delays the next ones.
 */
export function createEntityExtractor(options: { timeoutMs?: number } = {}): EntityExtractor {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const pool = new Piscina<IndicatorSearch, IndicatorsFound>({ ...threadFile(), minThreads: 1, maxThreads: 1 });

  let started: Promise<unknown> | null = null;
  const threadStarted = () => {
    started ??= pool.run(NOTHING).catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };

  /** Returns null after a timeout, which ends the thread. */
  async function search(task: IndicatorSearch): Promise<IndicatorsFound | null> {
    await threadStarted();
    const kill = new AbortController();
    let killing: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // A result can wait behind the timer if this thread was blocked. setImmediate lets the result arrive first.
      killing = setImmediate(() => kill.abort());
    }, timeoutMs);
    try {
      return await pool.run(task, { signal: kill.signal });
    } catch (error) {
      started = null;
      if (kill.signal.aborted) return null;
      throw error;
    } finally {
      clearTimeout(timer);
      clearImmediate(killing);
    }
  }

  let lastSearch: Promise<unknown> = threadStarted().catch(() => undefined);
  function searchInTurn(task: IndicatorSearch): Promise<IndicatorsFound | null> {
    const result = lastSearch.then(() => search(task));
    lastSearch = result.catch(() => undefined);
    return result;
  }

  let isClosed = false;
  return {
    async extract(content) {
      // The pool would start a thread that nothing ends.
      if (isClosed) throw new Error('The entity extractor is closed.');
      const { named, text } = readAlertContent(content.slice(0, MAX_CONTENT_LENGTH));
      const found = await searchInTurn({ text, known: named.list().map(({ value }) => value) });

      const all = new EntityCollection();
      for (const entity of [...(found?.entities ?? []), ...named.list()]) all.add(entity);
      const overfull = new Set([...(found?.overfull ?? []), ...named.overfull(), ...all.overfull()]);
      const reasons = [
        ...(content.length > MAX_CONTENT_LENGTH
          ? [`Only the first ${MAX_CONTENT_LENGTH} of ${content.length} characters were searched.`]
          : []),
        ...(found ? [] : [`The search for network indicators timed out after ${timeoutMs} ms.`]),
        ...(overfull.size > 0
          ? [`More than ${MAX_ENTITIES_PER_KIND} entities of a kind (${[...overfull].join(', ')}). The others are left out.`]
          : []),
      ];
      return { entities: all.list(), incomplete: reasons.length > 0 ? reasons.join(' ') : null };
    },

    async close() {
      isClosed = true;
      await lastSearch;
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
