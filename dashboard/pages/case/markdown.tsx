import { Anchor, Code } from '@mantine/core';
import Markdown from 'markdown-to-jsx/react';
import type { ReactNode } from 'react';

/** A comment. Raw HTML stays text, images are not loaded, and links leave without a reference to this page. */
export default function CommentMarkdown({ text }: { text: string }) {
  return (
    <Markdown
      className="markdown"
      options={{
        disableParsingRawHTML: true,
        forceBlock: true,
        wrapper: 'div',
        sanitizer: keepWebAddress,
        overrides: { a: { component: WebLink }, img: { component: ImageText }, code: { component: InlineCode } },
      }}
    >
      {text}
    </Markdown>
  );
}

/** null removes the address: a script or a data URL is never one. */
function keepWebAddress(value: string): string | null {
  return isWebAddress(value) ? value : null;
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

function WebLink({ href, children }: { href?: string; children?: ReactNode }) {
  if (href === undefined || !isWebAddress(href)) return <span>{children}</span>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm" className="breakable">
      {children}
    </Anchor>
  );
}

/** Loading an image would tell its server who reads the case. */
function ImageText({ alt = '' }: { alt?: string }) {
  return <span>[image{alt === '' ? '' : `: ${alt}`}]</span>;
}

function InlineCode({ children }: { children?: ReactNode }) {
  return <Code className="wrapped">{children}</Code>;
}
