import { titleWithoutFinding } from '../../domain/case/evidence-groups.js';
import { clip, slug } from '../../domain/text.js';
import type { EvidenceDraft, EvidenceKind, EvidenceSource, SharedValue } from '../../domain/verdict/evidence.js';
import { FACT_RULES, type Fact } from '../../domain/verdict/fact.js';
import { findRepeated } from '../../domain/verdict/repeated.js';
import { LEFT_OUT, selectCounted } from '../../domain/verdict/verdict.js';
import { findSource, listSubjects } from './answer-source.js';
import { checkEntry, checkFactName } from './author-values.js';
import { patched } from './patched.js';
import { RunLimitError } from './run-limits.js';
import type { Answer } from './skills.js';

interface EvidenceOptions {
  /** The id of the step. A later entry of the same step replaces the earlier one. Default: made from the title. */
  readonly step?: string;
  readonly source?: EvidenceSource;
  /** The skill answer that supports this entry. */
  readonly from?: object | null;
  readonly techniques?: readonly string[];
  /** The meaning for the verdict. */
  readonly fact?: Fact;
  /** It states something else than the fact that counts for the same answer. Otherwise the fact counts, and this is a note. */
  readonly otherFact?: boolean;
  /** The value that many share, which the service suggests as own knowledge. */
  readonly shared?: SharedValue;
}

const MAX_TITLE_LENGTH = 300;
const MAX_REASON_LENGTH = 4000;
const MAX_QUESTION_LENGTH = 300;
const MAX_TECHNIQUES = 50;
/** More than all answers of the largest plan. */
const MAX_ENTRIES = 5_000;
const TECHNIQUE = /^T\d{4}(?:\.\d{3})?$/;
const MAX_STEP_LENGTH = 100;
/** Leaves space for the number that keeps a step unique. */
const MAX_GENERATED_STEP_LENGTH = 90;

/** The evidence that a playbook collects about its alert, as its author sees it. */
export interface EvidenceLog {
  /**
   * Adds points for (+) or against (−) the alert being malicious, at most 100 either way. If a fact about the same entity of the same skill, or about the
   * same record, counts already, it becomes a note.
   */
  finding(points: number, title: string, reason: string, options?: EvidenceOptions): void;
  /** Adds a finding whose points the rules give, see `domain/verdict/fact.ts`. */
  fact(fact: Fact, title: string, reason: string, options?: Omit<EvidenceOptions, 'fact'>): void;
  /** Adds a question without an answer, which lowers the confidence. The same gap for ten addresses counts once. */
  gap(title: string, reason: string, options?: EvidenceOptions): void;
  /** Adds a gap for a part of the alert that is too large to check. It rules out the verdict "benign". */
  leftOut(title: string, reason: string): void;
  /** Adds information for the reader. It does not affect the score. */
  note(title: string, reason: string, options?: EvidenceOptions): void;
  readonly entries: EvidenceDraft[];
}

/** The log, and what the wrapper of a playbook does with it. */
export class EvidenceRecorder implements EvidenceLog {
  readonly #entries = new Map<string, EvidenceDraft>();
  #unsaved = new Map<string, EvidenceDraft>();
  /** The subjects of the author's own findings that rest on an answer, by step. */
  readonly #subjects = new Map<string, ReadonlySet<string>>();
  /** Called after each entry. */
  onEntry: () => void = () => {};

  finding(points: number, title: string, reason: string, options: EvidenceOptions = {}): void {
    checkEntry('evidence.finding', { points, title, reason, options });
    const { step } = this.#add('finding', Math.max(-100, Math.min(100, Math.round(points))), title, reason, options);
    if (options.from && options.fact === undefined && options.otherFact !== true) this.#subjects.set(step, listSubjects(options.from));
    this.#noteRepeated();
  }

