import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A number of the overview. */
export function Figure({ label, value, hint }: { label: string; value: ReactNode; hint: ReactNode }) {
  return (
    <Card withBorder padding="sm" component="section" aria-label={label}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fz="xl" fw={700}>
        {value}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {hint}
      </Text>
    </Card>
  );
}
