import type { BundleOptions } from '@temporalio/worker';

type Webpack = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];
type Plugin = Extract<NonNullable<Webpack['plugins']>[number], (compiler: never) => void>;

interface Node {
  readonly type: string;
  readonly range: readonly [number, number];
  readonly body: Node;
}

/** The parts of webpack's parser that this plugin uses. */
interface Parser {
  readonly hooks: Record<'program' | 'statement', { tap(name: string, visit: (node: Node) => void): void }>;
  readonly state: { readonly module: { readonly resource: string; addPresentationalDependency(dependency: unknown): void } };
}

const NAME = 'loop-guard';
export const LOOPS: ReadonlySet<string> = new Set([
  'WhileStatement',
  'DoWhileStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
]);
/** A check costs more than a turn of most loops. */
const TURNS_BETWEEN_CHECKS = 64;
const TURN = `if((++__turns&${TURNS_BETWEEN_CHECKS - 1})===0)globalThis.__checkLoop?.(__turns);`;

/** The count of the turns of a file's loops. */
export const TURN_COUNT = 'var __turns=0;';

/** The code to insert into a loop with this body. */
export function guardBody(isBlock: boolean, [start, end]: readonly [number, number]): { readonly text: string; readonly at: number }[] {
  if (isBlock) return [{ text: TURN, at: start + 1 }];
  return [
    { text: `{${TURN}`, at: start },
    { text: '}', at: end },
  ];
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
        normalModuleFactory.hooks.parser.for(type).tap(NAME, (parser: unknown) => {
          // biome-ignore lint/nursery/noUnsafeTypeAssertion: webpack's own type of the parser hides the module.
          guardLoops(parser as Parser, (text, at) => new ConstDependency(text, at), isGuarded);
        });
    });
  };
}

function guardLoops(parser: Parser, createInsertion: (text: string, at: number) => unknown, isGuarded: (file: string) => boolean): void {
  const insert = (text: string, at: number) => parser.state.module.addPresentationalDependency(createInsertion(text, at));
  const isSelected = () => isGuarded(parser.state.module.resource);
  parser.hooks.program.tap(NAME, ({ range }) => {
    if (isSelected()) insert(TURN_COUNT, range[0]);
  });
  parser.hooks.statement.tap(NAME, ({ type, body }) => {
    if (!LOOPS.has(type) || !isSelected()) return;
    for (const { text, at } of guardBody(body.type === 'BlockStatement', body.range)) insert(text, at);
  });
}
