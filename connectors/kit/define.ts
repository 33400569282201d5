import { z } from 'zod';
import type { CardRule } from '../../domain/alert/entity-cards.js';
import type { Intake } from '../../domain/alert/intake-source.js';
import type { AffectedAssets } from '../../domain/connection/affected-assets.js';
import type { ConnectorIcon } from '../../domain/connection/connector.js';
import type { OwnNameSource } from '../../domain/organization/suggestions.js';
import type { PlannableSkill, SkillQuestion, SkillRemedy } from '../../domain/playbook/planner.js';
import type { RecordSource } from '../../domain/record/record.js';
import { listSensitivities, type SensitiveWrite } from '../../domain/response/sensitive-write.js';
import {
  type ActionEnd,
  type AffectedBy,
  type DoneWhen,
  fillInput,
  listTargets,
  type NamedHost,
  type UndoneBy,
} from '../../domain/response/write.js';
import { type CommonField, describeWrite, type SentenceFields, type WriteSentence } from '../../domain/response/write-sentence.js';
import { type SkillKey, toSkillKey } from '../../domain/skill-key.js';
import { slug } from '../../domain/text.js';

/** The definition of a skill without its code: the source of validation, types, the activity's name and its limits. */
export interface SkillContract {
  /** The display name, `skill_id` in the API. The key of the skill (`toSkillKey`) is its permanent id. */
  readonly title: string;
  readonly purpose: string;
  /** A read may be repeated. A write is repeated only after a lookup of its outcome. */
  readonly effect: 'read' | 'write';
  /** The call as the third party documents it, with the version in the path. */
  readonly call: string;
  /** The permission that the skill needs at the third party. */
  readonly permission?: string;
  /** The time limit of one attempt. */
  readonly timeoutSeconds: number;
  /** For a read whose answer changes slowly: investigations use an answer of this age again. */
  readonly reuseSeconds?: number;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** The questions that a read can answer. The planner builds plans from them. */
  readonly answers?: readonly SkillQuestion[];
  /** The threats that a write can contain. The planner builds proposals from them. */
  readonly remedies?: readonly SkillRemedy[];
  /** For a write: the reads that list the affected hosts, users and tags; empty if it affects none. */
  readonly touches?: readonly AffectedBy[];
  /** The input fields that name affected hosts themselves. */
  readonly namesHosts?: readonly NamedHost[];
  /** The input fields that name a thing that any host can have, such as the hash of a file. */
  readonly namesOnAnyHost?: readonly NamedHost[];
  /** For a write: the effects that need two people, unless an admin chose otherwise for the connection. */
  readonly sensitive?: readonly SensitiveWrite[];
  /** For a write that starts an action: the read that returns its status. */
  readonly ends?: ActionEnd;
  /** For a write whose effect another read shows: a proposal of it is withdrawn when a person did it at the third party. */
  readonly doneWhen?: DoneWhen;
  /** For a write that another skill can undo. */
  readonly undoneBy?: UndoneBy;
  /** For a write: how a person reads it before the decision. Default: its title and the affected hosts. */
  readonly sentence?: WriteSentence;
  /** For a write: the input fields that tell what it changes. Two writes with the same values do the same. Default: the whole input. */
  readonly target?: readonly string[];
}

/** The cause and resolution of each HTTP status, from the specification. */
export type ErrorTable = Readonly<Partial<Record<number | '5xx', { readonly cause: string; readonly resolution: string }>>>;

