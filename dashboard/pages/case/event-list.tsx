import { Badge, Group, Text, Timeline } from '@mantine/core';
import type { CaseEvent } from '../../../domain/case/case-graph.js';
import { PageLink } from '../../components/page.js';
import { EmptyState } from '../../components/states.js';
import { formatAge, Time } from '../../components/time.js';

const KINDS: Readonly<Record<CaseEvent['kind'], { label: string; color: string }>> = {
  alert: { label: 'Alert', color: 'red' },
  record: { label: 'Third-party record', color: 'blue' },
  action: { label: 'Action', color: 'orange' },
};

/** Oldest first, with the time between two events. */
export function EventList({ events }: { events: readonly CaseEvent[] }) {
  if (events.length === 0) return <EmptyState title="No events" />;
  return (
    <Timeline bulletSize={14} lineWidth={2} active={events.length} aria-label="Events">
      {events.map((event, place) => {
        const before = events[place - 1];
        const { label, color } = KINDS[event.kind];
        return (
          <Timeline.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: two events may be equal, and they never move.
            key={place}
            color={color}
            title={
              <Group gap="xs" align="center">
                <Text span size="sm" fw={600} className="breakable">
                  {event.title}
                </Text>
                <Badge size="sm" variant="light" color={color} tt="none">
                  {label}
                </Badge>
              </Group>
            }
          >
            <Text size="sm" component="div" className="breakable">
              {event.source}
              {event.alert_id !== null && (
                <>
                  ,{' '}
                  <PageLink to="/alerts/$alertId" params={{ alertId: event.alert_id }} inherit underline="always">
                    {event.alert_id}
                  </PageLink>
                </>
              )}
              {event.shares.length > 0 && `, shares ${event.shares.join(', ')}`}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              <Time at={event.at} size="xs" />
              {before && `, ${formatAge(event.at - before.at)} later`}
            </Text>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}
