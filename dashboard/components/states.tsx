import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api.js';

export function ErrorState({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const message = error instanceof Error ? error.message : String(error);
  const resolution = error instanceof ApiProblem ? error.resolution : null;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="Something went wrong" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="breakable">
          {message}
        </Text>
        {resolution !== null && <Text size="sm">{resolution}</Text>}
        {retry && (
          <Button size="xs" variant="default" onClick={() => retry()}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children}
    </Stack>
  );
}

export function PageSkeleton() {
  return (
    <Stack role="status" aria-busy="true" aria-label="Loading">
      <Skeleton height={28} width={220} />
      <Skeleton height={36} />
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <Skeleton key={row} height={30} />
      ))}
    </Stack>
  );
}
