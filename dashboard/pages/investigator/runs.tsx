import { Badge, Group, Text } from '@mantine/core';
import type { PlaybookSummary } from '../../../services/playbooks/wire.js';
import { formatDuration } from '../../components/time.js';

/** The API counts at most this many runs. */
const COUNT_LIMIT = 500;

export function formatCount({ runs }: PlaybookSummary): string {
  if (runs.counted === 0) return '0';
  return `${runs.counted}${runs.counted >= COUNT_LIMIT ? ' or more' : ''}`;
}

export function formatSuccess({ runs }: PlaybookSummary): string {
  return runs.counted === 0 ? '–' : `${Math.round((runs.completed / runs.counted) * 100)} %`;
}

export function formatTypicalDuration({ runs }: PlaybookSummary): string {
  return runs.typical_seconds === null ? '–' : formatDuration(runs.typical_seconds);
}

function describePlan({ plan_of: category, version, pinned_version: pinned }: PlaybookSummary): string {
  if (category !== null) return `plan of ${category.name}`;
  return `version ${pinned ?? version}${pinned === null ? '' : ', pinned'}`;
}

export function Origin({ playbook }: { playbook: PlaybookSummary }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Badge variant="light" color={playbook.origin === 'written' ? 'grape' : 'blue'} tt="capitalize">
        {playbook.origin}
      </Badge>
      {playbook.origin === 'generated' && (
        <Text span size="xs" fw={400} style={{ whiteSpace: 'nowrap' }}>
          {describePlan(playbook)}
        </Text>
      )}
    </Group>
  );
}
