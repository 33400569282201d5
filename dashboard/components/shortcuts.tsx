import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { loadStyled } from '../load-styled.js';

const ShortcutList = lazy(() => loadStyled(() => import('./shortcut-list.js')).then((module) => ({ default: module.ShortcutList })));

/** The list of keyboard shortcuts. `?` opens it on every page. */
export function Shortcuts() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([['shift+?', open]]);
  if (!isOpen) return null;
  return (
    <Suspense>
      <ShortcutList onClose={close} />
    </Suspense>
  );
}
