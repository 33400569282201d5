import type { z } from 'zod';

/** What a skill is, without the code that performs it: from here come validation, types, the activity's name and its bounds. */
export interface SkillContract {
  /** The display name is the skill's id. */
  readonly title: string;
  readonly purpose: string;
  /** A read may be repeated at will, a write never blindly. */
  readonly effect: 'read' | 'write';
  /** The bound of one attempt. */
  readonly timeoutSeconds: number;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

export interface ConnectorContract {
  readonly kind: string;
  readonly title: string;
  readonly skills: Readonly<Record<string, SkillContract>>;
}

/** Connectors by the name a playbook knows them by (`skills.<name>.<verb>`). */
export type Catalogue = Readonly<Record<string, ConnectorContract>>;

export function defineSkill<const Contract extends SkillContract>(contract: Contract): Contract {
  return contract;
}

export function defineConnector<const Contract extends ConnectorContract>(contract: Contract): Contract {
  return contract;
}

export type SkillInput<Contract extends SkillContract> = z.input<Contract['input']>;
export type SkillOutput<Contract extends SkillContract> = z.output<Contract['output']>;

/** The functions that perform a connector's skills. */
export type Implementation<Contract extends ConnectorContract> = {
  readonly [Verb in keyof Contract['skills']]: (
    input: z.output<Contract['skills'][Verb]['input']>,
    context: SkillContext,
  ) => Promise<z.input<Contract['skills'][Verb]['output']>>;
};

export interface SkillContext {
  /** Ends with the attempt's time limit or the activity's cancellation. */
  readonly signal: AbortSignal;
}

/** What the activity is called in Temporal. */
export function skillActivityName(connector: string, verb: string): string {
  return `${connector}.${verb}`;
}

/** What travels to a skill's activity. */
export interface SkillRequest {
  readonly alertId: string;
  readonly investigationNo: number;
  readonly attempt: number;
  readonly input: unknown;
}
