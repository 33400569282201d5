import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { Activity } from '../../domain/alert/activity.js';
import { BehaviourFile, type BehaviourFound, type BehaviourRule } from '../../domain/investigation/behaviour.js';
import { clip } from '../../domain/text.js';
import { CelCompiler, CelError, type CelExpression } from '../../platform/cel.js';

const FOLDER = fileURLToPath(new URL('../../domain/investigation/behaviours/', import.meta.url));
/** A hostile alert must not fill the case. */
const MAX_FOUND = 20;
const MAX_STATED_LENGTH = 200;

export interface CompiledRule extends BehaviourRule {
  readonly file: string;
  readonly expression: CelExpression;
}

interface RuleSource {
  readonly file: string;
  readonly text: string;
}

let loaded: readonly CompiledRule[] | null = null;

/** The rules of the folder. Their tests have checked the patterns. */
export function behaviourRules(): readonly CompiledRule[] {
  loaded ??= compileRules(readRuleFiles(), { checksPatterns: false });
  return loaded;
}

export function readRuleFiles(): RuleSource[] {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  return files.map((file) => ({ file, text: readFileSync(path.join(FOLDER, file), 'utf8') }));
}

/** Throws for the first mistake, with its file and line. */
export function compileRules(sources: readonly RuleSource[], { checksPatterns = true } = {}): CompiledRule[] {
  const compiler = createCompiler();
  const rules = sources.flatMap((source) => compileFile(source, compiler, checksPatterns));
  const known = new Set<string>();
  for (const { id, file } of rules) {
    if (known.has(id)) throw new CelError(`${file}: two rules have the id ${id}. Rename one.`);
    known.add(id);
  }
  return rules;
}

/** A list of texts, of which one must match. The map has the fields by name. */
function createCompiler(): CelCompiler {
  type Fields = Activity['fields'];
  const read = (fields: Fields, names: readonly string[]) => names.flatMap((name) => fields.get(name) ?? []);
  return new CelCompiler({
    variables: { commands: 'list<string>', event_ids: 'list<string>', actions: 'list<string>', fields: 'map<string, list<string>>' },
    functions: [
      { signature: 'map.named(list<string>): list<string>', run: read },
      {
        signature: 'map.largest(list<string>): int',
        run: (fields: Fields, names: string[]) =>
          BigInt(Math.max(0, ...read(fields, names).map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0)))),
      },
    ],
  });
}

function compileFile({ file, text }: RuleSource, compiler: CelCompiler, checksPatterns: boolean): CompiledRule[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [problem] = document.errors;
  if (problem) throw new CelError(`${file}:${lines.linePos(problem.pos[0]).line}: ${problem.message}`);
  const nodes = isMap(document.contents) ? document.contents.get('rules', true) : null;
  const lineOf = (index: number, field?: string) => {
    const rule = isSeq(nodes) ? nodes.items[index] : null;
    const value = isMap(rule) && field !== undefined ? rule.get(field, true) : rule;
    const at = (isScalar(value) || isMap(value) ? value.range?.[0] : undefined) ?? (isMap(rule) ? rule.range?.[0] : undefined) ?? 0;
    return lines.linePos(at).line;
  };
  const parsed = BehaviourFile.safeParse(document.toJS());
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const [, index, field] = issue?.path ?? [];
    const line = typeof index === 'number' ? lineOf(index, typeof field === 'string' ? field : undefined) : 1;
    throw new CelError(
      `${file}:${line}: ${z.prettifyError(parsed.error).split('\n', 1)[0]?.replace(/^✖ /, '')} (${issue?.path.join('.')})`,
    );
  }
  return parsed.data.rules.map((rule, index) => {
    // The text of a block begins in the line after its `|`.
    const isBlock = rule.condition.includes('\n');
    const place = { file, line: lineOf(index, 'condition') + Number(isBlock) };
    return { ...rule, file, expression: compiler.compile(rule.condition, place, { checksPatterns }) };
  });
}

/** The behaviours that an alert states, the most serious first. An alert of a simulation states none. */
export function findBehaviours(activity: Activity, rules: readonly CompiledRule[]): BehaviourFound[] {
  if (activity.isSimulation) return [];
  const { commands, eventIds: event_ids, actions, fields } = activity;
  const found = rules.flatMap(({ id, title, techniques, points, severity = null, expression }): BehaviourFound[] => {
    const { holds, matched } = expression.evaluate({ commands, event_ids, actions, fields });
    const stated = clip(withoutPasswords(matched.join(', ')), MAX_STATED_LENGTH);
    return holds ? [{ id, title, techniques, points, severity, stated }] : [];
  });
  return found.sort((one, other) => other.points - one.points).slice(0, MAX_FOUND);
}

/** More people see a case than the content of its alert. */
function withoutPasswords(text: string): string {
  return text.replace(/((?:passw(?:or)?d|pwd|secret|token|api_?key)\s*[=:]?\s*|\s[-/]pw?[: ]\s*|\s-h?p(?=\S))\S+/gi, '$1…');
}
