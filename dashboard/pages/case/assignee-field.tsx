import { Select } from '@mantine/core';
import { usePeople } from './people.js';

/** The people who can work on the case. Clearing the field unassigns it. */
export function AssigneeField(props: { organizationCode: string; value: string; onChange: (name: string) => void }) {
  const people = usePeople(props.organizationCode);
  return (
    <Select
      label="Assignee"
      description="Clear it to unassign the case."
      placeholder="Unassigned"
      data={people}
      value={props.value === '' ? null : props.value}
      onChange={(name) => props.onChange(name ?? '')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Unassign' }}
      nothingFoundMessage="No active key has this name"
      data-autofocus
    />
  );
}
