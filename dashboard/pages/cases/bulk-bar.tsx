import { Button, Group, Paper, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { CLASSIFICATION_LABELS } from '../../../domain/case/classification.js';
import type { CaseChange } from '../../../services/cases/wire.js';
import { loadStyled } from '../../load-styled.js';
import { useSession } from '../../session.js';
import { CloseMenu } from '../case/close-menu.js';
import type { BulkAction } from './bulk-dialog.js';

const BulkDialog = lazy(() => loadStyled(() => import('./bulk-dialog.js')).then((module) => ({ default: module.BulkDialog })));

const DIALOGS: readonly (readonly [BulkAction, string])[] = [
  ['assign', 'Assign…'],
  ['tag', 'Tag…'],
  ['merge', 'Merge…'],
  ['investigate', 'Investigate again…'],
];

/** The actions on the selected cases. */
export function BulkBar(props: {
  caseIds: readonly string[];
  isRunning: boolean;
  onStart: (title: string, changes: readonly CaseChange[]) => void;
  onClear: () => void;
}) {
  const { caseIds, isRunning, onStart, onClear } = props;
  const [action, setAction] = useState<BulkAction | null>(null);
  const { name } = useSession();
  const update = (title: string, given: CaseChange['update']) =>
    onStart(
      title,
      caseIds.map((case_id) => ({ case_id, update: given })),
    );
  return (
    <Paper withBorder p="xs" role="region" aria-label="Actions on the selected cases">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {caseIds.length} selected
        </Text>
        <CloseMenu
          isPending={isRunning}
          onClose={(classification) => update(`Close as ${CLASSIFICATION_LABELS[classification].toLowerCase()}`, { classification })}
        />
        <Button size="xs" variant="default" disabled={isRunning} onClick={() => update('Assign to me', { assignee: name })}>
          Assign to me
        </Button>
        {DIALOGS.map(([each, label]) => (
          <Button
            key={each}
            size="xs"
            variant="default"
            disabled={isRunning || (each === 'merge' && caseIds.length < 2)}
            onClick={() => setAction(each)}
          >
            {label}
          </Button>
        ))}
        <Button size="xs" variant="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
      {action !== null && (
        <Suspense>
          <BulkDialog
            action={action}
            caseIds={caseIds}
            onClose={() => setAction(null)}
            onStart={(title, changes) => {
              setAction(null);
              onStart(title, changes);
            }}
          />
        </Suspense>
      )}
    </Paper>
  );
}
