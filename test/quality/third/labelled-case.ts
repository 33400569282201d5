import type { Verdict } from '../../../domain/verdict/evidence.js';
import type { Fact } from '../company/fact.js';
import type { Told } from '../company/told.js';
import type { LabelledAlert } from '../labelled.js';
import { FORMATS, type Format } from './formats.js';

/** The kind of the fact that decides an alert. */
export type FactKind =
  | 'reputation'
  | 'contact'
  | 'conclusion'
  | 'merged incident'
  | 'open detection'
  | 'malware event'
  | 'exposure'
  | 'domain abuse'
  | 'intelligence alert'
  | 'vulnerability'
  | 'travel'
  | 'hunting'
  | 'own indicator'
  | 'second hop'
  | 'stale'
  | 'contradiction'
  | 'test or drill'
  | 'hostile text'
  | 'nothing known';

/** An alert and the facts that decide it. */
export interface LabelledCase {
  readonly alert: LabelledAlert;
  readonly facts: readonly Fact[];
}

type Right = Verdict | readonly Verdict[];

interface Given {
  readonly type: string;
  readonly name: string;
  readonly format: Format;
  readonly fact: FactKind;
  readonly told: Told;
  readonly facts?: readonly Fact[];
  readonly why: string;
}

const label =
  (isAttack: boolean) =>
  (right: Right, { type, name, format, fact, told, facts = [], why }: Given): LabelledCase => ({
    alert: { type, name, content: FORMATS[format](told), right: [right].flat(), why, isAttack, format, facts: [fact] },
    facts,
  });

/** An attack; `right` lists the verdicts that the facts support, the best first. */
export const attack = label(true);
/** No attack, as far as anyone can know. */
export const harmless = label(false);
