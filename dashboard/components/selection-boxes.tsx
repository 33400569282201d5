import { Checkbox } from '@mantine/core';

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}

export function SelectAll({ keys, selection }: { keys: readonly string[]; selection: Selection }) {
  const count = keys.filter((key) => selection.keys.has(key)).length;
  return (
    <Checkbox
      size="xs"
      aria-label="Select all rows of this page"
      checked={count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      onChange={({ currentTarget }) => selection.onChange(new Set(currentTarget.checked ? keys : []))}
    />
  );
}

export function SelectRow({ name, selection }: { name: string; selection: Selection }) {
  return (
    <Checkbox
      size="xs"
      aria-label={`Select ${name}`}
      checked={selection.keys.has(name)}
      onChange={({ currentTarget }) => {
        const keys = new Set(selection.keys);
        if (currentTarget.checked) keys.add(name);
        else keys.delete(name);
        selection.onChange(keys);
      }}
    />
  );
}
