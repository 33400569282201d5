import { Text, Tooltip } from '@mantine/core';
import { useTimeZone } from './time-zone.js';

const FORMATS = {
  local: createFormats({}),
  utc: createFormats({ timeZone: 'UTC' }),
};

function createFormats(zone: Intl.DateTimeFormatOptions) {
  return {
    whole: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', ...zone }),
    day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', ...zone }),
    hour: new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', ...zone }),
  };
}

/**
 * The time in the chosen zone; on hover the time in both zones and how long ago it was. `stacked` puts the date above the time, for
 * tables with many columns.
 */
export function Time({ at, size = 'sm', stacked = false }: { at: number | null; size?: 'xs' | 'sm'; stacked?: boolean }) {
  const [zone] = useTimeZone();
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
  const { whole, day, hour } = FORMATS[zone];
  return (
    <Tooltip label={`${formatRelative(at)} · ${FORMATS.local.whole.format(moment)} local · ${formatUtc(moment)}`}>
      <Text span size={size} component="time" dateTime={moment.toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {stacked ? day.format(moment) : whole.format(moment)}
        {stacked && <br />}
        {stacked && hour.format(moment)}
        {zone === 'utc' && ' UTC'}
      </Text>
    </Tooltip>
  );
}

const SHORT = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const SHORT_WITH_YEAR = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' });

/** One short line for a table: local time without seconds, or the date of another year. The title has the whole time and UTC. */
export function ShortTime({ at, size = 'xs' }: { at: number | null; size?: 'xs' | 'sm' }) {
  const moment = at === null ? null : new Date(at * 1000);
  if (moment === null || Number.isNaN(moment.getTime()))
    return (
      <Text span size={size} c="dimmed">
        {at ?? '–'}
      </Text>
    );
  const format = moment.getFullYear() === new Date().getFullYear() ? SHORT : SHORT_WITH_YEAR;
  return (
    <Text
      size={size}
      truncate
      component="time"
      display="block"
      dateTime={moment.toISOString()}
      title={`${FORMATS.local.whole.format(moment)} (${formatUtc(moment)})`}
    >
      {format.format(moment)}
    </Text>
  );
}

function formatUtc(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}

/** `4 minutes ago`, `in 2 days` */
function formatRelative(at: number): string {
  const seconds = Date.now() / 1000 - at;
  return seconds >= 0 ? `${formatAge(seconds)} ago` : `in ${formatAge(-seconds)}`;
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
