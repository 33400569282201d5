import { z } from 'zod';

/**
 * What an answer of a third party can mean, with its points. This table is the only place that gives points to facts:
 * generated and written playbooks use it alike. From 45 points a fact is serious, from 30 it is notable (see `verdict.ts`).
 * Of the facts of a group only the strongest counts, because they describe the same thing from several sides.
 */
const RULES = {
  // What people concluded at a third party. It outweighs the rest, see `verdict.ts`.
  'confirmed-malicious': { group: 'conclusion', points: 80, says: 'A person confirmed an attack' },
  'confirmed-benign': { group: 'conclusion', points: -80, says: 'A person found no attack' },
  'confirmed-test': { group: 'conclusion', points: -80, says: 'A person identified a test' },

  'malicious-reputation': { group: 'reputation', points: 45, says: 'Malicious reputation' },
  'suspicious-reputation': { group: 'reputation', points: 30, says: 'Suspicious reputation' },
  'clean-reputation': { group: 'reputation', points: -20, says: 'Clean reputation' },
  'unknown-reputation': { group: 'reputation', points: 0, says: 'No reputation known' },
  contact: { group: 'contact', points: 30, says: 'Contact with a malicious indicator' },
  'several-indicators': { group: 'contact', points: 25, says: 'Several malicious indicators' },
  'blocked-indicator': { group: 'own-rule', points: 30, says: 'Blocked by the organization' },
  'allowed-indicator': { group: 'own-rule', points: -20, says: 'Allowed by the organization' },

  'malware-not-removed': { group: 'detection', points: 70, says: 'Malware could not be removed' },
  'malware-ran': { group: 'detection', points: 70, says: 'Malware ran' },
  'malware-detected': { group: 'detection', points: 45, says: 'Malware detected, not known to be removed' },
  'malware-removed': { group: 'detection', points: 30, says: 'Malware detected and removed' },
  'malware-on-shared': { group: 'detection', points: 30, says: 'Malware on a machine that many share' },
  'unwanted-software': { group: 'detection', points: 30, says: 'A person found unwanted software' },
  'suspicious-file': { group: 'detection', points: 30, says: 'Suspicious file detected' },

  'open-record-high': { group: 'open-record', points: 40, says: 'Open record of high severity' },
  'open-record-medium': { group: 'open-record', points: 30, says: 'Open record of medium severity' },
  'other-open-record': { group: 'open-record', points: 10, says: 'Other open record about the same machine or account' },
  'earlier-attack': { group: 'open-record', points: 30, says: 'A person confirmed an attack with it earlier' },
  'no-open-record': { group: 'open-record', points: -10, says: 'No open record at the third parties' },

  'exposed-credential': { group: 'exposure', points: 35, says: 'Exposed credential' },
  'domain-abuse-high': { group: 'domain-abuse', points: 45, says: 'Domain abuse of high priority' },
  'domain-abuse': { group: 'domain-abuse', points: 30, says: 'Domain abuse' },
  'intelligence-mention': { group: 'intelligence', points: 30, says: 'Named in an intelligence alert' },

  'vulnerability-present': { group: 'vulnerability', points: 10, says: 'The machine has the vulnerability' },
  'exploited-in-organization': { group: 'vulnerability', points: 45, says: 'Exploited vulnerability on own machines' },
  'exploitable-in-organization': { group: 'vulnerability', points: 30, says: 'Exploitable vulnerability on own machines' },
  'exploited-vulnerability': { group: 'vulnerability', points: 45, says: 'Exploited vulnerability on an own machine' },
  'exploitable-vulnerability': { group: 'vulnerability', points: 30, says: 'Exploitable vulnerability on an own machine' },
  'low-risk-vulnerability': { group: 'vulnerability', points: -20, says: 'Vulnerability without a known exploit' },
  'vulnerability-absent': { group: 'vulnerability', points: -25, says: 'The machine does not have the vulnerability' },
  'dangerous-vulnerability': { group: 'vulnerability-reputation', points: 25, says: 'Attackers use the vulnerability' },
  'doubtful-vulnerability': { group: 'vulnerability-reputation', points: 15, says: 'Attackers may use the vulnerability' },
  'harmless-vulnerability': { group: 'vulnerability-reputation', points: -20, says: 'Attackers hardly use the vulnerability' },

  'not-found': { group: 'unknown', points: 0, says: 'Not known at the third party' },
  'missing-reference': { group: 'unknown', points: 0, says: 'The record that the alert is about does not exist' },
  'unknown-subject': { group: 'unknown', points: 0, says: 'No third party knows what the alert is about' },

  'important-asset': { group: 'asset', points: 0, says: 'Important machine' },

  // Text can be forged, so a behaviour makes an alert suspicious at most. Its rule gives the points.
  behaviour: { group: 'behaviour', points: 30, says: 'Behaviour of an attack in the alert' },

  'approved-test': { group: 'approved-test', points: -40, says: 'A test that the organization approved' },

  'trip-explains': { group: 'trip', points: -40, says: 'A booked trip explains the place' },
  'no-trip': { group: 'trip', points: 30, says: 'No booked trip explains the place' },
} as const satisfies Record<string, FactRule>;

interface FactRule {
  readonly group: string;
  readonly points: number;
  readonly says: string;
}

export type FactName = keyof typeof RULES;
export const FACT_RULES: Readonly<Record<FactName, FactRule>> = RULES;

const isFactName = (name: string): name is FactName => Object.hasOwn(RULES, name);
export const FACT_NAMES = Object.keys(RULES).filter(isFactName);
export const FactName = z.enum(FACT_NAMES);

/** How a fact is connected to the alert: the alert names its id, both name the same indicator, or the same machine or account. */
export const FACT_LINKS = ['named', 'indicator', 'asset'] as const;
export const FactLink = z.enum(FACT_LINKS);
export type FactLink = z.infer<typeof FactLink>;

/**
 * What a person's conclusion covers: the same activity as the alert, what happened on the same machine or account at the same
 * moment, or only the same entity on another occasion.
 */
export const COVERAGES = ['activity', 'moment', 'entity'] as const;
export type Coverage = (typeof COVERAGES)[number];

/** The meaning of a finding, for the verdict. */
export const Fact = z.object({
  name: FactName,
  /** Findings with the same key rest on the same fact, which counts once. */
  key: z.string().max(500).optional(),
  /** The values that the fact is about, in lower case. */
  about: z.array(z.string().max(2048)).max(50).optional(),
  /** For a conclusion: the part of the alert that the person looked at. Default: the entity. */
  covers: z.enum(COVERAGES).optional(),
  /** Epoch seconds: when it happened or, for a conclusion, when the person recorded it. */
  at: z.number().nullable().optional(),
  link: FactLink.optional(),
});
export type Fact = z.infer<typeof Fact>;

/** A link and its domain are one indicator. */
export function readSite(value: string): string {
  return URL.canParse(value) ? new URL(value).hostname : value;
}
