import type { EntityKind } from '../entity/entity.js';
import type { Condition } from './playbook.js';

/**
 * Facts that several connectors can provide. A contract asks for a capability, never for a skill of another connector.
 * The planner finds the questions that provide it.
 */
export const CAPABILITIES = {
  /** How dangerous an indicator is. `score` is from 0 (harmless) to 100, see MALICIOUS_SCORE. */
  reputation: ['indicator', 'score'],
} as const;

export type Capability = keyof typeof CAPABILITIES;
export type CapabilityFact<Name extends Capability = Capability> = (typeof CAPABILITIES)[Name][number];

/** A reputation score that counts as malicious. */
export const MALICIOUS_SCORE = 65;

/** The path of each fact of a capability in the answer: `{ reputation: { indicator: 'value', score: 'score' } }`. */
export type ProvidedCapabilities = { readonly [Name in Capability]?: Readonly<Record<CapabilityFact<Name>, string>> };

/** Each value of one fact in the answers about entities of a kind: "the reputation of each IP address". */
export type CapabilityRequest = {
  readonly [Name in Capability]: {
    readonly capability: Name;
    readonly of: EntityKind;
    readonly take: CapabilityFact<Name>;
    /** Only answers that meet all of these. */
    readonly when?: readonly (Omit<Condition, 'path'> & { readonly fact: CapabilityFact<Name> })[];
  };
}[Capability];

/** One answer that provides a capability, with the paths that hold its facts. */
export interface CapabilityAnswer {
  readonly path: string;
  readonly when?: Condition[];
}

/** Translates the facts of a request to paths of a provider's answer; null if it does not provide the capability. */
export function resolveCapability(request: CapabilityRequest, provides: ProvidedCapabilities): CapabilityAnswer | null {
  const paths = provides[request.capability];
  if (!paths) return null;
  const when = request.when?.map(({ fact, ...condition }) => ({ path: paths[fact], ...condition }));
  return { path: paths[request.take], ...(when === undefined ? {} : { when }) };
}
