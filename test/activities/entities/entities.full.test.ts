import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createEntityExtractor } from '../../../activities/entities/extractor.js';
import { Entity } from '../../../domain/entity/entity.js';
import { sharedExtractor } from '../../support/entity-extractor.js';

const MIB = 1024 * 1024;
const NO_HEADER = { severity: null, ruleName: null, techniques: [], tactics: [] };
const fill = (pattern: string, length = MIB) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);

describe('createEntityExtractor', () => {
  const extractor = sharedExtractor();

  describe.each([
    ['64 KB of a.a.a.', fill('a.a.a.', 64 * 1024)],
    ['1 MB of a.a.a.', fill('a.a.a.', MIB - 100)],
    ['content that takes ioc-extractor years', `${'aaaaaaaaaaaaaaaa.'.repeat(12)}-.com `.repeat(100)],
    ['email addresses', fill('a@b.co ', MIB - 100)],
    ['broken email addresses', fill('a@', MIB - 100)],
    ['colons', fill('a:b:', MIB - 100)],
    ['huge digits', fill('1', MIB - 100)],
    ['dots', fill('.', MIB - 100)],
    ['hyphens', fill('-.', MIB - 100)],
    ['schemes', fill('http://', MIB - 100)],
    ['brackets after a URL', `http://a${fill(')', MIB - 100)}`],
    ['letters of many scripts', fill('ü.地。', MIB - 100)],
    ['lone surrogates', fill('\uD800.\uDC00@', MIB - 100)],
    ['NUL', fill('\u0000.', MIB - 100)],
    ['deep JSON', fill('{"a":[', MIB - 100)],
    ['defanged dots', fill('[.](dot)', MIB - 100)],
    ['labels without values', `${fill('user: src: ', MIB - 100)}\n`],
    ['labels of other scripts', fill('ホスト：', MIB - 100)],
    ['open tags', fill('<a><table><td>', MIB - 100)],
    ['open quotes in CSV', `host,user\n${fill('"a', MIB - 100)}\n"`],
    ['rules of Markdown tables', fill('|---|---|\n', MIB - 100)],
    ['headers of log lines', `${fill('CEF:0|', MIB - 100)}\n`],
    ['nested parts of a mail', `From: a@b.example\n${fill('Content-Type: multipart/mixed; boundary=b\n\n--b\n', MIB - 100)}`],
    ['encoded commands', fill(' -enc QUJDREVGR0hJSktMTU5PUA== ', MIB - 100)],
    ['nested YAML', `a:\n  b: ${fill('[', 60 * 1024)}\n`],
  ])('given %s', (_, content) => {
    it('finds the real values, and no value that a record cannot store', async () => {
      const { entities, incomplete } = await extractor.extract(`${content} user=jane evil.example`);
      expect(incomplete).toBeNull();
      expect(entities).toEqual(expect.arrayContaining([{ kind: 'domain', value: 'evil.example' }]));
      for (const entity of entities) expect(Entity.safeParse(entity).success).toBe(true);
    });
  });
});

describe('the time limit', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** Fake timers: only the test advances the time. Each step of a search starts one timer. */
  async function runOutOfTime(step: 'read' | 'search', timeoutMs: number): Promise<void> {
    const timers = vi.mocked(setTimeout).mock.calls;
    while (timers.length < (step === 'read' ? 1 : 2)) await nextTurn();
    vi.advanceTimersByTime(timeoutMs);
  }

  function stopTime(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(globalThis, 'setTimeout');
  }

  it('kills the thread, keeps the labelled entities, and does not affect later contents', async () => {
    const threads: Worker[] = [];
    const remember = (thread: Worker) => threads.push(thread);
    process.on('worker', remember);
    const extractor = createEntityExtractor({ timeoutMs: 1500 });
    try {
      await extractor.extract('warm');
      const [first] = threads;
      if (!first) throw new Error('no thread was started');
      const killed = once(first, 'exit');

      stopTime();
      const slow = extractor.extract(`user=jane host: web01\nevil.example ${fill('a@b.co ', MIB - 100)}`);
      const behind = extractor.extract('user=bob evil.example');
      await runOutOfTime('search', 1500);

      expect(await slow).toMatchObject({
        entities: [
          { kind: 'user', value: 'jane' },
          { kind: 'host', value: 'web01' },
        ],
        header: NO_HEADER,
        incomplete: 'The search for network indicators timed out after 1500 ms.',
      });
      await killed;
      expect(await behind).toMatchObject({
        entities: [
          { kind: 'domain', value: 'evil.example' },
          { kind: 'user', value: 'bob' },
        ],
        header: NO_HEADER,
        incomplete: null,
      });
      expect(threads).toHaveLength(2);
    } finally {
      process.off('worker', remember);
      await extractor.close();
    }
  });

  it('still finds indicators where the search for named fields times out', async () => {
    const extractor = createEntityExtractor({ timeoutMs: 1500 });
    try {
      await extractor.extract('warm');
      stopTime();
      const slow = extractor.extract(`evil.example ${fill('user: a@b.co ', MIB - 100)}`);
      await runOutOfTime('read', 1500);
      const { entities, incomplete } = await slow;
      expect(entities).toContainEqual({ kind: 'domain', value: 'evil.example' });
      expect(incomplete).toBe('The search for named fields timed out after 1500 ms.');
    } finally {
      await extractor.close();
    }
  });

  it('accepts a result that arrived in time although the main thread was busy', async () => {
    const extractor = createEntityExtractor({ timeoutMs: 1500 });
    try {
      await extractor.extract('warm');
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const answer = extractor.extract('evil.example');
      while (vi.getTimerCount() === 0) await Promise.resolve();
      const blockedUntil = performance.now() + 1000;
      while (performance.now() < blockedUntil);
      vi.advanceTimersByTime(1500);
      expect((await answer).incomplete).toBeNull();
    } finally {
      await extractor.close();
    }
  });
});
