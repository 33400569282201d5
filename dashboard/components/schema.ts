import type { ConnectorField } from '../../domain/connection/connector.js';

/** What a form holds while it is filled in: text as it was typed, lists of it, groups of fields. What is undefined is left out. */
export type Draft = string | readonly string[] | DraftGroup | undefined;
export interface DraftGroup {
  readonly [name: string]: Draft;
}

export type Field = ConnectorField;
export type Schema = Readonly<Record<string, unknown>>;

/** How a field is asked for. */
export type Input =
  | { readonly kind: 'text'; readonly isLong: boolean }
  | { readonly kind: 'number'; readonly isWhole: boolean }
  | { readonly kind: 'date' | 'time' | 'boolean' | 'json' }
  | { readonly kind: 'choice' | 'choices'; readonly options: readonly string[] }
  | { readonly kind: 'list'; readonly ofNumbers: boolean }
  | { readonly kind: 'group'; readonly fields: readonly Field[] };

const LONG_TEXT_LENGTH = 1_000;

/** A construct that no input is made for is asked for as JSON. */
export function chooseInput(schema: Schema): Input {
  const { type, format } = schema;
  const options = toTexts(schema['enum']);
  if (options.length > 0) return { kind: 'choice', options };
  if (type === 'string' && format === 'date') return { kind: 'date' };
  if (type === 'string' || isTextOfSeveralForms(schema)) return { kind: 'text', isLong: Number(schema['maxLength']) > LONG_TEXT_LENGTH };
  if (type === 'integer' && format === 'epoch-seconds') return { kind: 'time' };
  if (type === 'integer' || type === 'number') return { kind: 'number', isWhole: type === 'integer' };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'object' && isRecord(schema['properties'])) return { kind: 'group', fields: listFields(schema) };
  if (type === 'array' && isRecord(schema['items'])) return inputOfList(schema['items']);
  return { kind: 'json' };
}

function inputOfList(items: Schema): Input {
  const item = chooseInput(items);
  if (item.kind === 'choice') return { kind: 'choices', options: item.options };
  if (item.kind === 'text' || item.kind === 'number') return { kind: 'list', ofNumbers: item.kind === 'number' };
  return { kind: 'json' };
}

/** An address of version 4 or of version 6, for example. */
function isTextOfSeveralForms(schema: Schema): boolean {
  const forms = schema['anyOf'];
  return Array.isArray(forms) && forms.length > 0 && forms.every((form) => isRecord(form) && form['type'] === 'string' && !form['enum']);
}

/** The fields of an object's JSON Schema. */
export function listFields(schema: Schema): Field[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = toTexts(schema['required']);
  return Object.entries(properties).map(([name, property]) => {
    const { title, description, ...rest } = isRecord(property) ? property : {};
    return {
      name,
      label: typeof title === 'string' ? title : toLabel(name),
      help: typeof description === 'string' ? description : '',
      secret: rest['writeOnly'] === true || name === 'password',
      required: required.includes(name),
      schema: rest,
    };
  });
}

/** `created_since` is Created since. */
function toLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a value of this schema looks like, for whoever has to write it as JSON. */
export function readExample(schema: unknown): unknown {
  if (!isRecord(schema)) return null;
  const { type, items, oneOf, properties } = schema;
  if ('const' in schema) return schema['const'];
  if (type === 'array') return isRecord(items) && Array.isArray(items['oneOf']) ? items['oneOf'].map(readExample) : [readExample(items)];
  if (Array.isArray(oneOf)) return readExample(oneOf[0]);
  if (isRecord(properties)) return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, readExample(property)]));
  return toTexts(schema['enum'])[0] ?? (type === 'string' ? '…' : type === 'boolean' ? false : 0);
}

/** What was stored, to be changed in a form. */
export function createDraft(fields: readonly Field[], value: Readonly<Record<string, unknown>>): DraftGroup {
  return Object.fromEntries(fields.map(({ name, schema }) => [name, draftOfValue(chooseInput(schema), value[name])]));
}

function draftOfValue(input: Input, value: unknown): Draft {
  if (value === undefined || value === null) return undefined;
  if (input.kind === 'group') return createDraft(input.fields, isRecord(value) ? value : {});
  if (input.kind === 'choices' || input.kind === 'list') return Array.isArray(value) ? value.map(String) : undefined;
  return typeof value === 'string' && input.kind !== 'json' ? value : JSON.stringify(value);
}

export interface Filled {
  readonly value: Record<string, unknown>;
  /** By the pointer of the field, in words. */
  readonly wrong: ReadonlyMap<string, string>;
}

/** What a form is sent as: fields that stayed empty are left out. */
export function fill(fields: readonly Field[], draft: DraftGroup, pointer = '#'): Filled {
  const value: Record<string, unknown> = {};
  const wrong = new Map<string, string>();
  for (const field of fields) {
    const place = `${pointer}/${field.name}`;
    const given = draft[field.name];
    if (isEmpty(given)) {
      if (field.required) wrong.set(place, `${field.label} is needed.`);
      continue;
    }
    const read = readDraft(chooseInput(field.schema), given, place);
    for (const [where, what] of read.wrong) wrong.set(where, what);
    value[field.name] = read.value;
  }
  return { value, wrong };
}

function isEmpty(draft: Draft): boolean {
  return draft === undefined || draft === '' || (Array.isArray(draft) && draft.length === 0);
}

function readDraft(input: Input, draft: Draft, place: string): { value: unknown; wrong: ReadonlyMap<string, string> } {
  const fine = (value: unknown) => ({ value, wrong: new Map<string, string>() });
  const not = (what: string) => ({ value: undefined, wrong: new Map([[place, what]]) });
  if (input.kind === 'group') return fill(input.fields, isGroup(draft) ? draft : {}, place);
  if (input.kind === 'list' && input.ofNumbers && Array.isArray(draft)) {
    const numbers = draft.map(Number);
    return numbers.every(Number.isFinite) ? fine(numbers) : not('These have to be numbers.');
  }
  if (typeof draft !== 'string') return fine(draft);
  if (input.kind === 'number') return Number.isFinite(Number(draft)) ? fine(Number(draft)) : not('This has to be a number.');
  if (input.kind === 'time') return fine(Math.floor(Date.parse(draft) / 1000));
  if (input.kind === 'boolean') return fine(draft === 'true');
  if (input.kind !== 'json') return fine(draft);
  try {
    return fine(JSON.parse(draft));
  } catch {
    return not('This is no JSON.');
  }
}

export function isGroup(draft: Draft): draft is DraftGroup {
  return typeof draft === 'object' && !Array.isArray(draft);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
