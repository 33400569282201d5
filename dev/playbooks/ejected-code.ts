import type { Plan } from '../../domain/playbook/playbook.js';
import type { Severity } from '../../domain/verdict/evidence.js';
import { exportName } from '../build/playbook-list.js';

export interface Ejected {
  readonly name: string;
  readonly alertType: string;
  readonly severity: Severity | null;
  /** The origin of the plan, for the comment of the file. */
  readonly origin: string;
  readonly plan: Plan;
}

/** The plan as a playbook in TypeScript, before formatting. The author edits the steps and adds code around them. */
export function playbookCode({ name, alertType, severity, origin, plan }: Ejected): string {
  const type = JSON.stringify(alertType);
  return `import type { Plan } from '../../domain/playbook/playbook.js';
import { runPlan } from '../lib/run-plan.js';
import { playbook } from '../playbook.js';

const plan: Plan = ${JSON.stringify(plan, null, 2)};

/** ${commentText(origin)} */
export const ${exportName(name)} = playbook({ title: ${type}, alertTypes: [${type}]${severity === null ? '' : `, severity: ${JSON.stringify(severity)}`} }, async (context) => {
  await runPlan(context, plan);
});
`;
}

/** Text of a plan must not end the comment that contains it. */
function commentText(text: string): string {
  return text.replaceAll('*/', '* /').replace(/\s+/g, ' ');
}
