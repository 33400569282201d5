import { z } from 'zod';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const Node = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  examples: z.array(z.json()).optional(),
  default: z.json().optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  anyOf: z.array(z.json()).optional(),
  oneOf: z.array(z.json()).optional(),
  allOf: z.array(z.json()).optional(),
  properties: z.record(z.string(), z.json()).optional(),
  required: z.array(z.string()).optional(),
  items: z.json().optional(),
  prefixItems: z.array(z.json()).optional(),
  minItems: z.number().optional(),
  minLength: z.number().optional(),
  minimum: z.number().optional(),
  format: z.string().optional(),
});
type Node = z.infer<typeof Node>;

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01a1dd78-72e9-7236-aeab-ed7c2436108c',
  email: 'dana@attack.example',
  uri: 'https://localhost:1/',
  date: '2026-01-31',
  'date-time': '2026-01-31T00:00:00Z',
};

/** The properties of an object schema, by name. */
export function readProperties(schema: Json | null): Readonly<Record<string, Json>> {
  return schema === null ? {} : (Node.parse(schema).properties ?? {});
}

/** A value of a JSON Schema. The route's example is used if there is one. `isGiven` selects optional properties. */
export function sampleOf(schema: Json, isGiven: (property: string) => boolean = () => false): Json {
  const definitions = z.looseObject({ $defs: z.record(z.string(), z.json()).optional() }).parse(schema).$defs ?? {};
  return sample(schema, 0);

  function sample(given: Json, depth: number): Json {
    const node = Node.safeParse(given).data ?? {};
    if (node.examples?.[0] !== undefined) return node.examples[0];
    if (node.const !== undefined) return node.const;
    if (node.enum?.[0] !== undefined) return node.enum[0];
    const chosen = node.anyOf?.[0] ?? node.oneOf?.[0] ?? definitions[node.$ref?.split('/').at(-1) ?? ''];
    if (chosen !== undefined) return depth > 8 ? null : sample(chosen, depth + 1);
    if (node.allOf) return Object.assign({}, ...node.allOf.map((part) => sample(part, depth + 1)));
    return sampleOfType(node, depth);
  }

  function sampleOfType(node: Node, depth: number): Json {
    switch ([node.type].flat()[0]) {
      case 'object':
        return Object.fromEntries(
          Object.entries(node.properties ?? {})
            .filter(([name]) => node.required?.includes(name) || isGiven(name))
            .map(([name, property]) => [name, sample(property, depth + 1)]),
        );
      case 'array':
        if (node.prefixItems) return node.prefixItems.map((item) => sample(item, depth + 1));
        return Array.from({ length: Math.max(1, node.minItems ?? 1) }, () => sample(node.items ?? {}, depth + 1));
      case 'string':
        return BY_FORMAT[node.format ?? ''] ?? 'x'.repeat(Math.max(1, node.minLength ?? 1));
      case 'integer':
      case 'number':
        return Math.max(1, Math.min(node.minimum ?? 1, 1_000_000));
      case 'boolean':
        return true;
      default:
        return null;
    }
  }
}

/** The same value, with the ids of `ids` in every field that has the name of one. */
export function aimAt(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((each) => aimAt(each, ids));
  if (typeof value !== 'object' || value === null) {
    const kind = typeof value === 'string' ? /^DEMO-(CASE|SIEM)-\d+$/.exec(value)?.[1] : undefined;
    return (kind === undefined ? undefined : ids.get(kind === 'CASE' ? 'case_id' : 'alert_id')) ?? value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const single = ids.get(name);
      if (single !== undefined && (typeof each === 'string' || each === null)) return [name, single];
      const several = ids.get(name.replace(/s$/, ''));
      return [name, several !== undefined && Array.isArray(each) ? [several] : aimAt(each, ids)];
    }),
  );
}