export interface ConnectorContract {
  readonly kind: string;
  readonly title: string;
  /** The names under which people know the third party, the current one first. */
  readonly products: readonly [string, ...string[]];
  readonly icon: ConnectorIcon;
  readonly purpose: string;
  /** `secret(…)` fields are stored encrypted and never shown again. */
  readonly credentials: z.ZodObject;
  readonly settings: z.ZodObject;
  /** Settings to choose from; the user can still edit each field. */
  readonly presets: readonly { readonly title: string; readonly settings: Readonly<Record<string, string>> }[];
  /** The steps at the third party before a connection works: account, permissions, consent, licence. */
  readonly setup?: readonly string[];
  /** The permissions without which a connection test fails. */
  readonly mandatoryPermissions?: readonly string[];
  /** When the third party advises to replace the secret. */
  readonly rotation: { readonly days: number; readonly advice: string } | null;
  /** Whether a connection may be routed through a remote agent. */
  readonly routable: boolean;
  /** Our own limit, below that of the third party. */
  readonly requestsPerMinute: number;
  readonly errors: ErrorTable;
  /** Every host that a connection with these settings calls; `url` is null if the host is unknown. */
  hosts(settings: never): readonly KnownHost[];
  /** How items of this third party become alerts; absent if it reports none. */
  readonly intake?: Intake;
  /** The records that the service copies, because this third party cannot search them by entity. */
  readonly records?: readonly RecordSource[];
  /** The answers that the page of an entity shows as cards, by the verb of the skill. */
  readonly cards?: Readonly<Record<string, CardRule>>;
  /** Where answers name the organization's own machines and people. */
  readonly ownNames?: Pick<OwnNameSource, 'machines' | 'people'>;
  readonly skills: Readonly<Record<string, SkillContract>>;
}

export interface KnownHost {
  /** Such as "API", "token" or "event stream". */
  readonly purpose: string;
  readonly url: string | null;
}

/** Connectors by the name that playbooks use: `skills.<name>.<verb>`. */
export type Catalogue = Readonly<Record<string, ConnectorContract>>;

/** Requires that a sentence and a target name only fields of the input, or fields that every write has. */
type WithKnownFields<Contract extends SkillContract> = {
  readonly sentence?: Contract['sentence'] extends { readonly template: infer Template extends string }
    ? SentenceFields<Template> extends InputField<Contract> | CommonField
      ? WriteSentence
      : { readonly template: 'The template names a field that the input does not have.' }
    : WriteSentence;
  readonly target?: readonly InputField<Contract>[];
};
type InputField<Contract extends SkillContract> = keyof z.output<Contract['input']> & string;

export function defineSkill<const Contract extends SkillContract>(contract: Contract & WithKnownFields<Contract>): Contract {
  return contract;
}

/** Derives the parameter type of `hosts` from the settings of the same definition. */
export function defineConnector<const Settings extends z.ZodObject, const Contract extends ConnectorContract>(
  contract: Contract & { settings: Settings; hosts(settings: z.output<Settings>): readonly KnownHost[] },
): Contract {
  return contract;
}

/** A form field that is never shown again. */
export function secret(label: string, help: string): z.ZodString {
  return z.string().min(1).max(4096).meta({ title: label, description: help, secret: true, writeOnly: true });
}

/** Finds the secret mark through wrappers such as optional and default. */
export function isSecret(schema: unknown): boolean {
  for (let current: unknown = schema; current instanceof z.ZodType; ) {
    if (current.meta()?.['secret'] === true) return true;
    const { def } = current;
    current = 'innerType' in def ? def.innerType : undefined;
  }
  return false;
}

/** A form field that may be shown again. */
export function plain(label: string, help: string): z.ZodString {
  return z.string().min(1).max(500).meta({ title: label, description: help });
}

/** `https://host[:port]` without a path, which the connector adds. */
export function origin(label: string, help: string) {
  return z
    .string()
    .max(500)
    .refine((value) => /^https:\/\/[^/?#@\s]+$/.test(value) && URL.canParse(value), {
      error: 'must be https:// and a host, without trailing slash, path, user or query',
    })
    .meta({ title: label, description: help });
}

/** Whether a field of a definition's schema was made by `secret`. */
export function isSecretField(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.['secret'] === true;
}

/** The limits of a list skill; a caller may lower them. */
export const LIST_BOUND = { items: 1000, bytes: 8 * 1024 * 1024 } as const;
export const maxItems = z.int().min(1).max(10_000).default(LIST_BOUND.items).describe('Stop after this many items.');

