import { Code, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { Copy } from './shown-once.js';

/** More than a person reads, less than makes the page slow. */
const SHOWN_CHARACTERS = 200_000;

/** A third party's answer, as text. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const whole = JSON.stringify(value, null, 2) ?? '';
  const isCut = whole.length > SHOWN_CHARACTERS;
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Copy value={whole} />
      </Group>
      <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <Code block>{isCut ? whole.slice(0, SHOWN_CHARACTERS) : whole}</Code>
      </ScrollArea.Autosize>
      {isCut && <Text size="xs">Only its beginning is shown; Copy takes all of it.</Text>}
    </Stack>
  );
}
