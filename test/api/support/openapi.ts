import { z } from 'zod';
import type { TestService } from '../../support/service.js';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(5),
  tags: z.array(z.string()).min(1),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.enum(['query', 'path', 'header']), schema: z.looseObject({ type: z.string() }) }))
    .optional(),
  requestBody: z
    .looseObject({
      content: z.object({
        'application/json': z.looseObject({ schema: z.looseObject({ type: z.literal('object') }), example: z.unknown() }),
      }),
    })
    .optional(),
  responses: z.record(
    z.string().regex(/^\d{3}$/),
    z.looseObject({ description: z.string().min(1), content: z.record(z.string(), z.object({ schema: z.json() })).optional() }),
  ),
});
const Document = z.looseObject({
  openapi: z.string(),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(z.string().startsWith('/'), z.record(z.enum(['get', 'post', 'put', 'patch', 'delete']), Operation.optional())),
  components: z.object({ securitySchemes: z.json(), schemas: z.record(z.string(), z.json()) }),
  security: z.json(),
});
export type Operation = z.infer<typeof Operation>;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Parts of a stored plan: steps, targets, inputs and proofs. */
export const isPlanStep = ({ properties }: JsonObject) =>
  isObject(properties) && ['do', 'steps', 'of', 'take', 'when', 'is', 'path'].some((name) => name in properties);
const children = (value: Json): Json[] => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []);
export const everyNode = (value: Json): Json[] => [value, ...children(value).flatMap(everyNode)];

export type ApiDocument = Awaited<ReturnType<typeof readDocument>>;

/** The OpenAPI document of a service, with its schemas. */
export async function readDocument(service: Pick<TestService, 'request'>) {
  const raw = (await service.request<Json>('GET', '/openapi.json', { key: null })).body;
  const document = Document.parse(raw);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => (operation ? [{ ...operation, method: method.toUpperCase(), path }] : [])),
  );
  const resolveReference = (reference: string) =>
    reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<Json | undefined>((value, name) => (isObject(value) ? value[name] : undefined), raw);
  const schemaNode = (operationId: string, status: string): Json => {
    const response = operations.find((operation) => operation.operationId === operationId)?.responses[status];
    const [content] = Object.values(response?.content ?? {});
    const schema = content?.schema ?? null;
    return isObject(schema) && typeof schema['$ref'] === 'string' ? (resolveReference(schema['$ref']) ?? null) : schema;
  };
  /** A documented schema that also rejects undocumented fields. */
  const toSchema = (node: Json): z.ZodType => {
    const strict = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(strict);
      if (!isObject(value)) return value;
      if (typeof value['$ref'] === 'string') return strict(resolveReference(value['$ref']) ?? null);
      const inner = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, strict(child)]));
      return inner['type'] === 'object' && inner['properties'] !== undefined ? { ...inner, additionalProperties: false } : inner;
    };
    return z.fromJSONSchema(strict(node) as Parameters<typeof z.fromJSONSchema>[0]);
  };
  return {
    raw,
    document,
    operations,
    resolveReference,
    schemaNode,
    toSchema,
    findMethod: (operationId: string) => operations.find((operation) => operation.operationId === operationId)?.method ?? '',
    /** What the document does not allow in this reply. */
    findDifferences: (operationId: string, status: number, body: unknown) =>
      toSchema(schemaNode(operationId, String(status))).safeParse(body).error?.issues ?? [],
  };
}
