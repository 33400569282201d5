import { catalogue } from './catalogue.js';
import { type Catalogue, readWriteContracts, type SkillContract, skillActivityName } from './kit/define.js';

const contracts: Catalogue = catalogue;

export interface KnownSkill {
  readonly connectorKind: string;
  readonly skillId: string;
  readonly contract: SkillContract;
}

/** Every skill by its activity name, as playbooks, plans and Temporal use it: `endpointDetection.isolateMachine`. */
export const SKILLS: ReadonlyMap<string, KnownSkill> = new Map(
  Object.entries(contracts).flatMap(([name, { kind, skills }]) =>
    Object.entries(skills).map(([verb, contract]): [string, KnownSkill] => [
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

export const writeContracts = readWriteContracts(contracts);
