import { z } from 'zod';
import type { Intake } from '../../../domain/connection/intake-source.js';
import type { PlannableSkill, SkillQuestion, SkillRemedy } from '../../../domain/playbook/planner.js';
import type { ActionEnd, AffectedBy, UndoneBy } from '../../../domain/response/write.js';
import { slug } from '../../../domain/text.js';

/** What a skill is, without the code that performs it: from here come validation, types, the activity's name and its bounds. */
export interface SkillContract {
  /** The display name is the skill's id. */
  readonly title: string;
  readonly purpose: string;
  /** A read may be repeated at will, a write never blindly. */
  readonly effect: 'read' | 'write';
  /** The call at the third party, as its documentation writes it; the version is in the path. */
  readonly call: string;
  /** What has to be granted at the third party. */
  readonly permission?: string;
  /** The bound of one attempt. */
  readonly timeoutSeconds: number;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** What it can say about something an alert carries: from these the planner makes playbooks. */
  readonly answers?: readonly SkillQuestion[];
  /** What a write can mend: from these the planner makes proposals. */
  readonly remedies?: readonly SkillRemedy[];
  /** For a write: the reads that tell what it touches; empty where it touches no host, user or tag. */
  readonly touches?: readonly AffectedBy[];
  /** For a write that only starts something: how its end is read. */
  readonly ends?: ActionEnd;
  /** For a write that another one takes back. */
  readonly undoneBy?: UndoneBy;
}

/** What a status means at this third party and what a person does about it: the specification's tables. */
export type ErrorTable = Readonly<Partial<Record<number | '5xx', { readonly cause: string; readonly resolution: string }>>>;

export interface ConnectorContract {
  readonly kind: string;
  readonly title: string;
  readonly purpose: string;
  /** What a person enters; `secret(…)` fields are stored sealed and never shown again. */
  readonly credentials: z.ZodObject;
  readonly settings: z.ZodObject;
  /** Settings a person can pick instead of typing; each stays editable. */
  readonly presets: readonly { readonly title: string; readonly settings: Readonly<Record<string, string>> }[];
  /** After how many days the secret should be replaced, in the third party's words. */
  readonly rotation: { readonly days: number; readonly advice: string } | null;
  /** Whether a connection may be routed through a remote agent. */
  readonly routable: boolean;
  /** Requests a minute that we keep to by ourselves. */
  readonly requestsPerMinute: number;
  readonly errors: ErrorTable;
  /** Every host a connection with these settings talks to; null where the third party has one that nobody told us. */
  hosts(settings: never): readonly KnownHost[];
  /** How items of this third party become alerts; absent if it reports none. */
  readonly intake?: Intake;
  readonly skills: Readonly<Record<string, SkillContract>>;
}

export interface KnownHost {
  /** What it is for: "API", "token", "event stream". */
  readonly purpose: string;
  readonly url: string | null;
}

/** Connectors by the name a playbook knows them by (`skills.<name>.<verb>`). */
export type Catalogue = Readonly<Record<string, ConnectorContract>>;

export function defineSkill<const Contract extends SkillContract>(contract: Contract): Contract {
  return contract;
}

/** Checked here so that the type of `hosts` follows from the settings of the same definition. */
export function defineConnector<const Settings extends z.ZodObject, const Contract extends ConnectorContract>(
  contract: Contract & { settings: Settings; hosts(settings: z.output<Settings>): readonly KnownHost[] },
): Contract {
  return contract;
}

/** A field of a form, never shown again once it was entered. */
export function secret(label: string, help: string): z.ZodString {
  return z.string().min(1).max(4096).meta({ title: label, description: help, secret: true, writeOnly: true });
}

/** A field of a form that may be read back. */
export function plain(label: string, help: string): z.ZodString {
  return z.string().min(1).max(500).meta({ title: label, description: help });
}

/** `https://host[:port]` and nothing after it: paths are the connector's own. */
export function origin(label: string, help: string) {
  return z
    .string()
    .max(500)
    .refine((value) => /^https:\/\/[^/?#@\s]+$/.test(value) && URL.canParse(value), {
      error: 'must begin with https://, name a host and have no trailing slash, path, user or query',
    })
    .meta({ title: label, description: help });
}

/** Whether a field of a definition's schema was made by `secret`. */
export function isSecretField(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.['secret'] === true;
}

/** How much a list skill brings: to the end, within this bound, which a caller may lower. */
export const LIST_BOUND = { items: 1000, bytes: 8 * 1024 * 1024 } as const;
export const maxItems = z.int().min(1).max(10_000).default(LIST_BOUND.items).describe('Stop after this many items.');

/** The output of a list skill: `cut` says in words when the bound ended it before the third party's end. */
export function listOutput<const Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z.number().nullable().describe('How many there are at the third party, where it says so.'),
    cut: z.string().nullable().describe('Why the list is not whole; null when it is.'),
  });
}

export type SkillInput<Contract extends SkillContract> = z.input<Contract['input']>;
export type SkillOutput<Contract extends SkillContract> = z.output<Contract['output']>;

/** The kinds of all connectors, in the order of the catalogue. */
export function listKinds(catalogue: Catalogue): string[] {
  return Object.values(catalogue).map(({ kind }) => kind);
}

/** What the activity is called in Temporal. */
export function skillActivityName(connector: string, verb: string): string {
  return `${connector}.${verb}`;
}

/** All that plans are made from: the questions of reads, which a plan asks by itself, and the remedies of writes, which it proposes. */
export function plannableSkills(catalogue: Catalogue): PlannableSkill[] {
  return Object.entries(catalogue).flatMap(([name, connector]) =>
    Object.entries(connector.skills).map(([verb, { answers = [], remedies = [], effect }]) => ({
      skill: skillActivityName(name, verb),
      questions: effect === 'read' ? answers : [],
      remedies: effect === 'write' ? remedies : [],
    })),
  );
}

/** How a URL names a skill: `list-machine-logon-users`. */
export function skillSlug(contract: SkillContract): string {
  return slug(contract.title);
}
