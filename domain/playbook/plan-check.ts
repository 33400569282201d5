import { z } from 'zod';
import { findClosestName } from '../closest-name.js';
import type { EntityKind } from '../entity/entity.js';
import type { AskStep, Condition, Plan, PlanStep, ProposeStep } from './playbook.js';

/** The parts of a skill's contract that the check needs. */
export interface SkillFacts {
  readonly effect: 'read' | 'write';
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
}

export interface PlanProblem {
  /** The place in the plan: `/steps/3/input/kind`. */
  readonly pointer: string;
  readonly detail: string;
}

type SkillStep = AskStep | ProposeStep;

/** Checks that the available skills can run the plan, which the plan's schema alone cannot check. */
export function checkPlan(plan: Plan, skillOf: (name: string) => SkillFacts | null): PlanProblem[] {
  return plan.steps.flatMap((step, place) => {
    if (step.do !== 'ask' && step.do !== 'propose') return [];
    const before = plan.steps.slice(0, place);
    const skill = skillOf(step.skill);
    const problems = [
      ...checkId(step, before),
      ...checkEach(step, before, skillOf),
      ...(skill === null ? [unknownSkill(step)] : [...checkEffect(step, skill), ...checkInput(step, skill), ...checkPaths(step, skill)]),
    ];
    return problems.map(({ pointer, detail }) => ({ pointer: `/steps/${place}${pointer}`, detail }));
  });
}

function unknownSkill({ skill }: SkillStep): PlanProblem {
  return { pointer: '/skill', detail: `The skill ${skill} does not exist. Choose one that GET /platformapi/connectors lists.` };
}

function checkId({ id }: SkillStep, before: readonly PlanStep[]): PlanProblem[] {
  const isTaken = before.some((step) => (step.do === 'ask' || step.do === 'propose') && step.id === id);
  return isTaken ? [{ pointer: '/id', detail: `An earlier step already has the id ${id}. Choose another id.` }] : [];
}

function checkEffect({ do: action, skill }: SkillStep, { effect }: SkillFacts): PlanProblem[] {
  if (action === 'ask' && effect === 'write')
    return [{ pointer: '/skill', detail: `${skill} is a write, so a step cannot ask it. Use "do": "propose".` }];
  if (action === 'propose' && effect === 'read')
    return [{ pointer: '/skill', detail: `${skill} is a read, so a step cannot propose it. Use "do": "ask".` }];
  return [];
}

function checkEach({ each }: SkillStep, before: readonly PlanStep[], skillOf: (name: string) => SkillFacts | null): PlanProblem[] {
  if (each.of === 'entity') return [];
  const asked = before.find((step) => step.do === 'ask' && step.id === each.step);
  if (asked?.do !== 'ask')
    return [
      { pointer: '/each/step', detail: `No earlier "ask" step has the id ${each.step}. Name an earlier step, or move that step up.` },
    ];
  const skill = skillOf(asked.skill);
  if (skill === null) return [];
  return [
    ...checkPath(skill, asked.skill, each.path, '/each/path'),
    ...(each.when ?? []).flatMap((condition, index) => checkCondition(skill, asked.skill, condition, `/each/when/${index}`)),
  ];
}

const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** Sample entities of each kind, in every form that a skill may accept. */
export const ENTITY_SAMPLES: Readonly<Record<EntityKind, readonly string[]>> = {
  ip: ['203.0.113.66', '2001:db8::66'],
  domain: ['parcel-track.example'],
  url: ['https://parcel-track.example/verify'],
  hash: [SHA256, SHA256.slice(0, 40), SHA256.slice(0, 32)],
  cve: ['CVE-2026-10001'],
  email: ['dana@corp.example'],
  user: ['dana', 'CORP\\dana', 'dana@corp.example'],
  host: ['ws-014.corp.example', 'ws-014'],
  'machine-id': ['1e5bc9d7e413ddd7902c2932e418702b84d0cc07'],
  'incident-id': ['2041'],
  'alert-id': ['da637551227677560813_-961444813', 'task:0528b813-04c4-4f7d-b2ef-a30de102d9ab', 'ABC123'],
  'investigation-id': ['rrn:investigation:us:174e4f99-2ac7-4481-9301-4d24c34baf06:investigation:AF6JTFINWHGK'],
};
const SAMPLE_TIME = Date.parse('2026-01-15T12:00:00Z');

