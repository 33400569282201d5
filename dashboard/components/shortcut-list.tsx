import { Group, Kbd, Stack, Text } from '@mantine/core';
import { Dialog } from './dialog.js';

const SHORTCUTS = [
  ['Ctrl K', 'Search everything'],
  ['/', 'Search everything, outside of a field'],
  ['J', 'Next row of a list'],
  ['K', 'Previous row of a list'],
  ['X', 'Select the row'],
  ['Enter', 'Open the row'],
  ['A', 'Assign the case to me'],
  ['E', 'Close the case or the selected cases'],
  ['?', 'Show this list'],
] as const;

export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts" size="sm">
      <Stack gap="xs">
        {SHORTCUTS.map(([key, meaning]) => (
          <Group key={key} justify="space-between">
            <Text size="sm">{meaning}</Text>
            <Kbd>{key}</Kbd>
          </Group>
        ))}
      </Stack>
    </Dialog>
  );
}
