import type { Verdict } from '../../domain/verdict/evidence.js';

/** One alert of the set and its correct verdicts, based on the data of the third parties. */
export interface LabelledAlert {
  readonly name: string;
  readonly type: string;
  readonly content: string;
  /** The best verdict first, then others that experts could accept. Never both benign and malicious. */
  readonly right: readonly Verdict[];
  readonly why: string;
  /** Whether it is an attack, to count attacks with a benign verdict. */
  readonly isAttack: boolean;
  /** The format of the content, where the set varies it. */
  readonly format?: string;
  /** The kinds of the facts that decide the alert, where the set states them. */
  readonly facts?: readonly string[];
  /** Alerts of one area arrive at the same organization, where the set states it. */
  readonly area?: string;
}

/** `attack` and `harmless` label the alert. `right` lists the verdicts that the available evidence supports. */
export function attack(type: string, name: string, content: string, right: Verdict | readonly Verdict[], why: string): LabelledAlert {
  return { name, type, content, right: [right].flat(), why, isAttack: true };
}

export function harmless(type: string, name: string, content: string, right: Verdict | readonly Verdict[], why: string): LabelledAlert {
  return { name, type, content, right: [right].flat(), why, isAttack: false };
}
