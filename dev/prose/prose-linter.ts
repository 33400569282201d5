import { TextlintKernelDescriptor } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { createLinter } from 'textlint';
import { bannedPhrases } from './banned-phrases.js';
import { typescriptPlugin } from './typescript-plugin.js';

// Node wraps this CommonJS module once more than Vite does.
const markdownPlugin = 'default' in markdown ? markdown.default : markdown;

/** textlint with our rule, for Markdown and for the comments and strings of TypeScript. */
export function createProseLinter(root: string) {
  return createLinter({
    cwd: root,
    descriptor: new TextlintKernelDescriptor({
      rules: [{ ruleId: 'banned-phrases', rule: bannedPhrases }],
      plugins: [
        { pluginId: 'markdown', plugin: markdownPlugin },
        { pluginId: 'typescript', plugin: typescriptPlugin },
      ],
      filterRules: [],
    }),
  });
}
