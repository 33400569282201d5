import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A secret that was made this moment: nobody can read it again. */
export function ShownOnce({ what, value, children }: { what: string; value: string; children?: ReactNode }) {
  return (
    <Alert color="yellow" variant="light" title={`Copy the ${what} now`} role="status">
      <Stack gap="xs">
        <Text size="sm">It is shown this once. Only its fingerprint is kept: when it is lost, make another one.</Text>
        <Group gap="xs" align="center">
          <Code className="breakable">{value}</Code>
          <Copy value={value} />
        </Group>
        {children}
      </Stack>
    </Alert>
  );
}

export function Copy({ value }: { value: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  );
}
