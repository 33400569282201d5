import type { CardRule } from '../domain/alert/entity-cards.js';
import { catalogue } from './catalogue.js';
import { type Catalogue, listOwnNameSources, readWriteContracts, type SkillContract, skillActivityName } from './kit/define.js';

const contracts: Catalogue = catalogue;

export interface IndexedSkill {
  readonly connectorKind: string;
  readonly skillId: string;
  readonly contract: SkillContract;
}

/** Every skill by its activity name, as playbooks, plans and Temporal use it: `endpointDetection.isolateMachine`. */
export const SKILLS: ReadonlyMap<string, IndexedSkill> = new Map(
  Object.entries(contracts).flatMap(([name, { kind, skills }]) =>
    Object.entries(skills).map(([verb, contract]): [string, IndexedSkill] => [
      skillActivityName(name, verb),
      { connectorKind: kind, skillId: contract.title, contract },
    ]),
  ),
);

/** Write skills by connector kind and skill title, the two values that rows store. */
const writes = new Set(
  [...SKILLS.values()].flatMap(({ connectorKind, skillId, contract }) =>
    contract.effect === 'write' ? [`${connectorKind} ${skillId}`] : [],
  ),
);

export function isWrite({ connector, skillId }: { readonly connector: string; readonly skillId: string }): boolean {
  return writes.has(`${connector} ${skillId}`);
}

/** The cards of answers, by connector kind and skill title. */
export const CARDS: ReadonlyMap<string, CardRule> = new Map(
  Object.values(contracts).flatMap(({ kind, cards = {}, skills }) =>
    Object.entries(cards).map(([verb, rule]): [string, CardRule] => [`${kind}/${skills[verb]?.title}`, rule]),
  ),
);

export const ownNameSources = listOwnNameSources(contracts);

export const writeContracts = { ...readWriteContracts(contracts), ownNameSources };
