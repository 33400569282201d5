import { Code, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { CopyButton } from './copy-button.js';

/** Longer texts make the page slow. */
const SHOWN_CHARACTERS = 200_000;

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2) ?? '';
  const isTruncated = text.length > SHOWN_CHARACTERS;
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={text} />
      </Group>
      <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <Code block>{isTruncated ? text.slice(0, SHOWN_CHARACTERS) : text}</Code>
      </ScrollArea.Autosize>
      {isTruncated && <Text size="xs">Truncated. Copy includes the full text.</Text>}
    </Stack>
  );
}
