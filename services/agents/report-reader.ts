import { Piscina } from 'piscina';
import { LARGE_BYTES } from '../../platform/run-serially.js';
import { threadFile } from '../../platform/thread-file.js';
import { CommandError, invalid } from '../errors.js';
import { type ReadReport, type RefusedReport, type ReportToRead, readReport } from './read-report.js';

/** From the begin of its reading. The largest usual report takes a second. */
const DEFAULT_TIMEOUT_MS = 10_000;
const THREAD_IDLE_MS = 30_000;
/** A small body can become many objects, such as 16 MiB of empty lists. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 512 };

/** Reads large reports in a thread, one after the other, so that they delay no other request. */
export class ReportReader {
  readonly #pool = new Piscina({
    ...threadFile(import.meta.url, 'read-report'),
    name: readReport.name,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: THREAD_IDLE_MS,
    resourceLimits: THREAD_LIMITS,
  });
  readonly #timeoutMs: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ timeoutMs = DEFAULT_TIMEOUT_MS } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  /** Takes over the body. */
  async read(body: Buffer, skillKey: string | null): Promise<ReadReport> {
    const read = body.length <= LARGE_BYTES ? readReport({ bytes: body, skillKey }) : await this.#readInTurn({ bytes: body, skillKey });
    if (read.outcome === 'malformed') throw new CommandError('malformed', `The body is not valid JSON: ${read.reason}.`);
    if (read.outcome === 'invalid') throw invalid(read.errors);
    return read;
  }

  #readInTurn(report: ReportToRead): Promise<ReadReport | RefusedReport> {
    const done = this.#last.then(() => this.#readInThread(report));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #readInThread(report: ReportToRead): Promise<ReadReport | RefusedReport> {
    // The start of the thread does not count as time of the report.
    await this.#pool.run({ bytes: new Uint8Array(), skillKey: null });
    const { buffer, byteLength } = report.bytes;
    const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
    try {
      return await this.#pool.run(report, { signal: AbortSignal.timeout(this.#timeoutMs), ...(isOwn ? { transferList: [buffer] } : {}) });
    } catch (error) {
      if (isThreadEnd(error))
        throw invalid([{ pointer: '#/output', detail: 'The answer takes too much time or memory to read. Report fewer items.' }]);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** The thread reached a limit. */
function isThreadEnd(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
}
