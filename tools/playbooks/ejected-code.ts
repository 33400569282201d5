import type { Severity } from '../../domain/case/evidence.js';
import {
  ALERT_COMPARISONS,
  type AskStep,
  type Condition,
  type Plan,
  type PlanStep,
  type Proof,
  type ProposeStep,
} from '../../domain/playbook/playbook.js';
import { exportName } from '../build/playbook-list.js';

export interface Ejected {
  readonly name: string;
  readonly alertType: string;
  readonly severity: Severity | null;
  /** The origin of the plan, for the comment of the file. */
  readonly origin: string;
  readonly plan: Plan;
}

type SkillStep = AskStep | ProposeStep;

/** The plan as a playbook in TypeScript, before formatting. */
export function playbookCode({ name, alertType, severity, origin, plan }: Ejected): string {
  const asks = plan.steps.filter((step) => step.do === 'ask');
  const variables = chooseNames(asks);
  const doing = [
    ...groupIntoWaves(asks).map((wave) => askingCode(wave, variables)),
    ...asks.map((step) => weighingCode(step, variables)),
    ...togetherCode(asks, variables),
    ...plan.steps.map(otherCode),
    ...plan.steps.filter((step) => step.do === 'propose').map((step) => proposingCode(step, variables)),
  ].join('\n');
  const body = doing.includes('fitsAlert(') ? `const alertFacts = readAlertFacts(alert);\n${doing}` : doing;
  const used = (names: readonly string[]) => names.filter((each) => new RegExp(`\\b${each}\\b`).test(body));
  const steps = used([
    'askEach',
    'limitTo',
    'fitsAlert',
    'has',
    'hasOne',
    'itemsAt',
    'nameIndicators',
    'noteFacts',
    'reachesVerdict',
    'shown',
    'readAlertFacts',
    'weighRepetition',
    'weighTogether',
  ]);
  const questions = used(['daysBefore', 'isPublicAddress', 'toIsoString', 'alertTime', 'listValues']);
  const context = used(['alert', 'entities', 'skills', 'evidence', 'correlate', 'propose']);
  return `${importCode(steps, '../lib/plan-steps')}import { playbook } from '../playbook.js';
${importCode(questions, '../lib/playbook-helpers')}
/** ${commentText(origin)} */
export const ${exportName(name)} = playbook(
  { alertTypes: [${code(alertType)}]${severity === null ? '' : `, severity: ${code(severity)}`} },
  async ({ ${context.join(', ')} }) => {
${body}
  },
);
`;
}

function importCode(names: readonly string[], file: string): string {
  return names.length === 0 ? '' : `import { ${names.join(', ')} } from '${file}.js';\n`;
}

function code(value: unknown): string {
  return JSON.stringify(value);
}

/** Text of a plan must not end the comment that contains it. */
function commentText(text: string): string {
  return text.replaceAll('*/', '* /').replace(/\s+/g, ' ');
}

const COMMENT_WIDTH = 130;
function comment(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < COMMENT_WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `// ${line}`).join('\n');
}

