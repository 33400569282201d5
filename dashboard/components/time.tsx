import { Text, Tooltip } from '@mantine/core';

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const HOUR = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Local time with UTC on hover. `stacked` puts the date above the time, for tables with many columns. */
export function Time({ at, size = 'sm', stacked = false }: { at: number | null; size?: 'xs' | 'sm'; stacked?: boolean }) {
  if (at === null)
    return (
      <Text span size={size} c="dimmed">
        –
      </Text>
    );
  const moment = new Date(at * 1000);
  // A source may send a time outside the range of Date.
  if (Number.isNaN(moment.getTime()))
    return (
      <Text span size={size}>
        {at}
      </Text>
    );
  return (
    <Tooltip label={moment.toISOString().replace('T', ' ').replace('.000Z', ' UTC')}>
      <Text span size={size} component="time" dateTime={moment.toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {stacked ? DAY.format(moment) : LOCAL.format(moment)}
        {stacked && <br />}
        {stacked && HOUR.format(moment)}
      </Text>
    </Tooltip>
  );
}

const AGE_UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** `4 minutes` */
export function formatAge(seconds: number): string {
  const [length, unit] = AGE_UNITS.find(([unitSeconds]) => seconds >= unitSeconds) ?? [null, null];
  if (length === null) return 'less than a minute';
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `1 m 20 s` */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${Math.round(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} m`;
  return `${Math.floor(seconds / 86_400)} d ${Math.round((seconds % 86_400) / 3600)} h`;
}
