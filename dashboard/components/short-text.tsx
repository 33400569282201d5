import { Text } from '@mantine/core';

/** The title shows more text on hover; contents can be as long as 1 MiB. */
const TITLE_LENGTH = 300;

/** An id that loses its middle where its cell is narrow, because its end is its number. */
export function ShortId({ id }: { id: string }) {
  const end = Math.max(0, id.lastIndexOf('-'));
  return (
    <span className="short-id">
      <span>{id.slice(0, end)}</span>
      <span>{id.slice(end)}</span>
    </span>
  );
}

/** One line that ends with … where its cell ends. */
export function ShortText({ text, size = 'xs' }: { text: string; size?: 'xs' | 'sm' }) {
  return (
    <Text size={size} truncate title={text.slice(0, TITLE_LENGTH)}>
      {text.slice(0, TITLE_LENGTH)}
    </Text>
  );
}
