import type { AffectedAssets } from '../connection/affected-assets.js';
import { valuesAt } from '../playbook/conditions.js';

/** A write as a sentence for the person who decides: the action, its target and its scope. */
export interface WriteSentence {
  /** Names of input fields in braces, or `hosts`, `users`, `skill`, `organization`. */
  readonly template: string;
  /** By field: words for its values. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By field: the text where the field has no value. It can name other fields. */
  readonly otherwise?: Readonly<Record<string, string>>;
}

/** The fields that a template names. */
export type SentenceFields<Template extends string> = Template extends `${string}{${infer Field}}${infer Rest}`
  ? Field | SentenceFields<Rest>
  : never;

/** The fields that every write has. */
export type CommonField = 'hosts' | 'users' | 'skill' | 'organization';

/** The compiler checks that the template names only known fields. */
function defineDefault<const Template extends string>(
  template: SentenceFields<Template> extends CommonField ? Template : never,
  otherwise: Partial<Record<CommonField, string>>,
): WriteSentence {
  return { template, otherwise };
}

/** For a write whose contract has no sentence. */
const DEFAULT_SENTENCE = defineDefault('{skill} on {hosts} of {organization}', { hosts: 'the target in its input' });

interface DescribedWrite {
  /** The title of the skill. */
  readonly skill: string;
  readonly sentence: WriteSentence | undefined;
  readonly input: unknown;
  readonly assets: AffectedAssets | null;
  readonly organization: string;
}

const MAX_NAMED = 3;
const FIELD = /\{(\w+)\}/g;

export function describeWrite({ skill, sentence = DEFAULT_SENTENCE, input, assets, organization }: DescribedWrite): string {
  const common: Readonly<Record<string, readonly string[]>> = {
    skill: [skill],
    organization: [organization],
    hosts: assets?.hosts ?? [],
    users: assets?.users ?? [],
  };
  const read = (field: string): readonly string[] => {
    const values = valuesAt(input, field).flat().map(String);
    return common[field] ?? values.map((value) => sentence.words?.[field]?.[value] ?? value);
  };
  const fill = (template: string, depth: number): string =>
    template.replace(FIELD, (_, field: string) => {
      const values = read(field).filter((value) => value !== '');
      if (values.length > 0) return listNames(values);
      return depth === 0 ? '' : fill(sentence.otherwise?.[field] ?? '', depth - 1);
    });
  const text = fill(sentence.template, 1).replace(/\s+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a, b, c and 2 more` */
function listNames(values: readonly string[]): string {
  const more = values.length - MAX_NAMED;
  return more > 0 ? `${values.slice(0, MAX_NAMED).join(', ')} and ${more} more` : values.join(', ');
}

/** Whether two writes of one skill do the same to the same target. Without declared fields the whole input counts. */
export function isSameWrite(target: readonly string[] | undefined, one: unknown, other: unknown): boolean {
  const select = (input: unknown) =>
    target === undefined ? input : target.map((field) => String(valuesAt(input, field)[0] ?? '').toLowerCase());
  return JSON.stringify(select(one)) === JSON.stringify(select(other));
}
