import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import { WRITES_RELEASED } from '../../domain/connection/skill.js';
import { clip, escapeMarkdown } from '../../domain/text.js';

const releasedSignal = defineSignal(WRITES_RELEASED);

/** The API process that sends the signal can stop before it does, so the workflow also checks at this interval. */
const RECHECK_MS = 3_600_000;

/** Waits while the organization's response rules hold a write. */
export class WriteHold {
  readonly #recordHold: (because: string) => Promise<boolean>;
  #isReleased = false;

  /** `recordHold` stores the reason, so that a change of the rules finds the workflow. It returns false if the rules no longer hold the write. */
  constructor(recordHold: (because: string) => Promise<boolean>) {
    this.#recordHold = recordHold;
    setHandler(releasedSignal, () => this.release());
  }

  release(): void {
    this.#isReleased = true;
  }

  /** Returns when the rules have changed or the limit may allow one more write. The next attempt checks the rules again. */
  async waitForRelease(held: { because: string; retryAfterSeconds: number | null }): Promise<void> {
    this.#isReleased = false;
    if (!(await this.#recordHold(held.because))) return;
    const waitMs = held.retryAfterSeconds === null ? RECHECK_MS : held.retryAfterSeconds * 1000;
    await condition(() => this.#isReleased, waitMs, { summary: clip(escapeMarkdown(held.because), 200) });
  }
}
