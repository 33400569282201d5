import { isBuiltin } from 'node:module';
import path from 'node:path';
import type { BundleOptions } from '@temporalio/worker';
import { describeImport, describeUse, FORBIDDEN_GLOBALS } from '../domain/playbook/forbidden-globals.js';

type Plugin = Extract<
  NonNullable<Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0]['plugins']>[number],
  (compiler: never) => void
>;

/** The parts of webpack's parser that this plugin uses. */
interface Parser {
  readonly hooks: { readonly expression: { for(name: string): { tap(plugin: string, visit: () => void): void } } };
  readonly state: { readonly module: { readonly resource: string } };
}

const NAME = 'bundle-check';

interface BundleCheck {
  readonly root: string;
  isChecked(file: string): boolean;
  /** A sentence with the file for each error of the bundler, and for each forbidden global and Node module in a checked file. */
  readonly problems: string[];
}

export function createBundleCheck({ root, isChecked, problems }: BundleCheck): Plugin {
  const show = (file: string) => path.relative(root, file);
  return (compiler) => {
    compiler.hooks.compilation.tap(NAME, (_compilation, { normalModuleFactory }) => {
      normalModuleFactory.hooks.beforeResolve.tap(NAME, ({ request, contextInfo: { issuer } }) => {
        if (issuer !== '' && isChecked(issuer) && isBuiltin(request)) problems.push(describeImport(show(issuer), request));
      });
      for (const type of ['javascript/auto', 'javascript/esm'] as const)
        normalModuleFactory.hooks.parser.for(type).tap(NAME, (given: unknown) => {
          // biome-ignore lint/nursery/noUnsafeTypeAssertion: webpack's own type of the parser hides the module.
          const parser = given as Parser;
          for (const name of FORBIDDEN_GLOBALS)
            parser.hooks.expression.for(name).tap(NAME, () => {
              const { resource } = parser.state.module;
              if (isChecked(resource)) problems.push(describeUse(show(resource), name));
            });
        });
    });
    compiler.hooks.done.tap(NAME, ({ compilation }) => {
      for (const error of compilation.errors) problems.push(describeError(error, show));
    });
  };
}

/** The first line of webpack's message that says something. */
function describeError(error: Error & { module?: { nameForCondition(): string | null } | null }, show: (file: string) => string): string {
  const file = error.module?.nameForCondition() ?? null;
  const lines = error.message.split('\n').map((line) => line.replace(/^Error: /, '').trim());
  const [message = error.message] = lines.filter((line) => line !== '' && !/^Module (?:build|parse) failed/.test(line));
  return `${file === null ? 'The workflow bundle' : show(file)} cannot be bundled: ${message} Correct the file and try again.`;
}
