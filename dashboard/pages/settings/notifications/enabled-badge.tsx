import { Badge } from '@mantine/core';

export function EnabledBadge({ isEnabled }: { isEnabled: boolean }) {
  return (
    <Badge variant="light" color={isEnabled ? 'teal' : 'gray'} tt="none">
      {isEnabled ? 'Enabled' : 'Disabled'}
    </Badge>
  );
}
