import type { Verdict } from '../../../domain/verdict/evidence.js';
import type { Fact } from '../company/fact.js';
import type { Told } from '../company/told.js';
import type { LabelledAlert } from '../labelled.js';
import { FORMATS, type Format } from './formats/formats.js';

/** The kinds of the facts of an alert. */
export type FactKind =
  | 'reputation'
  | 'machine known'
  | 'endpoint alert'
  | 'unknown indicator'
  | 'incident'
  | 'investigation'
  | 'internal address'
  | 'hunting row'
  | 'malware event'
  | 'playbook alert'
  | 'intelligence alert'
  | 'unknown machine'
  | 'trip'
  | 'no trip'
  | 'second leg'
  | 'person of the sign-in'
  | 'several account names'
  | 'vulnerability'
  | 'no such incident'
  | 'another entity'
  | 'benign beside a bystander'
  | 'unknown beside a bystander'
  | 'merged incident'
  | 'own indicator'
  | 'shared infrastructure'
  | 'wave of one attack'
  | 'stale fact';

/** An alert and the facts that decide it. */
export interface LabelledCase {
  readonly alert: LabelledAlert;
  readonly told: Told;
  readonly facts: readonly Fact[];
}

interface Given {
  readonly type: string;
  readonly name: string;
  readonly format: Format;
  readonly kinds: readonly FactKind[];
  readonly told: Told;
  readonly facts?: readonly Fact[];
  readonly why: string;
}

type Right = Verdict | readonly Verdict[];

const label =
  (isAttack: boolean) =>
  (right: Right, { type, name, format, kinds, told, facts = [], why }: Given): LabelledCase => ({
    alert: { type, name, content: FORMATS[format](told), right: [right].flat(), why, isAttack, format, facts: kinds },
    told,
    facts,
  });

/** An attack; `right` lists the verdicts that the facts support, the best first. */
export const attack = label(true);
/** No attack, as far as anyone can know. */
export const harmless = label(false);
