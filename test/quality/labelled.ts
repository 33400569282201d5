import type { Verdict } from '../../domain/case/evidence.js';

/** One alert of the set and what is right to say of it, by what the third parties hold to be true. */
export interface LabelledAlert {
  readonly name: string;
  readonly type: string;
  readonly content: string;
  /** The best one first; others where honest people could differ, never benign beside malicious. */
  readonly right: readonly Verdict[];
  readonly why: string;
  /** What it really is, for counting malicious ones that were called benign. */
  readonly isAttack: boolean;
}

/** `attack` and `harmless` say what it is; what can be known of it is another matter, and stands in `right`. */
export function attack(type: string, name: string, content: string, right: Verdict | readonly Verdict[], why: string): LabelledAlert {
  return { name, type, content, right: [right].flat(), why, isAttack: true };
}

export function harmless(type: string, name: string, content: string, right: Verdict | readonly Verdict[], why: string): LabelledAlert {
  return { name, type, content, right: [right].flat(), why, isAttack: false };
}