/** The value of an input field for a sample item. */
function sampleInput(source: SkillStep['input'][string], item: string): unknown {
  switch (source.take) {
    case 'value':
      return source.value;
    case 'item':
      return item;
    case 'item-in-list':
      return [`${source.prefix ?? ''}${item}`];
    case 'alert-entity':
      return ENTITY_SAMPLES[source.kind][0];
    case 'alert-entities':
      return ENTITY_SAMPLES[source.kind].slice(0, source.atMost);
    case 'text':
      return source.text.replaceAll('{item}', item);
    case 'alert-time':
      return source.as === 'seconds' ? SAMPLE_TIME / 1000 : new Date(SAMPLE_TIME).toISOString();
  }
}

function checkInput(step: SkillStep, { input: schema }: SkillFacts): PlanProblem[] {
  const { each, skill, input } = step;
  const fields: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const missing = Object.entries(fields).filter(([name, field]) => !(name in input) && !z.safeParse(field, undefined).success);
  const problems = [
    ...missing.map(([name]) => ({ pointer: '/input', detail: `${skill} needs the field ${name}. Add it.` })),
    ...Object.entries(input).flatMap(([name, source]): PlanProblem[] => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const pointer = `/input/${name}`;
      if (field === undefined)
        return [{ pointer, detail: `${skill} has no field ${name}. Use one of its fields: ${Object.keys(fields).join(', ')}.` }];
      const samples = sampleItems(each, source.take).map((item) => z.safeParse(field, sampleInput(source, item)));
      const refused = samples.find((parsed) => !parsed.success);
      if (!refused?.error || samples.some((parsed) => parsed.success)) return [];
      return [{ pointer, detail: `${name} of ${skill}: ${describeIssues(refused.error)}` }];
    }),
  ];
  return problems.length > 0 || each.of === 'answer' ? problems : checkTogether(step, schema);
}

/** Empty for an item of an earlier answer, because its form is unknown before the answer arrives. */
function sampleItems(each: SkillStep['each'], take: SkillStep['input'][string]['take']): readonly string[] {
  if (take !== 'item' && take !== 'item-in-list') return [''];
  return each.of === 'entity' ? ENTITY_SAMPLES[each.kind] : [];
}

/** Checks all fields together: some skills need one of two fields, or both. */
function checkTogether({ each, skill, input }: SkillStep, schema: z.ZodObject): PlanProblem[] {
  const samples = each.of === 'entity' ? ENTITY_SAMPLES[each.kind] : [];
  const parsed = samples.map((item) =>
    schema.safeParse(Object.fromEntries(Object.entries(input).map(([name, source]) => [name, sampleInput(source, item)]))),
  );
  const [first] = parsed;
  if (!first?.error || parsed.some(({ success }) => success)) return [];
  return [{ pointer: '/input', detail: `${skill}: ${describeIssues(first.error)}` }];
}

function describeIssues(error: z.core.$ZodError): string {
  return `${error.issues.map(({ message }) => message).join('; ')}.`;
}

function checkPaths(step: SkillStep, skill: SkillFacts): PlanProblem[] {
  if (step.do === 'propose') return [];
  return [
    ...step.proves.flatMap(({ inOne, when, at }, proof) => {
      const pointer = `/proves/${proof}`;
      // If the list does not exist, report only that: each path in it would fail too.
      const missingList = inOne === undefined ? [] : checkPath(skill, step.skill, inOne, `${pointer}/inOne`);
      if (missingList.length > 0) return missingList;
      return [
        ...when.flatMap((condition, index) => checkCondition(skill, step.skill, condition, `${pointer}/when/${index}`, inOne)),
        ...(at === undefined ? [] : checkPath(skill, step.skill, inOne === undefined ? at : `${inOne}.${at}`, `${pointer}/at`)),
      ];
    }),
    ...(step.leadsTo ?? []).flatMap(({ path }, index) => checkPath(skill, step.skill, path, `/leadsTo/${index}/path`)),
    ...(step.identifies === undefined ? [] : checkPath(skill, step.skill, step.identifies.path, '/identifies/path')),
    ...step.shows.flatMap((path, index) => checkPath(skill, step.skill, path, `/shows/${index}`)),
  ];
}

