import type { TextlintPluginCreator } from '@textlint/kernel';
import { parseSync } from 'oxc-parser';

type Range = readonly [start: number, end: number];

/** Shows the comments, page texts and string literals of TypeScript files to textlint's rules. */
export const typescriptPlugin: TextlintPluginCreator = {
  Processor: class {
    availableExtensions() {
      return ['.ts', '.tsx'];
    }

    processor() {
      return {
        preProcess: (text: string, filePath = 'file.ts') => toDocument(text, filePath),
        postProcess: (messages: Messages, filePath = '<text>') => ({ messages, filePath }),
      };
    }
  },
};
type Processor = ReturnType<InstanceType<TextlintPluginCreator['Processor']>['processor']>;
type Messages = Parameters<Processor['postProcess']>[0];
type Document = Extract<Awaited<ReturnType<Processor['preProcess']>>, { type: unknown }>;

function toDocument(text: string, filePath: string): Document {
  const toPosition = createLineIndex(text);
  const locate = (range: Range) => ({
    raw: text.slice(...range),
    range: [range[0], range[1]],
    loc: { start: toPosition(range[0]), end: toPosition(range[1]) },
  });
  const children = listProse(text, filePath).map((range) => ({
    ...locate(range),
    type: 'Paragraph',
    children: [{ ...locate(range), type: 'Str', value: text.slice(...range) }],
  }));
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: textlint's node types are enums that its main package does not export.
  return { ...locate([0, text.length]), type: 'Document', children } as unknown as Document;
}

/** The ranges of comments and of strings that contain a space: a string without one is a name. */
function listProse(text: string, filePath: string): Range[] {
  const { program, comments } = parseSync(filePath, text);
  const ranges: Range[] = comments.map(({ start, end }) => [start + 2, end]);
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isProse(node) && /\S\s\S/.test(text.slice(node.start, node.end))) ranges.push([node.start, node.end]);
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return ranges.sort(([a], [b]) => a - b);
}

function isProse(node: object): node is { start: number; end: number } {
  if (!('type' in node && 'start' in node && 'end' in node)) return false;
  return (
    node.type === 'JSXText' ||
    node.type === 'TemplateElement' ||
    (node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
  );
}

function createLineIndex(text: string) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset: number) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) };
  };
}
