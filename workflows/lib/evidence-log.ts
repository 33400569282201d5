import type { EvidenceDraft, EvidenceKind, EvidenceSource } from '../../domain/case/evidence.js';
import { LEFT_OUT } from '../../domain/investigation/verdict.js';
import { clip, slug } from '../../domain/text.js';
import { type Answer, findSource } from './skills.js';

interface EvidenceOptions {
  /** Names the step; a later entry of the same step replaces the earlier one. Made from the title where absent. */
  readonly step?: string;
  readonly source?: EvidenceSource;
  /** The answer of a skill that this rests on. */
  readonly from?: object | null;
  readonly techniques?: readonly string[];
}

const QUESTION_LENGTH = 300;

/** What an author says about the alert. Entries are stored as they come, while the author's function goes on. */
export class EvidenceLog {
  readonly #entries = new Map<string, EvidenceDraft>();
  #unsaved: EvidenceDraft[] = [];
  #isSaving = false;
  #writing: Promise<void> | null = null;
  readonly #now = Promise.resolve();
  readonly #save: (entries: EvidenceDraft[]) => Promise<void>;

  constructor(save: (entries: EvidenceDraft[]) => Promise<void>) {
    this.#save = save;
  }

  /** Weighs for (+) or against (−) the alert being malicious, at most 100 either way. */
  finding(points: number, title: string, reason: string, options: EvidenceOptions = {}): void {
    this.#add('finding', Math.max(-100, Math.min(100, Math.round(points))), title, reason, options);
  }

  /** A question that could not be answered: costs confidence. Asked of ten addresses and unanswered for one reason, it is one gap. */
  gap(title: string, reason: string, options: EvidenceOptions = {}): void {
    const isKnown = this.entries.some(
      (entry) => entry.kind === 'gap' && entry.title === clip(title, 300) && entry.reason === clip(reason, 4000),
    );
    if (isKnown) return;
    this.#add('gap', 0, title, reason, options);
  }

  /** Part of the alert that nobody looks at, for its sheer amount: whatever else is found, it is not called benign. */
  leftOut(title: string, reason: string): void {
    this.gap(title, reason, { step: `${LEFT_OUT}-${slug(title)}` });
  }

  /** Worth reading, weighs nothing. */
  note(title: string, reason: string, options: EvidenceOptions = {}): void {
    this.#add('note', 0, title, reason, options);
  }

  /** A note for each answer that no entry rests on. */
  noteUncited(answers: readonly Answer[]): void {
    const cited = new Set(this.entries.map(({ source }) => source?.result_id));
    for (const { source, input } of answers.filter((answer) => !cited.has(answer.source.result_id)))
      this.note(`${source.skill_id}: answered, weighs nothing by itself`, `Asked: ${clip(JSON.stringify(input), QUESTION_LENGTH)}`, {
        source,
      });
  }

  get entries(): EvidenceDraft[] {
    return [...this.#entries.values()];
  }

  /** Ends the saving: the conclusion writes every entry in its own transaction. What is being written is to be waited for. */
  settle(): Promise<void> | null {
    this.#unsaved = [];
    return this.#writing;
  }

  #add(kind: EvidenceKind, points: number, title: string, reason: string, options: EvidenceOptions): void {
    const step = options.step === undefined ? this.#freeStep(slug(title)) : clip(options.step, 100);
    const entry: EvidenceDraft = {
      step,
      kind,
      points,
      title: clip(title, 300),
      reason: clip(reason, 4000),
      source: options.source ?? (options.from ? findSource(options.from) : null),
      techniques: [...(options.techniques ?? [])],
    };
    this.#entries.set(step, entry);
    // One statement writes a batch, and can write a step only once.
    this.#unsaved = [...this.#unsaved.filter((each) => each.step !== step), entry];
    if (this.#isSaving) return;
    this.#isSaving = true;
    void this.#saveAll();
  }

  #freeStep(wanted: string): string {
    const base = wanted.slice(0, 90);
    let step = base;
    for (let n = 2; this.#entries.has(step); n += 1) step = `${base}-${n}`;
    return step;
  }

  /** One save at a time, each with all that came since the last. */
  async #saveAll(): Promise<void> {
    // An author who is about to return gets there first, and the conclusion carries the entries instead.
    for (let tick = 0; tick < 4; tick += 1) await this.#now;
    while (this.#unsaved.length > 0) {
      const batch = this.#unsaved;
      this.#unsaved = [];
      // Nothing is lost where it fails: the conclusion writes every entry again.
      this.#writing = this.#save(batch).catch(() => {});
      await this.#writing;
    }
    this.#writing = null;
    this.#isSaving = false;
  }
}