const NUMERIC: readonly Condition['is'][] = ['at-least', 'below', 'has-length'];
const COMPARING: readonly Condition['is'][] = ['equals', 'contains'];

function checkCondition(skill: SkillFacts, name: string, { path, is, value }: Condition, pointer: string, within?: string): PlanProblem[] {
  const problems = [path]
    .flat()
    .flatMap((each) => checkPath(skill, name, within === undefined ? each : `${within}.${each}`, `${pointer}/path`));
  if (NUMERIC.includes(is) && typeof value !== 'number')
    problems.push({ pointer, detail: `${is} needs a number. Set "value" to a number.` });
  if (COMPARING.includes(is) && value === undefined) problems.push({ pointer, detail: `${is} needs a value. Set "value".` });
  return problems;
}

function checkPath({ output }: SkillFacts, name: string, path: string, pointer: string): PlanProblem[] {
  const missing = findMissing(describeOutput(output), path.split('.'));
  if (missing === null) return [];
  const meant = findClosestName(missing.field, missing.fields);
  const remedy =
    meant === null ? 'Choose a path from the output schema of the skill.' : `Did you mean ${path.replace(missing.field, meant)}?`;
  return [{ pointer, detail: `The answer of ${name} has no field ${path}. ${remedy}` }];
}

type JsonSchema = z.core.JSONSchema.BaseSchema | boolean;

/** A plan has hundreds of paths into the answers of a few skills. */
const described = new WeakMap<z.ZodObject, JsonSchema>();

function describeOutput(output: z.ZodObject): JsonSchema {
  const schema = described.get(output) ?? z.toJSONSchema(output, { unrepresentable: 'any' });
  described.set(output, schema);
  return schema;
}

interface MissingField {
  readonly field: string;
  /** The fields in its place. */
  readonly fields: readonly string[];
}

/**
 * Returns the first field of the path that the answer does not have. A third party may send more fields than the contract defines, but
 * a misspelled field is never there, so a condition on it could decide every verdict.
 */
function findMissing(schema: JsonSchema, [part, ...rest]: readonly string[]): MissingField | null {
  if (part === undefined || schema === true) return null;
  const isList = part.endsWith('[]');
  const field = isList ? part.slice(0, -2) : part;
  if (schema === false) return { field, fields: [] };
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives) return findMissingInAll(alternatives, [part, ...rest], field);
  if (schema.type === undefined && schema.properties === undefined) return null;
  const properties = schema.properties ?? {};
  const fields = Object.keys(properties);
  const inner = Object.hasOwn(properties, field) ? properties[field] : fields.length === 0 ? schema.additionalProperties : undefined;
  if (inner === undefined || inner === false) return { field, fields };
  if (!isList) return findMissing(inner, rest);
  const items = listItemSchemas(inner);
  return items.length === 0 ? { field, fields: [] } : findMissingInAll(items, rest, field);
}

/** A field that one alternative has is in the answer. */
function findMissingInAll(schemas: readonly JsonSchema[], path: readonly string[], field: string): MissingField | null {
  const missing = schemas.map((each) => findMissing(each, path));
  if (missing.length === 0 || missing.includes(null)) return missing.length === 0 ? { field, fields: [] } : null;
  const found = missing.filter((each) => each !== null);
  const deepest = found.find(({ fields }) => fields.length > 0) ?? found[0];
  return { field: deepest?.field ?? field, fields: [...new Set(found.flatMap(({ fields }) => fields))] };
}

function listItemSchemas(schema: JsonSchema): JsonSchema[] {
  if (schema === true) return [true];
  if (schema === false) return [];
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives) return alternatives.flatMap(listItemSchemas);
  if (schema.type === undefined) return [true];
  if (schema.type !== 'array') return [];
  return Array.isArray(schema.items) ? schema.items : [schema.items ?? true];
}
