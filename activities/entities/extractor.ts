import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import { readAlertContent } from '../../domain/alert/alert-content.js';
import { type Entity, EntityCollection, MAX_ENTITIES_PER_KIND } from '../../domain/alert/entity.js';
import type { IndicatorSearch, IndicatorsFound } from './extractor-thread.js';

export interface EntityExtractor {
  /** `incomplete` says in words why something may be missing. */
  extract(content: string): Promise<{ entities: Entity[]; incomplete: string | null }>;
  close(): Promise<void>;
}

/** An alert's content is never longer. */
const MAX_CONTENT_LENGTH = 1024 * 1024;
/** Ordinary content of full length takes a twentieth of this, the worst we know of a half. */
const DEFAULT_TIMEOUT_MS = 2000;
const NOTHING: IndicatorSearch = { text: '', known: [] };

/**
 * Content may be hostile, so it is searched in a thread that can be killed. The thread takes one content at a time, and its
 * time counts from when it begins: a content that is killed costs the ones behind it a delay, never their entities.
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

  /** Null: the time was up, and the thread is gone. */
  async function search(task: IndicatorSearch): Promise<IndicatorsFound | null> {
    await threadStarted();
    const kill = new AbortController();
    let killing: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // After a pause of this thread a result may be waiting behind the timer: it is taken first.
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

  let lastTurn: Promise<unknown> = threadStarted().catch(() => undefined);
  function searchInTurn(task: IndicatorSearch): Promise<IndicatorsFound | null> {
    const turn = lastTurn.then(() => search(task));
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  let isClosed = false;
  return {
    async extract(content) {
      // The pool would start another thread for it, which nobody would end.
      if (isClosed) throw new Error('the entity extractor is closed');
      const { named, text } = readAlertContent(content.slice(0, MAX_CONTENT_LENGTH));
      const found = await searchInTurn({ text, known: named.list().map(({ value }) => value) });

      const all = new EntityCollection();
      for (const entity of [...(found?.entities ?? []), ...named.list()]) all.add(entity);
      const overfull = new Set([...(found?.overfull ?? []), ...named.overfull(), ...all.overfull()]);
      const reasons = [
        ...(content.length > MAX_CONTENT_LENGTH
          ? [`only the first ${MAX_CONTENT_LENGTH} of ${content.length} characters were searched`]
          : []),
        ...(found ? [] : [`the search for network indicators was stopped after ${timeoutMs} ms`]),
        ...(overfull.size > 0 ? [`more than ${MAX_ENTITIES_PER_KIND} of a kind (${[...overfull].join(', ')}), the rest is left out`] : []),
      ];
      return { entities: all.list(), incomplete: reasons.length > 0 ? reasons.join('; ') : null };
    },

    async close() {
      isClosed = true;
      await lastTurn;
      await pool.destroy();
    },
  };
}

/** From sources the thread is TypeScript, and needs the loader that this process may have from elsewhere. */
function threadFile(): { filename: string; execArgv?: string[] } {
  const isSource = new URL(import.meta.url).pathname.endsWith('.ts');
  const filename = fileURLToPath(new URL(isSource ? './extractor-thread.ts' : './extractor-thread.js', import.meta.url));
  if (!isSource) return { filename };
  return { filename, execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] };
}
