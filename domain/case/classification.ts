import type { Verdict } from '../verdict/evidence.js';

/** What a closed case was: a real threat, a wrong alert, or a right alert about something harmless, such as a test. */
export const CLASSIFICATIONS = ['true_positive', 'false_positive', 'benign_positive'] as const;
export type Classification = (typeof CLASSIFICATIONS)[number];

export const CLASSIFICATION_LABELS: Readonly<Record<Classification, string>> = {
  true_positive: 'True positive',
  false_positive: 'False positive',
  benign_positive: 'Benign positive',
};

/** The verdict of the analyst who closes a case with a classification. */
export const CLASSIFIED_VERDICTS: Readonly<Record<Classification, Verdict>> = {
  true_positive: 'malicious',
  false_positive: 'benign',
  benign_positive: 'benign',
};
