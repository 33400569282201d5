import { Group, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api.js';
import { useSession } from '../session.js';

const MAX_SHOWN = 200;

export const organizationsQuery = {
  queryKey: ['settings', 'organizations', MAX_SHOWN],
  queryFn: () => unwrap(api.GET('/organizations', { params: { query: { limit: MAX_SHOWN } } })),
};
export const providersQuery = {
  queryKey: ['settings', 'providers', MAX_SHOWN],
  queryFn: () => unwrap(api.GET('/providers', { params: { query: { limit: MAX_SHOWN } } })),
};

interface FilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => unknown;
}

export function ChoiceFilter(
  props: FilterProps & { label: string; placeholder: string; data: (string | { value: string; label: string })[]; width?: number },
) {
  const { label, placeholder, data, value, onChange, width = 150 } = props;
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable={data.length > 8}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()} filter` }}
      w={width}
    />
  );
}

/** Shown only to keys of all organizations: other keys see one organization. */
export function OrganizationFilter({ value, onChange }: FilterProps) {
  const isForAll = useSession().organization_code === null;
  const { data } = useQuery({ ...organizationsQuery, enabled: isForAll });
  if (!isForAll) return null;
  const codes = (data?.items ?? []).map(({ organization_code: code }) => code);
  return <ChoiceFilter label="Organization" placeholder="Any organization" width={174} data={codes} value={value} onChange={onChange} />;
}

export function ProviderFilter({ value, onChange }: FilterProps) {
  const { data } = useQuery(providersQuery);
  const names = (data?.items ?? []).map(({ name }) => name);
  return <ChoiceFilter label="Provider" placeholder="Any provider" data={names} value={value} onChange={onChange} />;
}

/** A local time; the address contains epoch seconds. */
export function TimeFilter({ label, value, onChange }: FilterProps & { label: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" aria-hidden>
        {label}
      </Text>
      <TextInput
        type="datetime-local"
        aria-label={label}
        key={value ?? ''}
        defaultValue={value === undefined ? '' : toLocalInput(Number(value))}
        onBlur={({ currentTarget }) => {
          const given = currentTarget.value === '' ? undefined : String(Math.floor(new Date(currentTarget.value).getTime() / 1000));
          if (given !== value) onChange(given);
        }}
        w={200}
      />
    </Group>
  );
}

/** The format of `<input type="datetime-local">`. */
function toLocalInput(seconds: number): string {
  const offsetMs = new Date(seconds * 1000).getTimezoneOffset() * 60_000;
  const shifted = new Date(seconds * 1000 - offsetMs);
  return Number.isNaN(shifted.getTime()) ? '' : shifted.toISOString().slice(0, 16);
}
