import { catalogue } from '../../connectors/catalogue.js';
import { type Catalogue, skillSlug } from '../../connectors/kit/define.js';
import type { EntityAction } from '../../domain/case/entity-page.js';
import type { Entity } from '../../domain/entity/entity.js';
import type { Subject } from '../../domain/playbook/planner.js';
import { toSkillKey } from '../../domain/skill-key.js';

/** The skills that take an entity of this kind: the questions of reads and the remedies of writes, as playbooks use them. */
export function listEntityActions(
  spellings: readonly Pick<Entity, 'kind' | 'value'>[],
  connectorKinds: ReadonlySet<string>,
): EntityAction[] {
  const contracts: Catalogue = catalogue;
  return Object.entries(contracts)
    .filter(([, connector]) => connectorKinds.has(connector.kind))
    .flatMap(([name, connector]) =>
      Object.entries(connector.skills).flatMap(([verb, skill]) => {
        const uses = [...(skill.answers ?? []), ...(skill.remedies ?? [])];
        const spelling = spellings.find((each) => uses.some(({ about }) => isAbout(about, each)));
        const use = spelling && uses.find(({ about }) => isAbout(about, spelling));
        if (!use) return [];
        const { title: skill_id, purpose, effect } = skill;
        const named = { slug: skillSlug(skill), skill_id, skill_key: toSkillKey(name, verb) };
        return [{ connector: connector.kind, ...named, purpose, effect, input: fillInput(use.input, spelling.value) }];
      }),
    );
}

/** Also a remedy for an indicator with a bad reputation: the person decides whether it has one. */
function isAbout(about: Subject, { kind, value }: Pick<Entity, 'kind' | 'value'>): boolean {
  if (typeof about === 'string') return about === kind;
  if (!('capability' in about) || about.of !== kind || about.take !== 'indicator') return false;
  return (about.when ?? []).every((condition) => condition.is !== 'has-length' || condition.value === value.length);
}

/** The fields that a form can show: those with the entity, and fixed texts. */
function fillInput(
  input: Readonly<Record<string, { readonly take: string; readonly value?: unknown }>>,
  value: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([field, source]) => {
      if (source.take === 'item') return [[field, value]];
      return source.take === 'value' && typeof source.value === 'string' ? [[field, source.value]] : [];
    }),
  );
}
