import { UnstyledButton } from '@mantine/core';

/** The header of a sortable column: the first click sorts descending, the second ascending. `aria-sort` of the header states the order. */
export function SortButton(props: { name: string; column: string; now: string; onSort: (sort: string) => unknown }) {
  const { name, column, now, onSort } = props;
  return (
    <UnstyledButton fz="inherit" fw="inherit" className="sort-button" onClick={() => onSort(now === `-${column}` ? column : `-${column}`)}>
      {name}
    </UnstyledButton>
  );
}
