import { readFileSync } from 'node:fs';
import type { TextlintRuleModule } from '@textlint/kernel';
import { z } from 'zod';

const Phrases = z.array(z.strictObject({ phrase: z.string(), instead: z.string() }));
const BANNED = Phrases.parse(JSON.parse(readFileSync(new URL('./banned-phrases.json', import.meta.url), 'utf8'))).map(
  ({ phrase, instead }) => ({ pattern: new RegExp(phrase, 'giu'), instead }),
);
/** On the line of a phrase, or on the line before it, this marks an exception. */
const EXCEPTION = 'prose-allow';

/** Reports each phrase of banned-phrases.json with its replacement. Code in Markdown is not read. */
export const bannedPhrases: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str](node: Parameters<typeof report>[0]) {
    const text = getSource(node);
    for (const { pattern, instead } of BANNED) {
      for (const match of text.matchAll(pattern)) {
        if (isAllowed(getSource(), node.range[0] + match.index)) continue;
        const padding = locator.range([match.index, match.index + match[0].length]);
        report(node, new RuleError(`"${match[0].trim()}": write ${instead}.`, { padding }));
      }
    }
  },
});

function isAllowed(source: string, index: number): boolean {
  const lineStart = source.lastIndexOf('\n', index) + 1;
  const lineBefore = lineStart < 2 ? 0 : source.lastIndexOf('\n', lineStart - 2) + 1;
  const lineEnd = source.indexOf('\n', index);
  return source.slice(lineBefore, lineEnd < 0 ? undefined : lineEnd).includes(EXCEPTION);
}
