import { z } from 'zod';
import { storable, text } from '../../domain/text.js';

/** The values of the operator for settings that no tenant can choose, by the name of the environment variable. */
export interface OperatorSettings {
  readonly SLACK_API_URL: string;
}

/** The definition of a channel without its code: the source of validation, types and the form. */
export interface ChannelContract {
  readonly kind: string;
  readonly title: string;
  readonly settings: z.ZodObject;
  /** The secrets that an admin enters. They are stored sealed and never shown again. */
  readonly secrets: z.ZodObject;
  /** The setting that names the receiver in a list. */
  readonly receiver: string;
  /** A channel for people collects events in a digest. Programs get each event on its own. */
  readonly sendsDigests: boolean;
  /** A channel that asks for a decision also brings the decision, without an event of its own in the rule. */
  readonly bringsDecisions: boolean;
  /** Whether a later state of the same case, proposal or connection changes the message of an earlier one. */
  readonly updatesMessages: boolean;
  /** Whether the service creates a secret with which the receiver verifies each message. */
  readonly isSigned: boolean;
  /** Settings that have the operator's value in every channel. An earlier version let admins enter them. */
  readonly fixedByOperator?: Readonly<Record<string, keyof OperatorSettings>>;
}

/** Channels by their kind. */
export type Channels = Readonly<Record<string, ChannelContract>>;

export function defineChannel<const Settings extends z.ZodObject, const Contract extends ChannelContract>(
  contract: Contract & { settings: Settings; receiver: keyof z.output<Settings> & string },
): Contract {
  return contract;
}

/** The fixed settings of the contract with the operator's values. */
export function fixedSettings({ fixedByOperator = {} }: ChannelContract, operator: OperatorSettings): Record<string, string> {
  return Object.fromEntries(Object.entries(fixedByOperator).map(([field, name]) => [field, operator[name]]));
}

/** The settings that differ from those of the operator, with an explanation. Secrets were entered for another place then. */
export function findForeignSettings(
  contract: ChannelContract,
  settings: Readonly<Record<string, unknown>>,
  operator: OperatorSettings,
): { path: [string]; message: string }[] {
  return Object.entries(fixedSettings(contract, operator)).flatMap(([field, value]) => {
    const given = settings[field];
    if (given === undefined || (typeof given === 'string' && given.replace(/\/+$/, '') === value)) return [];
    const name = contract.fixedByOperator?.[field];
    return [{ path: [field], message: `${field}: only the operator sets it, as ${name}. Its value is ${value}. Leave the field out.` }];
  });
}

/** An entered secret. */
export function secret(label: string, help = '') {
  return text(1000).meta({ title: label, description: help, secret: true, writeOnly: true });
}

export function httpsUrl() {
  return storable(2000)
    .refine((url) => URL.canParse(url) && new URL(url).protocol === 'https:', 'must begin with https://')
    .refine((url) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === ''), 'must not contain a password');
}

/** The setting of a channel that can show the facts of a decision. */
export const details = z.boolean().default(true).meta({
  title: 'Details',
  description: 'Whether a message about a proposal states its action, target, requester and expiry.',
});

interface Entered {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: unknown;
}

/** Checks the fields of a channel. Returns them, or the place of each error. */
export function checkChannel(
  { settings, secrets }: ChannelContract,
  given: Entered,
): { settings: Record<string, unknown>; secrets: Record<string, string> } | { issues: { path: PropertyKey[]; message: string }[] } {
  const parsed = { settings: settings.safeParse(given.settings), secrets: secrets.safeParse(given.secrets) };
  if (parsed.settings.success && parsed.secrets.success) {
    const kept = Object.entries(parsed.secrets.data).flatMap(([field, value]) => (typeof value === 'string' ? [[field, value]] : []));
    return { settings: parsed.settings.data, secrets: Object.fromEntries(kept) };
  }
  const issues = Object.entries(parsed).flatMap(([part, { error }]) =>
    (error?.issues ?? []).map(({ path, message }) => ({ path: [part, ...path], message })),
  );
  return { issues };
}
