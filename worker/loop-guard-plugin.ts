import type { BundleOptions } from '@temporalio/worker';

type Webpack = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];
type Plugin = Extract<NonNullable<Webpack['plugins']>[number], (compiler: never) => void>;

/** The parts of webpack's parser that this plugin uses. */
interface Parser {
  readonly hooks: { readonly program: { tap(name: string, visit: (program: unknown) => void): void } };
  readonly state: { readonly module: { readonly resource: string; addPresentationalDependency(dependency: unknown): void } };
}

interface Insertion {
  readonly text: string;
  readonly at: number;
}

const NAME = 'loop-guard';
const LOOPS: ReadonlySet<string> = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement', 'ForInStatement', 'ForOfStatement']);
const FUNCTIONS: ReadonlySet<string> = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
/** A check costs more than a turn of most loops. */
const TURNS_BETWEEN_CHECKS = 64;
const TURN = `if((++__turns&${TURNS_BETWEEN_CHECKS - 1})===0)globalThis.__checkLoop?.(__turns);`;
/** The SDK reads a stack for each promise, so an `await` takes as long as many turns without one. */
const TURNS_OF_AN_AWAIT = 200;
const AWAITING_TURN = `globalThis.__checkLoop?.(__turns+=${TURNS_OF_AN_AWAIT},${TURNS_OF_AN_AWAIT});`;
/** The count of the turns of a file's loops. */
const TURN_COUNT = 'var __turns=0;';

/** The code to insert into a parsed file: a count, and a check in each loop. */
export function listInsertions(program: unknown): Insertion[] {
  const insertions: Insertion[] = [{ text: TURN_COUNT, at: 0 }];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isLoop(node)) insertions.push(...guardLoop(node));
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return insertions;
}

interface Loop {
  readonly await?: boolean;
  readonly body: { readonly type: string; readonly start: number; readonly end: number };
}

function isLoop(node: object): node is Loop {
  return 'type' in node && typeof node.type === 'string' && LOOPS.has(node.type);
}

function guardLoop({ await: isForAwait, body }: Loop): Insertion[] {
  const turn = isForAwait || hasAwait(body) ? AWAITING_TURN : TURN;
  if (body.type === 'BlockStatement') return [{ text: turn, at: body.start + 1 }];
  return [
    { text: `{${turn}`, at: body.start },
    { text: '}', at: body.end },
  ];
}

function hasAwait(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const type = 'type' in node && typeof node.type === 'string' ? node.type : '';
  if (type === 'AwaitExpression') return true;
  return !FUNCTIONS.has(type) && Object.values(node).some(hasAwait);
}

/**
 * Adds a check to each loop of the files that `isGuarded` selects, see `workflows/lib/loop-guard.ts`. The count belongs to a module,
 * so it must not be a module that several runs share.
 */
export function createLoopGuard(isGuarded: (file: string) => boolean): Plugin {
  return (compiler) => {
    const { ConstDependency } = compiler.webpack.dependencies;
    compiler.hooks.compilation.tap(NAME, (_compilation, { normalModuleFactory }) => {
      for (const type of ['javascript/auto', 'javascript/esm'] as const)
        normalModuleFactory.hooks.parser.for(type).tap(NAME, (created: unknown) => {
          // biome-ignore lint/nursery/noUnsafeTypeAssertion: webpack's own type of the parser hides the module.
          const parser = created as Parser;
          parser.hooks.program.tap(NAME, (program) => {
            const { module } = parser.state;
            if (!isGuarded(module.resource)) return;
            for (const { text, at } of listInsertions(program)) module.addPresentationalDependency(new ConstDependency(text, at));
          });
        });
    });
  };
}
