import { ENTITY_KINDS, type EntityKind } from '../../domain/entity/entity.js';
import type { SharedEntity } from '../../domain/investigation/investigation.js';
import type { RecordAnswer } from '../../domain/record/record.js';
import { FACT_RULES } from '../../domain/verdict/fact.js';
import { patched } from './patched.js';

/**
 * Checks of the values that the code of a playbook passes on. TypeScript finds most wrong values before they run, but not NaN, and not
 * what a cast hides. These checks are no schemas, because the bundle freezes schemas, and a frozen schema cannot parse.
 */
export class InvalidValueError extends Error {
  override readonly name = 'InvalidValueError';
}

const MAX_SHOWN_LENGTH = 100;
/** Temporal refuses values of 2 MB, and repeats the task that contains one for ever. */
const MAX_INPUT_LENGTH = 256 * 1024;
const MAX_DAYS = 3650;
const MAX_RELEASE_HOURS = 720;

/** Runs that began under an earlier build keep their steps. */
function refuse(sentence: string): void {
  if (patched('checked-values')) throw new InvalidValueError(sentence);
}

function requireThat(isValid: boolean, place: string, rule: string, value: unknown): void {
  if (!isValid) refuse(`${place} must be ${rule}, not ${show(value)}.`);
}

function show(value: unknown): string {
  if (typeof value === 'string') return value.length > MAX_SHOWN_LENGTH ? 'a longer text' : JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isOptional(value: unknown, isValid: (given: unknown) => boolean): boolean {
  return value === undefined || isValid(value);
}

const isText = (value: unknown): boolean => typeof value === 'string';

/** `call` is the name that the author wrote: `evidence.finding`. */
export function checkEntry(
  call: string,
  { points, title, reason, options }: { points: unknown; title: unknown; reason: unknown; options: unknown },
): void {
  requireThat(Number.isFinite(points), `${call}: points`, 'a finite number', points);
  requireThat(!isBlank(title), `${call}: title`, 'a text that is not empty', title);
  requireThat(isText(reason), `${call}: reason`, 'a text', reason);
  requireThat(isObject(options), `${call}: options`, 'an object', options);
  if (!isObject(options)) return;
  const read = (name: string): unknown => Reflect.get(options, name);
  const check = (name: string, rule: string, isValid: (given: unknown) => boolean) =>
    requireThat(isOptional(read(name), isValid), `${call}: ${name}`, rule, read(name));
  check('step', 'a text that is not empty', (step) => !isBlank(step));
  check('from', 'the answer of a skill', (from) => typeof from === 'object');
  check('techniques', 'a list of texts', isTexts);
  check('source', 'a source with a connector and a skill', isSource);
  check('fact', 'a known fact', isFact);
}

export function checkFactName(call: string, fact: unknown): void {
  requireThat(isFact(fact), `${call}: fact`, 'a known fact', isObject(fact) ? Reflect.get(fact, 'name') : fact);
}

function isSource(value: unknown): boolean {
  if (!isObject(value)) return false;
  const read = (name: string): unknown => Reflect.get(value, name);
  const connection = read('connection');
  return (
    isText(read('connector')) &&
    isText(read('skill_id')) &&
    (connection === null || isText(connection)) &&
    isOptional(read('skill_key'), isText) &&
    isOptional(read('result_id'), isText)
  );
}

function isFact(value: unknown): boolean {
  if (!isObject(value)) return false;
  const read = (name: string): unknown => Reflect.get(value, name);
  return (
    Object.hasOwn(FACT_RULES, String(read('name'))) &&
    isOptional(read('key'), isText) &&
    isOptional(read('about'), isTexts) &&
    isOptional(read('at'), (at) => at === null || typeof at === 'number')
  );
}

/** `call` is the name that the author wrote: `skills.travelBooking.searchUserTravel`. */
export function checkCall(call: string, input: unknown, connection: unknown): void {
  requireThat(isObject(input), `${call}: the input`, 'an object', input);
  requireThat(isOptional(connection, isText), `${call}: connection`, 'the name of a connection', connection);
  const { length } = JSON.stringify(input) ?? '';
  if (length > MAX_INPUT_LENGTH) refuse(`${call}: the input has ${length} characters. Pass at most ${MAX_INPUT_LENGTH}.`);
}

export function checkProposeOptions(call: string, options: unknown): void {
  requireThat(isObject(options), `${call}: the options`, 'an object', options);
  if (!isObject(options)) return;
  const reason: unknown = Reflect.get(options, 'reason');
  requireThat(!isBlank(reason), `${call}: reason`, 'a text that is not empty', reason);
  const hours: unknown = Reflect.get(options, 'releaseAfterHours');
  const isHours = hours === undefined || (Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= MAX_RELEASE_HOURS);
  requireThat(isHours, `${call}: releaseAfterHours`, `a whole number from 1 to ${MAX_RELEASE_HOURS}`, hours);
}

/** These functions of the context of a playbook. */
interface Takers {
  correlate(question: { by: EntityKind[]; withinDays: number }): Promise<SharedEntity[]>;
  findLikelyOwn(domains: string[]): Promise<string[]>;
  searchRecords(values: readonly string[]): Promise<RecordAnswer>;
  followUp(question: { afterHours: number; reason: string }): Promise<void>;
}

/** Adds a check to each function of the context that takes values. No promise more: it would change the order of recorded steps. */
export function withCheckedValues<Context extends Takers>(context: Context): Context {
  const { correlate, findLikelyOwn, searchRecords, followUp } = context;
  const checked: Takers = {
    correlate(question) {
      const { by, withinDays } = question;
      requireThat(isKinds(by), 'correlate: by', 'a list of kinds of entities', by);
      requireThat(isDays(withinDays), 'correlate: withinDays', `a number of days up to ${MAX_DAYS}`, withinDays);
      return correlate(question);
    },
    findLikelyOwn(domains) {
      requireThat(isTexts(domains), 'findLikelyOwn: domains', 'a list of texts', domains);
      return findLikelyOwn(domains);
    },
    searchRecords(values) {
      requireThat(isTexts(values), 'searchRecords: values', 'a list of texts', values);
      return searchRecords(values);
    },
    followUp(question) {
      const { afterHours, reason } = question;
      requireThat(Number.isFinite(afterHours), 'followUp: afterHours', 'a finite number', afterHours);
      requireThat(!isBlank(reason), 'followUp: reason', 'a text that is not empty', reason);
      return followUp(question);
    },
  };
  return { ...context, ...checked };
}

function isKinds(value: unknown): boolean {
  return Array.isArray(value) && value.every((kind) => ENTITY_KINDS.includes(kind));
}

function isDays(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= MAX_DAYS;
}
