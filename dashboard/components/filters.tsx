import { Group, Select, Text, TextInput } from '@mantine/core';
import { organizationsQuery, providersQuery } from '../queries/organizations.js';
import { useSession } from '../session.js';
import { useFullList } from './full-list.js';

interface FilterProps<Value> {
  value: Value | undefined;
  onChange: (value: Value | undefined) => unknown;
}

export function ChoiceFilter<Value extends string | number>(
  props: FilterProps<Value> & {
    label: string;
    placeholder: string;
    data: readonly { readonly value: Value; readonly label: string }[];
    width?: number;
  },
) {
  const { label, placeholder, data, value, onChange, width = 150 } = props;
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      data={data.map((choice) => ({ ...choice, value: String(choice.value) }))}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(data.find((choice) => String(choice.value) === chosen)?.value)}
      searchable={data.length > 8}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()} filter` }}
      w={width}
    />
  );
}

const namesToChoices = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));

/** Shown only to keys of all organizations: other keys see one organization. */
export function OrganizationFilter(props: FilterProps<string>) {
  return useSession().organization_code === null && <OrganizationChoices {...props} />;
}

function OrganizationChoices({ value, onChange }: FilterProps<string>) {
  const codes = (useFullList(organizationsQuery).items ?? []).map(({ organization_code: code }) => code);
  return (
    <ChoiceFilter
      label="Organization"
      placeholder="Any organization"
      width={174}
      data={namesToChoices(codes)}
      value={value}
      onChange={onChange}
    />
  );
}

export function ProviderFilter({ value, onChange }: FilterProps<string>) {
  const names = (useFullList(providersQuery).items ?? []).map(({ name }) => name);
  return <ChoiceFilter label="Provider" placeholder="Any provider" data={namesToChoices(names)} value={value} onChange={onChange} />;
}

/** A local time; the address contains epoch seconds. */
export function TimeFilter({ label, value, onChange }: FilterProps<number> & { label: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" aria-hidden>
        {label}
      </Text>
      <TextInput
        type="datetime-local"
        aria-label={label}
        key={value ?? ''}
        defaultValue={value === undefined ? '' : toLocalInput(value)}
        onBlur={({ currentTarget }) => {
          const given = currentTarget.value === '' ? undefined : Math.floor(new Date(currentTarget.value).getTime() / 1000);
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
