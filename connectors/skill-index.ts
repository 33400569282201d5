import type { CardRule } from '../domain/alert/entity-cards.js';
import { SkillKey, toSkillKey } from '../domain/skill-key.js';
import { catalogue } from './catalogue.js';
import { type Catalogue, listOwnNameSources, readWriteContracts, type SkillContract } from './kit/define.js';

const contracts: Catalogue = catalogue;

export interface IndexedSkill {
  readonly skillKey: SkillKey;
  readonly connectorKind: string;
  readonly skillId: string;
  readonly contract: SkillContract;
}

/** Every skill by its key, which is the name of its activity too. */
export const SKILLS: ReadonlyMap<string, IndexedSkill> = new Map(
  Object.entries(contracts).flatMap(([name, { kind, skills }]) =>
    Object.entries(skills).map(([verb, contract]): [string, IndexedSkill] => {
      const skillKey = toSkillKey(name, verb);
      return [skillKey, { skillKey, connectorKind: kind, skillId: contract.title, contract }];
    }),
  ),
);

/** A newer version may have skills that this process does not know. */
export function findSkillTitle(skillKey: string): string {
  return SKILLS.get(skillKey)?.skillId ?? skillKey;
}

const keysByTitle: ReadonlyMap<string, SkillKey> = new Map([...SKILLS.values()].map(({ skillId, skillKey }) => [skillId, skillKey]));

/** Runs of earlier builds send only the title. */
export function findSkillKey(title: string): SkillKey {
  return keysByTitle.get(title) ?? SkillKey.parse(title);
}

export function isWrite(skillKey: SkillKey): boolean {
  return SKILLS.get(skillKey)?.contract.effect === 'write';
}

/** The cards of answers, by skill. */
export const CARDS: ReadonlyMap<SkillKey, CardRule> = new Map(
  Object.entries(contracts).flatMap(([name, { cards = {} }]) =>
    Object.entries(cards).map(([verb, rule]): [SkillKey, CardRule] => [toSkillKey(name, verb), rule]),
  ),
);

export const ownNameSources = listOwnNameSources(contracts);

export const writeContracts = { ...readWriteContracts(contracts), ownNameSources };