/** The output of a list skill. `cut` gives the reason if the list is incomplete. */
export function listOutput<const Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z.number().nullable().describe('The number of items at the third party, if it is known.'),
    cut: z.string().nullable().describe('Why the list is incomplete; null if it is complete.'),
    omitted: z.int().default(0).describe('The number of items that are too large to read, if only these are missing.'),
  });
}

export type SkillInput<Contract extends SkillContract> = z.input<Contract['input']>;
export type SkillOutput<Contract extends SkillContract> = z.output<Contract['output']>;

/** The kinds of all connectors, in the order of the catalogue. */
export function listKinds(catalogue: Catalogue): string[] {
  return Object.values(catalogue).map(({ kind }) => kind);
}

export function listOwnNameSources(catalogue: Catalogue): OwnNameSource[] {
  return Object.values(catalogue).flatMap(({ kind, ownNames }) => (ownNames ? [{ connectorKind: kind, ...ownNames }] : []));
}

/** The input of the planner: the questions of reads, which a plan asks, and the remedies of writes, which it proposes. */
export function plannableSkills(catalogue: Catalogue): PlannableSkill[] {
  return Object.entries(catalogue).flatMap(([name, connector]) =>
    Object.entries(connector.skills).map(([verb, { answers = [], remedies = [], effect }]) => ({
      skill: toSkillKey(name, verb),
      questions: effect === 'read' ? answers : [],
      remedies: effect === 'write' ? remedies : [],
    })),
  );
}

/** The skill's name in a URL: `list-machine-logon-users`. */
export function skillSlug(contract: SkillContract): string {
  return slug(contract.title);
}

interface StoredWrite {
  /** The key of the catalogue. */
  readonly connectorKey: string;
  readonly verb: string;
  readonly input: Record<string, unknown>;
}

/** The write that undoes another, with its input. null: the contract names none, or no longer accepts the stored input. */
export function planUndo(
  catalogue: Catalogue,
  write: StoredWrite,
): { verb: string; skillKey: SkillKey; skillId: string; input: Record<string, unknown> } | null {
  const skills = catalogue[write.connectorKey]?.skills;
  const undoneBy = skills?.[write.verb]?.undoneBy;
  const contract = undoneBy && skills?.[undoneBy.verb];
  if (!undoneBy || !contract) return null;
  const { data: input } = contract.input.safeParse(fillInput(undoneBy.input, write));
  const skillKey = toSkillKey(write.connectorKey, undoneBy.verb);
  return input ? { verb: undoneBy.verb, skillKey, skillId: contract.title, input } : null;
}

/** What the contracts tell about a stored write. */
export function readWriteContracts(catalogue: Catalogue) {
  const find = ({ connectorKey, verb }: Pick<StoredWrite, 'connectorKey' | 'verb'>) => catalogue[connectorKey]?.skills[verb];
  return {
    canBeUndone: (write: StoredWrite): boolean => find(write)?.undoneBy !== undefined,
    /** The write as a sentence. */
    describe: (
      write: Omit<StoredWrite, 'input'> & { input: unknown; skillId: string; assets: AffectedAssets | null },
      organization: string,
    ): string => {
      const { skillId: skill, input, assets } = write;
      return describeWrite({ skill, sentence: find(write)?.sentence, input, assets, organization });
    },
    listTargets: (write: Omit<StoredWrite, 'input'> & { input: unknown }) => listTargets(find(write) ?? {}, write.input),
    listSensitivities: (write: Omit<StoredWrite, 'input'> & { input: unknown; assets: AffectedAssets | null }) =>
      listSensitivities(find(write)?.sensitive, write),
    /** Whether the affected assets decide about that. */
    isSensitiveByAssets: (write: Pick<StoredWrite, 'connectorKey' | 'verb'>) =>
      find(write)?.sensitive?.some(({ onServers }) => onServers) ?? false,
    /** The kinds of connectors with such writes. */
    sensitiveKinds: Object.values(catalogue).flatMap(({ kind, skills }) =>
      Object.values(skills).some(({ sensitive }) => sensitive !== undefined) ? [kind] : [],
    ),
    planUndo: (write: StoredWrite) => planUndo(catalogue, write),
  };
}
