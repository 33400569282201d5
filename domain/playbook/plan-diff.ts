import type { Plan } from './playbook.js';
import { planStepId } from './step-id.js';

export interface FieldChange {
  /** The path in the step: `proves[0].points`. */
  readonly field: string;
  /** null where the field is missing. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface StepChange {
  readonly stepId: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  readonly fields: readonly FieldChange[];
}

/** The differences between two versions of a plan, in the order of the new version; removed steps last. */
export function diffPlans(before: Plan, after: Plan): StepChange[] {
  const earlier = new Map(before.steps.map((step) => [planStepId(step), step]));
  const kept = after.steps.map(planStepId).filter((id) => earlier.has(id));
  const keptBefore = before.steps.map(planStepId).filter((id) => kept.includes(id));
  const changes = after.steps.flatMap((step): StepChange[] => {
    const stepId = planStepId(step);
    const old = earlier.get(stepId);
    if (old === undefined) return [{ stepId, kind: 'added', fields: [] }];
    const fields = diffFields(flatten(old), flatten(step));
    if (fields.length > 0) return [{ stepId, kind: 'changed', fields }];
    return kept.indexOf(stepId) === keptBefore.indexOf(stepId) ? [] : [{ stepId, kind: 'moved', fields: [] }];
  });
  const removed = before.steps.map(planStepId).filter((id) => !kept.includes(id));
  return [...changes, ...removed.map((stepId): StepChange => ({ stepId, kind: 'removed', fields: [] }))];
}

function diffFields(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): FieldChange[] {
  const fields = [...new Set([...before.keys(), ...after.keys()])];
  return fields
    .map((field) => ({ field, before: before.get(field) ?? null, after: after.get(field) ?? null }))
    .filter((change) => change.before !== change.after);
}

/** Every value of the step by its path. */
function flatten(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[path, String(value)]]);
  const entries = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item] as const)
    : Object.entries(value).map(([name, item]) => [path === '' ? name : `${path}.${name}`, item] as const);
  return new Map(entries.flatMap(([at, item]) => (item === undefined ? [] : [...flatten(item, at)])));
}
