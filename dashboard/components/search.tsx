import { ActionIcon, Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';

/** Loaded with the first search, so that no page waits for it. */
const SearchDialog = lazy(async () => ({ default: (await import('./search/dialog.js')).SearchDialog }));

/** The search over all records. Ctrl+K opens it on every page, and `/` outside of a field. */
export function Search() {
  const [timesOpened, setTimesOpened] = useState(0);
  const open = () => setTimesOpened((times) => times + 1);
  useHotkeys([['mod+K', open]], []);
  useHotkeys([['/', open]]);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        onClick={open}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={<kbd>Ctrl K</kbd>}
        aria-keyshortcuts="Control+K"
      >
        Search
      </Button>
      <ActionIcon variant="subtle" color="gray" hiddenFrom="sm" onClick={open} aria-label="Search">
        <IconSearch size={18} stroke={1.7} />
      </ActionIcon>
      {timesOpened > 0 && (
        <Suspense fallback={null}>
          <SearchDialog timesOpened={timesOpened} />
        </Suspense>
      )}
    </>
  );
}