/** `listMachines` about a host → `machinesOfHost`. A repeated name gets a number. */
function chooseNames(asks: readonly AskStep[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { id, skill, each } of asks) {
    const noun = (skill.split('.')[1] ?? '').replace(/^(?:get|list|search|retrieve|run)(?=[A-Z])/, '');
    const wanted = `${noun.charAt(0).toLowerCase()}${noun.slice(1)}${each.of === 'entity' ? `Of${capital(exportName(each.kind))}` : ''}`;
    let name = wanted;
    for (let n = 2; [...names.values()].includes(name); n += 1) name = `${wanted}${n}`;
    names.set(id, name);
  }
  return names;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Groups the steps: each group needs only answers of earlier groups. */
function groupIntoWaves(asks: readonly AskStep[]): AskStep[][] {
  const waves: AskStep[][] = [];
  const depths = new Map<string, number>();
  for (const step of asks) {
    const depth = step.each.of === 'entity' ? 0 : (depths.get(step.each.step) ?? -1) + 1;
    depths.set(step.id, depth);
    waves[depth] = [...(waves[depth] ?? []), step];
  }
  return waves;
}

function askingCode(wave: readonly AskStep[], variables: ReadonlyMap<string, string>): string {
  const calls = wave.map((step) => {
    const item = itemName(step);
    return `askEach(evidence, ${code({ id: step.id, atMost: step.each.atMost })}, ${itemsCode(step, variables)}, (${item}) =>
      skills.${step.skill}(${inputCode(step, item)}))`;
  });
  const names = wave.map(({ id }) => variables.get(id)).join(', ');
  if (calls.length === 1) return `const ${names} = await ${calls[0]};\n`;
  return `const [${names}] = await Promise.all([\n${calls.join(',\n')},\n]);\n`;
}

/** Only for steps with findings, because notes have no points. */
function togetherCode(asks: readonly AskStep[], variables: ReadonlyMap<string, string>): string[] {
  const weighed = asks.filter(({ proves }) => proves.length > 0);
  return [...new Set(weighed.map(({ skill }) => skill))].map((skill) => {
    const names = weighed.filter((step) => step.skill === skill).map(({ id }) => variables.get(id));
    return `weighTogether(evidence, ${names.join(', ')});`;
  });
}

function itemName({ each }: SkillStep): string {
  return each.of === 'entity' ? exportName(each.kind) : 'item';
}

function itemsCode({ each }: SkillStep, variables: ReadonlyMap<string, string>): string {
  if (each.of === 'entity') return `listValues(entities, ${code(each.kind)})${each.only === 'public' ? '.filter(isPublicAddress)' : ''}`;
  const when = each.when === undefined ? '' : `, (answer) => ${conditionsCode(each.when)}`;
  return `itemsAt(${variables.get(each.step)}, ${code(each.path)}${when})`;
}

function inputCode({ input }: SkillStep, item: string): string {
  const fields = Object.entries(input).map(([field, source]) => {
    const value = sourceCode(source, item);
    return field === value ? field : `${field}: ${value}`;
  });
  return `{ ${fields.join(', ')} }`;
}

function sourceCode(source: SkillStep['input'][string], item: string): string {
  switch (source.take) {
    case 'value':
      return code(source.value);
    case 'item':
      return item;
    case 'item-in-list':
      return `[${item}]`;
    case 'alert-time': {
      const time = source.minusDays === undefined ? 'alertTime(alert)' : `daysBefore(alertTime(alert), ${source.minusDays})`;
      return source.as === 'seconds' ? time : `toIsoString(${time})`;
    }
  }
}

function conditionsCode(conditions: readonly Condition[], subject = 'answer'): string {
  return conditions
    .map(({ path, is, value }) => {
      const question = `${subject}, ${code(path)}, ${code(is)}`;
      if (ALERT_COMPARISONS.some((each) => each === is)) return `fitsAlert(${question}, alertFacts)`;
      return `has(${question}${value === undefined ? '' : `, ${code(value)}`})`;
    })
    .join(' && ');
}

function proofCode({ inOne, when }: Proof): string {
  return inOne === undefined ? conditionsCode(when) : `hasOne(answer, ${code(inOne)}, (item) => ${conditionsCode(when, 'item')})`;
}

function weighingCode({ id, why, proves, shows }: AskStep, variables: ReadonlyMap<string, string>): string {
  const asked = variables.get(id);
  if (proves.length === 0) return `${comment(why)}\nnoteFacts(evidence, ${asked}, ${code(shows)});\n`;
  const findings = proves.map((proof) => `if (${proofCode(proof)}) ${findingCode(proof)}`).join('\nelse ');
  return `${comment(why)}
for (const { about, answer, step } of ${asked}) {
  const facts = shown(answer, ${code(shows)});
  ${findings}
}
`;
}

function findingCode({ points, says, techniques }: Proof): string {
  const title = `\`${says.replace(/[\\`]|\$\{/g, '\\$&')}: \${about}\``;
  const more = techniques.length === 0 ? '' : `, techniques: ${code(techniques)}`;
  return `evidence.finding(${points}, ${title}, facts, { step, from: answer${more} });`;
}

function otherCode(step: PlanStep): string {
  switch (step.do) {
    case 'extract-indicators':
      return `${comment(step.why)}\nnameIndicators({ entities, evidence }, ${code(step.of)});\n`;
    case 'correlate':
      return `${comment(step.why)}\nawait weighRepetition({ evidence, correlate }, ${code({ by: step.by, withinDays: step.withinDays })});\n`;
    case 'ask':
    case 'propose':
    case 'summarise':
      return '';
  }
}

function proposingCode(step: ProposeStep, variables: ReadonlyMap<string, string>): string {
  const { id, why, skill, each, from, releaseAfterHours } = step;
  const item = itemName(step);
  const release = releaseAfterHours === undefined ? '' : `, releaseAfterHours: ${releaseAfterHours}`;
  return `if (reachesVerdict(evidence, ${code(from)}))
  for (const ${item} of limitTo(evidence, ${code({ id, atMost: each.atMost })}, ${itemsCode(step, variables)}))
    await propose.${skill}(${inputCode(step, item)}, { reason: ${code(why)}${release} });
`;
}
