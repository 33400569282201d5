import { Badge, Group, Text } from '@mantine/core';
import type { Playbook } from '../../../domain/playbook/playbook.js';
import { duration } from '../../components/time.js';

/** At most this many of the newest are counted. */
const COUNTED_AT_MOST = 500;

export function formatCount({ runs }: Playbook): string {
  if (runs.counted === 0) return 'none yet';
  return `${runs.counted}${runs.counted >= COUNTED_AT_MOST ? ' or more' : ''}`;
}

export function formatSuccess({ runs }: Playbook): string {
  return runs.counted === 0 ? '–' : `${Math.round((runs.completed / runs.counted) * 100)} %`;
}

export function formatTypicalDuration({ runs }: Playbook): string {
  return runs.typical_seconds === null ? '–' : duration(runs.typical_seconds);
}

/** Written by somebody, or made by the service and in which version of its plan. */
export function Origin({ playbook }: { playbook: Playbook }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Badge variant="light" color={playbook.origin === 'written' ? 'grape' : 'blue'} tt="none">
        {playbook.origin}
      </Badge>
      {playbook.origin === 'generated' && (
        <Text span size="xs" fw={400} style={{ whiteSpace: 'nowrap' }}>
          version {playbook.pinned_version ?? playbook.version}
          {playbook.pinned_version === null ? '' : ', pinned'}
        </Text>
      )}
    </Group>
  );
}
