import { catalogue } from '../activities/connectors/catalogue.js';
import { type Catalogue, type SkillContract, skillActivityName } from '../activities/connectors/kit/define.js';

const contracts: Catalogue = catalogue;

export interface KnownSkill {
  /** The connector's kind. */
  readonly connector: string;
  readonly skillId: string;
  readonly contract: SkillContract;
}

/** Every skill by the name that playbooks, plans and Temporal know it by: `endpointDetection.isolateMachine`. */
export const SKILLS: ReadonlyMap<string, KnownSkill> = new Map(
  Object.entries(contracts).flatMap(([name, { kind, skills }]) =>
    Object.entries(skills).map(([verb, contract]): [string, KnownSkill] => [
      skillActivityName(name, verb),
      { connector: kind, skillId: contract.title, contract },
    ]),
  ),
);

/** Skills that change something, by what rows keep of them: the connector's kind and the skill's title. */
const writes = new Set(
  [...SKILLS.values()].flatMap(({ connector, skillId, contract }) => (contract.effect === 'write' ? [`${connector} ${skillId}`] : [])),
);

export function isWrite({ connector, skillId }: { readonly connector: string; readonly skillId: string }): boolean {
  return writes.has(`${connector} ${skillId}`);
}

export function canBeUndone({ connector, verb }: { readonly connector: string; readonly verb: string }): boolean {
  return SKILLS.get(skillActivityName(connector, verb))?.contract.undoneBy !== undefined;
}
