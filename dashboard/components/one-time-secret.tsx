import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.js';

/** A new secret: the service stores only its hash, so it cannot show the secret again. */
export function OneTimeSecret({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <Alert color="yellow" variant="light" title={`Copy the ${name} now`} role="status">
      <Stack gap="xs">
        <Text size="sm">It is shown only once. If you lose it, create a new one.</Text>
        <Group gap="xs" align="center">
          <Code className="breakable">{value}</Code>
          <CopyButton value={value} />
        </Group>
        {children}
      </Stack>
    </Alert>
  );
}
