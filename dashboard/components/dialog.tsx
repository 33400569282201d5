import { Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';
import { getLastFocused } from '../last-focus.js';

/** The library returns the focus only from dialogs that exist before they open. Ours often exist only while they are open. */
export function Dialog({ opened = true, ...props }: Omit<ModalProps, 'opened'> & { opened?: boolean }) {
  useEffect(() => {
    if (!opened) return;
    const opener = getLastFocused();
    return () => returnFocus(opener);
  }, [opened]);
  return <Modal opened={opened} returnFocus={false} {...props} />;
}

/** If the action of the dialog removed its opener, the content of the page takes the focus. */
function returnFocus(opener: HTMLElement | null): void {
  const { activeElement } = document;
  const isElsewhere = activeElement !== null && activeElement !== document.body && activeElement.closest('[role=dialog]') === null;
  if (isElsewhere) return;
  opener?.focus();
  if (document.activeElement !== opener) document.getElementById('content')?.focus();
}
