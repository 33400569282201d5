import { Button, Menu, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CaseDetail } from '../../../domain/case/case.js';
import { buildUrl } from '../../api.js';
import { FieldsModal, field, REASON } from '../../components/fields-modal.js';
import type { Field } from '../../components/schema.js';
import { VERDICTS } from '../../options.js';
import { actOnCase, type CaseAction, updateCase } from '../../queries/cases.js';
import { peopleQuery } from '../../queries/organization-settings.js';
import { useIsAdmin, useSession } from '../../session.js';
import { CloseMenu } from './close-menu.js';

export function CaseActions({ found }: { found: CaseDetail }) {
  const [action, setAction] = useState<CaseAction | null>(null);
  const { name } = useSession();
  const params = { path: { case_id: found.case_id } };
  const update = useMutation({
    ...updateCase(found.case_id),
    onError: (error) => notifications.show({ title: 'Could not update the case', message: error.message, color: 'red' }),
  });
  const isAdmin = useIsAdmin();
  const isMerged = found.merged_into !== null;
  const canTake = found.assignee !== name && !isMerged;
  const take = () => update.mutate({ assignee: name, status: nextStatus(found) });
  useHotkeys([['A', () => canTake && take()]]);
  return (
    <>
      {canTake && (
        <Button size="xs" variant="default" loading={update.isPending} onClick={take} aria-keyshortcuts="A">
          Assign to me
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {['markdown', 'json', 'stix'].map((format) => (
            <Menu.Item key={format} component="a" href={buildUrl('/cases/{case_id}/export', { ...params, query: { format } })} download>
              {format === 'stix' ? 'STIX 2.1' : format === 'json' ? 'JSON' : 'Markdown'}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {found.status !== 'closed' && !isMerged && (
        <CloseMenu isPending={update.isPending} onClose={(classification) => update.mutate({ classification })} />
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isMerged ? (
            <Menu.Item onClick={() => setAction('unmerge')}>Undo merge…</Menu.Item>
          ) : (
            <>
              <Menu.Item onClick={() => setAction('rename')}>Rename…</Menu.Item>
              <Menu.Item onClick={() => setAction('assign')}>Assign…</Menu.Item>
              <Menu.Item onClick={() => setAction('verdict')}>Set analyst verdict…</Menu.Item>
              <Menu.Item onClick={() => setAction('merge')}>Merge into another case…</Menu.Item>
              {found.status === 'closed' ? (
                <Menu.Item onClick={() => update.mutate({ status: 'open' })}>Reopen</Menu.Item>
              ) : (
                <Menu.Item onClick={() => setAction('close')}>Close without classification…</Menu.Item>
              )}
            </>
          )}
          {found.legal_hold === null && <Menu.Item onClick={() => setAction('hold')}>Place legal hold…</Menu.Item>}
          {found.legal_hold !== null && isAdmin && <Menu.Item onClick={() => setAction('release')}>Release legal hold…</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {action !== null && <ActionDialog action={action} found={found} onClose={() => setAction(null)} />}
    </>
  );
}

/** Assigning an open case also starts work on it. */
function nextStatus({ status }: CaseDetail): CaseDetail['status'] {
  return status === 'open' ? 'in_progress' : status;
}

const BUTTONS: Readonly<Record<CaseAction, string>> = {
  rename: 'Rename',
  assign: 'Assign',
  close: 'Close case',
  verdict: 'Set verdict',
  merge: 'Merge',
  unmerge: 'Undo merge',
  hold: 'Place hold',
  release: 'Release hold',
};

interface Form {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly note?: ReactNode;
}

function createForm(action: CaseAction, people: readonly string[]): Form {
  switch (action) {
    case 'rename':
      return { title: 'Rename case', fields: [field('title', 'Title')] };
    case 'assign':
      return {
        title: 'Assign case',
        fields: [
          field('assignee', 'Assignee', {
            help: 'Clear it to unassign the case.',
            required: false,
            schema: { enum: people, format: 'person' },
          }),
        ],
      };
    case 'verdict':
      return { title: 'Set analyst verdict', fields: [field('verdict', 'Verdict', { schema: { enum: VERDICTS } }), REASON] };
    case 'close':
      return { title: 'Close case', fields: [REASON] };
    case 'merge':
      return {
        title: 'Merge into another case',
        fields: [
          field('into', 'Case', {
            help: 'Such as DEMO-CASE-1. All alerts move to that case, and this one closes. You can undo the merge.',
          }),
          REASON,
        ],
      };
    case 'unmerge':
      return { title: 'Undo merge', fields: [REASON], note: 'Moves the alerts back and restores this case.' };
    case 'hold':
      return { title: 'Place legal hold', fields: [REASON], note: "The service keeps this case's data until an admin releases the hold." };
    case 'release':
      return { title: 'Release legal hold', fields: [REASON], note: "The organization's retention rules apply to this case again." };
  }
}

function ActionDialog({ action, found, onClose }: { action: CaseAction; found: CaseDetail; onClose: () => void }) {
  const { data: people = [] } = useQuery(peopleQuery(found.organization_code));
  const { title, fields, note } = createForm(action, people);
  return (
    <FieldsModal
      title={title}
      action={BUTTONS[action]}
      fields={fields}
      initial={{ title: found.title, assignee: found.assignee, verdict: found.verdict ?? 'inconclusive' }}
      change={actOnCase(found.case_id, action)}
      onClose={onClose}
    >
      {note !== undefined && <Text size="sm">{note}</Text>}
    </FieldsModal>
  );
}
