import { Button, Menu, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { CLASSIFICATION_LABELS, type Classification } from '../../../domain/case/classification.js';

const MEANINGS: readonly (readonly [Classification, string])[] = [
  ['false_positive', 'The alert is wrong. Proposed actions are withdrawn.'],
  ['benign_positive', 'The alert is right, but harmless: a test or expected work. Proposed actions are withdrawn.'],
  ['true_positive', 'The threat is real and dealt with.'],
];

/** Closes a case in two clicks, or with the key E, the arrow keys and Enter. */
export function CloseMenu({ isPending, onClose }: { isPending: boolean; onClose: (classification: Classification) => void }) {
  const [isOpen, { open, toggle, close }] = useDisclosure(false);
  useHotkeys([['E', open]]);
  return (
    <Menu position="bottom-end" width={300} opened={isOpen} onChange={(opened) => (opened ? open() : close())}>
      <Menu.Target>
        <Button
          size="xs"
          loading={isPending}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          onClick={toggle}
          aria-keyshortcuts="E"
        >
          Close
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {MEANINGS.map(([classification, meaning]) => (
          <Menu.Item key={classification} onClick={() => onClose(classification)}>
            {CLASSIFICATION_LABELS[classification]}
            <Text size="xs">{meaning}</Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
