import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A named value in a card of details. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" fw={600}>
        {name}
      </Text>
      <Text size="sm" component="div" className="breakable">
        {children}
      </Text>
    </div>
  );
}