  /** One fact counts once, whether the author or the engine stated it first. Runs that began under an earlier build count both. */
  #noteRepeated(): void {
    if (this.#subjects.size === 0) return;
    const repeated = findRepeated(this.entries, ({ step }) => this.#subjects.get(step));
    if (repeated.length === 0 || !patched('repeated-facts')) return;
    for (const { finding, fact } of repeated) {
      const { step, title, reason, techniques, source } = finding;
      this.#subjects.delete(step);
      this.note(title, `${reason} It has no points, because this counts already: ${fact.title}.`, {
        step,
        techniques,
        ...(source ? { source } : {}),
      });
    }
  }

  fact(fact: Fact, title: string, reason: string, options: Omit<EvidenceOptions, 'fact'> = {}): void {
    checkFactName('evidence.fact', fact);
    this.finding(FACT_RULES[fact.name].points, title, reason, { ...options, fact });
  }

  /** Turns the findings that do not count into notes, so that the points on a case add up to its score. */
  settle(): void {
    const counted = new Set(selectCounted(this.entries).map(({ step }) => step));
    for (const { step, title, reason, source, techniques } of this.entries.filter(({ kind }) => kind === 'finding'))
      if (!counted.has(step)) this.note(title, reason, { step, techniques, ...(source ? { source } : {}) });
  }

  gap(title: string, reason: string, options: EvidenceOptions = {}): void {
    checkEntry('evidence.gap', { points: 0, title, reason, options });
    const isKnown = this.entries.some(
      (entry) => entry.kind === 'gap' && entry.title === clip(title, MAX_TITLE_LENGTH) && entry.reason === clip(reason, MAX_REASON_LENGTH),
    );
    if (isKnown) return;
    this.#add('gap', 0, title, reason, options);
  }

  leftOut(title: string, reason: string): void {
    checkEntry('evidence.leftOut', { points: 0, title, reason, options: {} });
    this.gap(title, reason, { step: `${LEFT_OUT}-${slug(title)}` });
  }

  note(title: string, reason: string, options: EvidenceOptions = {}): void {
    checkEntry('evidence.note', { points: 0, title, reason, options });
    this.#add('note', 0, title, reason, options);
  }

  /** Adds a note for each answer that no entry cites. */
  noteUncited(answers: readonly Answer[]): void {
    const cited = new Set(this.entries.map(({ source }) => source?.result_id));
    for (const { source, input } of answers.filter((answer) => !cited.has(answer.source.result_id)))
      this.note(titleWithoutFinding(source.skill_id), `Asked: ${clip(JSON.stringify(input), MAX_QUESTION_LENGTH)}`, { source });
  }

  get entries(): EvidenceDraft[] {
    return [...this.#entries.values()];
  }

  get hasUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  /** Returns the entries since the last call, one for each step. */
  takeUnsaved(): EvidenceDraft[] {
    const taken = [...this.#unsaved.values()];
    this.#unsaved = new Map();
    return taken;
  }

  #add(kind: EvidenceKind, points: number, title: string, reason: string, options: EvidenceOptions): EvidenceDraft {
    const step = options.step === undefined ? this.#findFreeStep(slug(title)) : clip(options.step, MAX_STEP_LENGTH);
    // Frozen, because an author can read the entries: a change of one would have no check.
    const entry: EvidenceDraft = Object.freeze({
      step,
      kind,
      points,
      title: clip(title, MAX_TITLE_LENGTH),
      reason: clip(reason, MAX_REASON_LENGTH),
      source: options.source ?? (options.from ? findSource(options.from) : null),
      techniques: listTechniques(options.techniques),
      ...(options.fact === undefined ? {} : { fact: options.fact }),
      ...(options.shared === undefined ? {} : { shared: options.shared }),
    });
    if (this.#entries.size >= MAX_ENTRIES && !this.#entries.has(step))
      throw new RunLimitError(`The playbook added more than ${MAX_ENTRIES} entries of evidence.`);
    this.#entries.set(step, entry);
    this.#unsaved.set(step, entry);
    this.onEntry();
    return entry;
  }

  #findFreeStep(wanted: string): string {
    const base = wanted.slice(0, MAX_GENERATED_STEP_LENGTH);
    let step = base;
    for (let n = 2; this.#entries.has(step); n += 1) step = `${base}-${n}`;
    return step;
  }
}

/** A third party can name anything as a technique, such as a tactic. */
function listTechniques(given: readonly string[] = []): string[] {
  return given.filter((technique) => TECHNIQUE.test(technique)).slice(0, MAX_TECHNIQUES);
}
