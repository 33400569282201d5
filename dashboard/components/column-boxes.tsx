import { Checkbox, Stack } from '@mantine/core';

export interface ColumnChoice {
  headers: readonly string[];
  hidden: readonly string[];
  onChange: (hidden: readonly string[]) => void;
}

export function ColumnBoxes({ headers, hidden, onChange }: ColumnChoice) {
  return (
    <Stack gap="xs">
      {headers.map((header, index) => (
        <Checkbox
          key={header}
          size="xs"
          label={header}
          disabled={index === 0}
          checked={index === 0 || !hidden.includes(header)}
          onChange={({ currentTarget: { checked } }) => onChange(checked ? hidden.filter((each) => each !== header) : [...hidden, header])}
        />
      ))}
    </Stack>
  );
}
