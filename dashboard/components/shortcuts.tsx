import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';

const SHORTCUTS = [
  ['J', 'Next row of a list'],
  ['K', 'Previous row of a list'],
  ['Enter', 'Open the row'],
  ['A', 'Assign the case to me'],
  ['E', 'Close the case'],
  ['?', 'Show this list'],
] as const;

/** The list of keyboard shortcuts. `?` opens it on every page. */
export function Shortcuts() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([['shift+?', open]]);
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts" size="sm">
      <Stack gap="xs">
        {SHORTCUTS.map(([key, meaning]) => (
          <Group key={key} justify="space-between">
            <Text size="sm">{meaning}</Text>
            <Kbd>{key}</Kbd>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
