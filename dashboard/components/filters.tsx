import { Group, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Organization, Provider } from '../../domain/identity/identity.js';
import { api, type Page } from '../api.js';
import { useSession } from '../session.js';

const SHOWN_AT_MOST = 200;

export const organizationsQuery = {
  queryKey: ['settings', 'organizations', SHOWN_AT_MOST],
  queryFn: () => api.get<Page<Organization>>('/organizations', { limit: SHOWN_AT_MOST }),
};
export const providersQuery = {
  queryKey: ['settings', 'providers', SHOWN_AT_MOST],
  queryFn: () => api.get<Page<Provider>>('/providers', { limit: SHOWN_AT_MOST }),
};

interface FilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => unknown;
}

/** One of a few values; empty: any. */
export function ChoiceFilter(
  props: FilterProps & { label: string; placeholder: string; data: (string | { value: string; label: string })[] },
) {
  const { label, placeholder, data, value, onChange } = props;
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable={data.length > 8}
      clearable
      clearButtonProps={{ 'aria-label': `${placeholder}: clear` }}
      w={160}
    />
  );
}

/** Only for a key of every organization: the others see their own. */
export function OrganizationFilter({ value, onChange }: FilterProps) {
  const isForAll = useSession().organization_code === null;
  const { data } = useQuery({ ...organizationsQuery, enabled: isForAll });
  if (!isForAll) return null;
  const codes = (data?.items ?? []).map(({ organization_code: code }) => code);
  return <ChoiceFilter label="Organization" placeholder="Any organization" data={codes} value={value} onChange={onChange} />;
}

export function ProviderFilter({ value, onChange }: FilterProps) {
  const { data } = useQuery(providersQuery);
  const names = (data?.items ?? []).map(({ name }) => name);
  return <ChoiceFilter label="Provider" placeholder="Any provider" data={names} value={value} onChange={onChange} />;
}

/** A moment of local time; epoch seconds in the address. */
export function MomentFilter({ label, value, onChange }: FilterProps & { label: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" aria-hidden>
        {label}
      </Text>
      <TextInput
        type="datetime-local"
        aria-label={label}
        key={value ?? ''}
        defaultValue={value === undefined ? '' : localInput(Number(value))}
        onBlur={({ currentTarget }) => {
          const given = currentTarget.value === '' ? undefined : String(Math.floor(new Date(currentTarget.value).getTime() / 1000));
          if (given !== value) onChange(given);
        }}
        w={200}
      />
    </Group>
  );
}

/** As a browser's own input for a date and time takes it. */
function localInput(seconds: number): string {
  const offsetMs = new Date(seconds * 1000).getTimezoneOffset() * 60_000;
  const shifted = new Date(seconds * 1000 - offsetMs);
  return Number.isNaN(shifted.getTime()) ? '' : shifted.toISOString().slice(0, 16);
}
