import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import type { EvidenceRecorder } from './evidence-log.js';

/** Recorded histories depend on this number: with another one, a replay schedules the saves in another order. */
const MICROTASKS_BEFORE_SAVE = 4;

/** Saves evidence while the playbook waits for answers, one batch at a time. */
export class EvidenceSaver {
  readonly #log: EvidenceRecorder;
  readonly #save: (entries: EvidenceDraft[]) => Promise<void>;
  #isRunning = false;
  #saving: Promise<void> | null = null;

  constructor(log: EvidenceRecorder, save: (entries: EvidenceDraft[]) => Promise<void>) {
    this.#log = log;
    this.#save = save;
    log.onEntry = () => void this.#saveAll();
  }

  /** Leaves the unsaved entries to the conclusion, which writes every entry in its own transaction. */
  async stop(): Promise<void> {
    this.#log.takeUnsaved();
    await this.#saving;
  }

  async #saveAll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    // A playbook that is about to return stops the saver first, which saves an activity.
    for (let microtask = 0; microtask < MICROTASKS_BEFORE_SAVE; microtask += 1) await undefined;
    while (this.#log.hasUnsaved) {
      // A failed save loses nothing, because the conclusion writes every entry again.
      this.#saving = this.#save(this.#log.takeUnsaved()).catch(() => {});
      await this.#saving;
    }
    this.#saving = null;
    this.#isRunning = false;
  }
}
