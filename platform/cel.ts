import { type ASTNode, Environment, EvaluationError, ParseError, TypeError as TypeProblem } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';

/** The type of a variable in CEL: `string`, `list<string>`, `map<string, list<string>>`. */
export type CelVariables = Readonly<Record<string, string>>;

export interface CelFunction {
  /** `map.named(list<string>): list<string>` is called as `fields.named(["a"])`. */
  readonly signature: string;
  // biome-ignore lint/suspicious/noExplicitAny: CEL checks the types of the arguments against the signature.
  readonly run: (...given: any[]) => unknown;
}

/** Where an expression is written, for its errors. */
export interface CelPlace {
  readonly file: string;
  /** The line of the first character of the expression, from 1. */
  readonly line: number;
}

/** The author of an expression can correct the error. */
export class CelError extends Error {
  override readonly name = 'CelError';
}

export interface CelResult {
  readonly holds: boolean;
  /** The texts that a pattern of the expression matched. */
  readonly matched: readonly string[];
}

export interface CelExpression {
  evaluate(values: Readonly<Record<string, unknown>>): CelResult;
}

/** Real rules have fewer than 200 nodes. */
const LIMITS = { maxAstNodes: 2_000, maxDepth: 40, maxListElements: 200, maxMapEntries: 50, maxCallArguments: 8 };
/** Each level multiplies the cost by the length of a list. */
const MAX_NESTED_LOOPS = 2;
const MAX_PATTERN_SIZE = 4_000;
/** The characters that the patterns of one evaluation can read. */
const MAX_CHARACTERS = 4_000_000;
const LINEAR_MATCH = 'matchesLinear';

/**
 * Compiles boolean CEL expressions. `matches` also takes a list: one of its texts must match. The cost is bounded: `matches` uses
 * RE2, which takes linear time, with constant patterns; loops nest twice at most; and one evaluation reads a limited number of characters.
 */
export class CelCompiler {
  readonly #environment: Environment;
  readonly #patterns = new Map<string, RE2JS>();
  #charactersLeft = 0;
  #matched = new Set<string>();

  constructor({ variables, functions = [] }: { variables: CelVariables; functions?: readonly CelFunction[] }) {
    this.#environment = new Environment({ limits: LIMITS });
    for (const [name, type] of Object.entries(variables)) this.#environment.registerVariable(name, type);
    for (const { signature, run } of functions) this.#environment.registerFunction(signature, run, { async: false });
    const matchText = (text: string, pattern: string) => this.#matches(text, pattern);
    const matchList = (texts: Iterable<string>, pattern: string) => [...texts].some((text) => this.#matches(text, pattern));
    this.#environment.registerFunction(`string.${LINEAR_MATCH}(string): bool`, matchText, { async: false });
    this.#environment.registerFunction(`list<string>.${LINEAR_MATCH}(string): bool`, matchList, { async: false });
  }

  /** `checksPatterns`: false compiles a pattern at its first use, which saves time for rules that a test has checked. */
  compile(source: string, place: CelPlace, { checksPatterns = true } = {}): CelExpression {
    const parsed = withPlace(place, source, () => this.#environment.parse(source));
    this.#prepare(parsed.ast, { source, place, checksPatterns }, 0);
    const { valid, type, error } = parsed.check();
    if (!valid) throw toCelError(error, source, place);
    if (type !== 'bool') throw createError(`The expression must be true or false, but it is of the type ${type}.`, source, place, 0);
    return {
      evaluate: (values) => {
        this.#charactersLeft = MAX_CHARACTERS;
        this.#matched = new Set();
        const holds = withPlace(place, source, () => parsed(values) === true);
        return { holds, matched: [...this.#matched] };
      },
    };
  }

  /** The patterns of `matches` become RE2 patterns. The library's own `matches` uses RegExp, which can take exponential time. */
  #prepare(node: ASTNode, written: Written, loops: number): void {
    const { source, place } = written;
    const isLoop = node.op === 'rcall' && LOOPS.has(node.args[0]);
    const depth = isLoop ? loops + 1 : loops;
    if (depth > MAX_NESTED_LOOPS)
      throw createError(`Loops can nest ${MAX_NESTED_LOOPS} times, to bound the cost. Use fewer.`, source, place, node.start);
    if (node.op === 'rcall' && node.args[0] === 'matches') {
      const [pattern] = node.args[2];
      if (pattern?.op !== 'value' || typeof pattern.args !== 'string')
        throw createError('The pattern of matches must be a text in quotes.', source, place, node.start);
      if (written.checksPatterns) this.#checkPattern(pattern.args, written, pattern.start);
      node.args[0] = LINEAR_MATCH;
    }
    for (const child of childrenOf(node)) this.#prepare(child, written, depth);
  }

  #checkPattern(pattern: string, { source, place }: Written, at: number): void {
    let compiled: RE2JS;
    try {
      compiled = this.#compilePattern(pattern);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw createError(`The pattern is no RE2 pattern: ${reason}. RE2 has no lookaround and no backreferences.`, source, place, at);
    }
    if (compiled.programSize() > MAX_PATTERN_SIZE)
      throw createError('The pattern is too large. Shorten its repetitions.', source, place, at);
  }

  #compilePattern(pattern: string): RE2JS {
    const known = this.#patterns.get(pattern);
    if (known) return known;
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL);
    this.#patterns.set(pattern, compiled);
    return compiled;
  }

  #matches(text: string, pattern: string): boolean {
    this.#charactersLeft -= text.length;
    if (this.#charactersLeft < 0) throw new CelError(`The evaluation reads more than ${MAX_CHARACTERS} characters.`);
    const isMatch = this.#compilePattern(pattern).test(text);
    if (isMatch) this.#matched.add(text);
    return isMatch;
  }
}

interface Written {
  readonly source: string;
  readonly place: CelPlace;
  readonly checksPatterns: boolean;
}

const LOOPS = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function childrenOf({ args }: ASTNode): ASTNode[] {
  return [args].flat(3).filter(isNode);
}

function withPlace<Result>(place: CelPlace, source: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw toCelError(error, source, place);
  }
}

function toCelError(error: unknown, source: string, place: CelPlace): CelError {
  if (error instanceof CelError) return error.message.startsWith(place.file) ? error : createError(error.message, source, place, 0);
  const isKnown = error instanceof ParseError || error instanceof EvaluationError || error instanceof TypeProblem;
  if (isKnown) return createError(`${error.summary}.`, source, place, error.range?.start ?? 0);
  return createError(error instanceof Error ? error.message : String(error), source, place, 0);
}

function createError(problem: string, source: string, place: CelPlace, at: number): CelError {
  const before = source.slice(0, at).split('\n');
  return new CelError(`${place.file}:${place.line + before.length - 1}: ${problem}`);
}
