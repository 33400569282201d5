import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';

type TimeZone = 'local' | 'utc';

/** The zone in which the pages show times. Stored in the browser, because it depends on the place of the user. */
export function useTimeZone() {
  return useLocalStorage<TimeZone>({ key: 'time-zone', defaultValue: 'local', getInitialValueInEffect: false });
}

export function TimeZoneButton() {
  const [zone, setZone] = useTimeZone();
  const shown = zone === 'utc' ? 'UTC' : 'Local';
  const label = zone === 'utc' ? 'show local times' : 'show times in UTC';
  return (
    <Tooltip label={`${shown}: ${label}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        w="auto"
        px={6}
        aria-label={`${shown}: ${label}`}
        onClick={() => setZone(zone === 'utc' ? 'local' : 'utc')}
      >
        <Text size="xs" fw={600}>
          {shown}
        </Text>
      </ActionIcon>
    </Tooltip>
  );
}
