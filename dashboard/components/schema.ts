import type { ConnectorField } from '../../services/connections/wire.js';

/** The state of a form: typed text, lists of it, nested groups. The request leaves out undefined fields. */
export type Draft = string | readonly string[] | DraftGroup | undefined;
export interface DraftGroup {
  readonly [name: string]: Draft;
}

export type Field = ConnectorField;
export type Schema = Readonly<Record<string, unknown>>;

export type Input =
  | { readonly kind: 'text'; readonly isLong: boolean }
  | { readonly kind: 'number'; readonly isInteger: boolean }
  | { readonly kind: 'date' | 'time' | 'boolean' | 'json' }
  | { readonly kind: 'choice' | 'choices'; readonly options: readonly string[] }
  | { readonly kind: 'list'; readonly ofNumbers: boolean }
  | { readonly kind: 'group'; readonly fields: readonly Field[] };

const LONG_TEXT_LENGTH = 1_000;

/** A schema without a matching input becomes a JSON text area. */
export function chooseInput(schema: Schema): Input {
  const { type, format } = schema;
  const options = toTexts(schema['enum']);
  // The options of a form can arrive after the form.
  if (options.length > 0 || (Array.isArray(schema['enum']) && schema['enum'].length === 0)) return { kind: 'choice', options };
  if (type === 'string' && format === 'date') return { kind: 'date' };
  if (type === 'string' || isTextUnion(schema)) return { kind: 'text', isLong: Number(schema['maxLength']) > LONG_TEXT_LENGTH };
  if (type === 'integer' && format === 'epoch-seconds') return { kind: 'time' };
  if (type === 'integer' || type === 'number') return { kind: 'number', isInteger: type === 'integer' };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'object' && isRecord(schema['properties'])) return { kind: 'group', fields: listFields(schema) };
  if (type === 'array' && isRecord(schema['items'])) return chooseListInput(schema['items']);
  return { kind: 'json' };
}

function chooseListInput(items: Schema): Input {
  const item = chooseInput(items);
  if (item.kind === 'choice') return { kind: 'choices', options: item.options };
  if (item.kind === 'text' || item.kind === 'number') return { kind: 'list', ofNumbers: item.kind === 'number' };
  return { kind: 'json' };
}

/** For example an IPv4 or an IPv6 address. */
function isTextUnion(schema: Schema): boolean {
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

/** `created_since` becomes `Created since`. */
export function toLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An example value, as the placeholder of a JSON text area. */
export function createExample(schema: unknown): unknown {
  if (!isRecord(schema)) return null;
  const { type, items, oneOf, properties } = schema;
  if ('const' in schema) return schema['const'];
  if (type === 'array')
    return isRecord(items) && Array.isArray(items['oneOf']) ? items['oneOf'].map(createExample) : [createExample(items)];
  if (Array.isArray(oneOf)) return createExample(oneOf[0]);
  if (isRecord(properties))
    return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, createExample(property)]));
  return toTexts(schema['enum'])[0] ?? (type === 'string' ? '…' : type === 'boolean' ? false : 0);
}

/** The draft of a stored value, for an edit form. */
export function createDraft(fields: readonly Field[], value: Readonly<Record<string, unknown>>): DraftGroup {
  return Object.fromEntries(fields.map(({ name, schema }) => [name, createFieldDraft(chooseInput(schema), value[name])]));
}

function createFieldDraft(input: Input, value: unknown): Draft {
  if (value === undefined || value === null) return undefined;
  if (input.kind === 'group') return createDraft(input.fields, isRecord(value) ? value : {});
  if (input.kind === 'choices' || input.kind === 'list') return Array.isArray(value) ? value.map(String) : undefined;
  return typeof value === 'string' && input.kind !== 'json' ? value : JSON.stringify(value);
}

export interface Filled {
  readonly value: Record<string, unknown>;
  /** Messages by the pointer of the field. */
  readonly errors: ReadonlyMap<string, string>;
}

/** The request of a form, without the empty fields. */
export function fill(fields: readonly Field[], draft: DraftGroup, pointer = '#'): Filled {
  const value: Record<string, unknown> = {};
  const errors = new Map<string, string>();
  for (const field of fields) {
    const place = `${pointer}/${field.name}`;
    const given = draft[field.name];
    if (isEmpty(given)) {
      if (field.required) errors.set(place, `${field.label} is required`);
      continue;
    }
    const read = readDraft(chooseInput(field.schema), given, place);
    for (const [pointer, message] of read.errors) errors.set(pointer, message);
    value[field.name] = read.value;
  }
  return { value, errors };
}

function isEmpty(draft: Draft): boolean {
  return draft === undefined || (typeof draft === 'string' && draft.trim() === '') || (Array.isArray(draft) && draft.length === 0);
}

function readDraft(input: Input, draft: Draft, place: string): { value: unknown; errors: ReadonlyMap<string, string> } {
  const accept = (value: unknown) => ({ value, errors: new Map<string, string>() });
  const reject = (message: string) => ({ value: undefined, errors: new Map([[place, message]]) });
  if (input.kind === 'group') return fill(input.fields, isGroup(draft) ? draft : {}, place);
  if (input.kind === 'list' && input.ofNumbers && Array.isArray(draft)) {
    const numbers = draft.map(Number);
    return numbers.every(Number.isFinite) ? accept(numbers) : reject('Enter numbers only');
  }
  if (typeof draft !== 'string') return accept(draft);
  if (input.kind === 'number') return Number.isFinite(Number(draft)) ? accept(Number(draft)) : reject('Enter a number');
  if (input.kind === 'time') return accept(Math.floor(Date.parse(draft) / 1000));
  if (input.kind === 'boolean') return accept(draft === 'true');
  if (input.kind !== 'json') return accept(draft);
  try {
    return accept(JSON.parse(draft));
  } catch {
    return reject('Enter valid JSON');
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
