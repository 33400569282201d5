import { Button, Popover } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { ColumnChoice } from './column-boxes.js';
import type { Column } from './data-table.js';

/** The columns that the user shows, in the order of the list. The browser remembers the hidden ones. */
export function useShownColumns<Row>(list: string, columns: readonly Column<Row>[], hiddenAtFirst: readonly string[] = []) {
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: `hidden-columns-${list}`,
    defaultValue: hiddenAtFirst,
    getInitialValueInEffect: false,
  });
  // The first column has the link of the row.
  const shown = columns.filter(({ title }, index) => index === 0 || !hidden.includes(title));
  return { shown, hidden, setHidden };
}

const ColumnBoxes = lazy(() => import('./column-boxes.js').then((module) => ({ default: module.ColumnBoxes })));

export function ColumnChooser({ headers, hidden, onChange }: ColumnChoice) {
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Suspense>
          <ColumnBoxes headers={headers} hidden={hidden} onChange={onChange} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
