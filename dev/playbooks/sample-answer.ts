import { z } from 'zod';
import { type ConditionFacts, findProof } from '../../domain/playbook/conditions.js';
import type { Condition, Proof } from '../../domain/playbook/playbook.js';

type Schema = z.core.JSONSchema.BaseSchema;
type Fields = Record<string, unknown>;

/** The smallest answer of a skill that satisfies its strongest condition. Null when there is none. */
export function sampleAnswer(output: z.ZodObject, proves: readonly Proof[], facts: ConditionFacts): object | null {
  const strongest = [...proves].sort((a, b) => b.points - a.points)[0];
  const schema = z.toJSONSchema(output, { io: 'input', unrepresentable: 'any' });
  const answer = minimalValue(schema);
  if (!isFields(answer)) return null;
  for (const condition of strongest?.when ?? []) {
    const [path = ''] = [condition.path].flat();
    const from = strongest?.inOne === undefined ? [] : strongest.inOne.split('.');
    fulfil(answer, schema, [...from, ...path.split('.')], condition, facts);
  }
  const isGood = () => {
    const parsed = output.safeParse(answer);
    return parsed.success && (strongest === undefined || findProof(proves, parsed.data, facts)?.proof === strongest);
  };
  if (!isGood()) return null;
  prune(answer, isGood);
  return answer;
}

/** Omits fields with a default in the contract. */
function prune(fields: Fields, isGood: () => boolean): void {
  for (const [name, value] of Object.entries(fields)) {
    delete fields[name];
    if (isGood()) continue;
    fields[name] = value;
    for (const inner of [value].flat()) if (isFields(inner)) prune(inner, isGood);
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asSchema(schema: unknown): Schema {
  return isFields(schema) ? schema : {};
}

/** zod writes a nullable text as `type: ['string', 'null']`. */
function hasType({ type }: { type?: unknown }, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name;
}

/** Omits optional fields and sets nullable fields to null. */
function minimalValue(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    const isNullable = alternatives.some((each) => hasType(asSchema(each), 'null'));
    return isNullable ? null : minimalValue(asSchema(alternatives[0]));
  }
  if (hasType(schema, 'null')) return null;
  switch (schema.type) {
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return schema.minimum ?? 0;
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((name) => [name, minimalValue(asSchema(schema.properties?.[name]))]));
    default:
      return 'x';
  }
}

/** The alternative that is not null. */
function meant(schema: Schema): Schema {
  const alternatives = schema.anyOf ?? schema.oneOf;
  return alternatives ? asSchema(alternatives.find((each) => !hasType(asSchema(each), 'null'))) : schema;
}

function fulfil(
  within: Fields,
  schema: Schema,
  [part = '', ...rest]: readonly string[],
  condition: Condition,
  facts: ConditionFacts,
): void {
  if (condition.is === 'absent') return;
  const isList = part.endsWith('[]');
  const name = isList ? part.slice(0, -2) : part;
  const field = meant(asSchema(meant(schema).properties?.[name]));
  const item = isList ? meant(asSchema(field.items)) : field;
  if (rest.length === 0) {
    const value = valueFor(condition, item, facts);
    within[name] = isList ? [value] : value;
    return;
  }
  const list = within[name];
  const present: unknown = isList ? (Array.isArray(list) ? list[0] : undefined) : list;
  const inner = isFields(present) ? present : minimalValue({ ...item, type: 'object' });
  if (!isFields(inner)) return;
  within[name] = isList ? [inner] : inner;
  fulfil(inner, item, rest, condition, facts);
}

function valueFor({ is, value }: Condition, schema: Schema, { at, entities }: ConditionFacts): unknown {
  switch (is) {
    case 'true':
      return true;
    case 'below':
      return Number(value) - 1;
    case 'has-length':
      return 'x'.repeat(Number(value));
    case 'present':
    case 'absent':
      return hasType(schema, 'boolean') ? true : hasType(schema, 'number') ? 1 : 'x';
    case 'at-least':
      return value;
    case 'by-alert-time':
      return '1970-01-01';
    case 'near-alert-time':
      return hasType(schema, 'number') ? at : new Date(at * 1000).toISOString();
    case 'alert-entity':
      return [...entities][0];
    case 'alert-has-place':
    case 'alert-place':
    case 'every-alert-place':
      return 'x';
    case 'equals':
    case 'contains':
      if (hasType(schema, 'boolean')) return value === 'true';
      return hasType(schema, 'number') ? Number(value) : value;
  }
}
