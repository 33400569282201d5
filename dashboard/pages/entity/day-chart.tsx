import { Box, Group, Text, VisuallyHidden } from '@mantine/core';
import type { EntityDetail } from '../../../domain/case/entity-page.js';

const HEIGHT = 72;
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

const formatDay = (day: string) => DAY.format(new Date(`${day}T00:00:00Z`));

/** One bar for each day. Without a chart library, so that the page stays small. */
export function DayChart({ days }: { days: EntityDetail['days'] }) {
  const most = Math.max(1, ...days.map(({ alerts }) => alerts));
  const total = days.reduce((sum, { alerts }) => sum + alerts, 0);
  const busiest = days.find(({ alerts }) => alerts === most);
  return (
    <figure style={{ margin: 0 }}>
      <VisuallyHidden component="figcaption">
        {total === 0 || !busiest ? 'No alerts.' : `${total} alerts. Most on ${formatDay(busiest.day)}: ${most}.`}
      </VisuallyHidden>
      <Group gap={2} align="flex-end" wrap="nowrap" h={HEIGHT} aria-hidden>
        {days.map(({ day, alerts }) => (
          <Box
            key={day}
            title={`${formatDay(day)}: ${alerts}`}
            flex={1}
            h={alerts === 0 ? 2 : Math.max(6, Math.round((alerts / most) * HEIGHT))}
            bg={alerts === 0 ? 'var(--mantine-color-default-border)' : 'blue.6'}
            style={{ borderRadius: 2 }}
          />
        ))}
      </Group>
      <Group justify="space-between" mt={4}>
        <Text size="xs" c="dimmed">
          {formatDay(days[0]?.day ?? '1970-01-01')}
        </Text>
        <Text size="xs">{total === 0 ? 'No alerts' : `Most in a day: ${most}`}</Text>
        <Text size="xs" c="dimmed">
          Today
        </Text>
      </Group>
    </figure>
  );
}
