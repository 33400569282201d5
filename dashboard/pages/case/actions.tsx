import { Button, Group, Menu, Select, Stack, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseDetail } from '../../../domain/case/case.js';
import type { Verdict } from '../../../domain/verdict/evidence.js';
import type { UpdateCase } from '../../../services/cases/wire.js';
import { api, buildUrl, pickOption, unwrap } from '../../api.js';
import { Dialog } from '../../components/dialog.js';
import { ReasonField } from '../../components/reason-field.js';
import { ErrorState } from '../../components/states.js';
import { useIsAdmin, useSession } from '../../session.js';
import { AssigneeField } from './assignee-field.js';
import { CloseMenu } from './close-menu.js';

type Action = 'rename' | 'assign' | 'close' | 'verdict' | 'merge' | 'unmerge' | 'hold' | 'release';
const VERDICTS: readonly Verdict[] = ['malicious', 'suspicious', 'inconclusive', 'benign'];

export function CaseActions({ found }: { found: CaseDetail }) {
  const [action, setAction] = useState<Action | null>(null);
  const { name } = useSession();
  const queryClient = useQueryClient();
  const params = { path: { case_id: found.case_id } };
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['cases'] });
  const update = useMutation({
    mutationFn: (body: UpdateCase) => unwrap(api.PATCH('/cases/{case_id}', { params, body })),
    onError: (error) => notifications.show({ title: 'Could not update the case', message: error.message, color: 'red' }),
    onSettled: refresh,
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
      {action !== null && <ActionDialog action={action} found={found} onDone={() => setAction(null)} refresh={refresh} />}
    </>
  );
}

/** Assigning an open case also starts work on it. */
function nextStatus({ status }: CaseDetail): CaseDetail['status'] {
  return status === 'open' ? 'in_progress' : status;
}

const TITLES: Readonly<Record<Action, string>> = {
  rename: 'Rename case',
  assign: 'Assign case',
  close: 'Close case',
  verdict: 'Set analyst verdict',
  merge: 'Merge into another case',
  unmerge: 'Undo merge',
  hold: 'Place legal hold',
  release: 'Release legal hold',
};

const BUTTONS: Readonly<Record<Action, string>> = {
  rename: 'Rename',
  assign: 'Assign',
  close: 'Close case',
  verdict: 'Set verdict',
  merge: 'Merge',
  unmerge: 'Undo merge',
  hold: 'Place hold',
  release: 'Release hold',
};

function readInitialValue(action: Action, { verdict, assignee, title }: CaseDetail): string {
  if (action === 'verdict') return verdict ?? 'inconclusive';
  if (action === 'assign') return assignee ?? '';
  return action === 'rename' ? title : '';
}

function ActionDialog(props: { action: Action; found: CaseDetail; onDone: () => void; refresh: () => Promise<unknown> }) {
  const { action, found, onDone, refresh } = props;
  const params = { path: { case_id: found.case_id } };
  const [value, setValue] = useState(readInitialValue(action, found));
  const [reason, setReason] = useState('');
  const send = useMutation({
    mutationFn: async (): Promise<unknown> => {
      const update = (body: UpdateCase) => unwrap(api.PATCH('/cases/{case_id}', { params, body }));
      if (action === 'rename') return update({ title: value.trim() });
      if (action === 'assign') return update({ assignee: value.trim() || null });
      if (action === 'verdict') return update({ analyst_verdict: { verdict: pickOption(VERDICTS, value) ?? 'inconclusive', reason } });
      if (action === 'close') return update({ status: 'closed', comment: reason });
      if (action === 'merge') return unwrap(api.POST('/cases/{case_id}/merge', { params, body: { into: value.trim(), reason } }));
      if (action === 'hold') return unwrap(api.POST('/cases/{case_id}/legal-hold', { params, body: { reason } }));
      if (action === 'release') return unwrap(api.POST('/cases/{case_id}/legal-hold/release', { params, body: { reason } }));
      return unwrap(api.POST('/cases/{case_id}/unmerge', { params, body: { reason } }));
    },
    async onSuccess() {
      await refresh();
      onDone();
    },
  });
  const needsReason = action !== 'assign' && action !== 'rename';
  return (
    <Dialog onClose={onDone} title={TITLES[action]}>
      <Stack>
        {action === 'rename' && (
          <TextInput label="Title" value={value} onChange={({ currentTarget }) => setValue(currentTarget.value)} data-autofocus />
        )}
        {action === 'assign' && <AssigneeField organizationCode={found.organization_code} value={value} onChange={setValue} />}
        {action === 'verdict' && (
          <Select label="Verdict" data={VERDICTS} value={value} onChange={(chosen) => setValue(chosen ?? value)} allowDeselect={false} />
        )}
        {action === 'merge' && (
          <TextInput
            label="Case"
            description="Moves all alerts to that case and closes this one. You can undo the merge."
            placeholder="DEMO-CASE-1"
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            data-autofocus
          />
        )}
        {action === 'unmerge' && <Text size="sm">Moves the alerts back and restores this case.</Text>}
        {action === 'hold' && <Text size="sm">The service does not delete the data of this case until an admin releases the hold.</Text>}
        {action === 'release' && <Text size="sm">The retention rules of the organization apply to this case again.</Text>}
        {needsReason && <ReasonField value={reason} onChange={setReason} required />}
        {send.error && <ErrorState error={send.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button loading={send.isPending} disabled={needsReason && reason.trim() === ''} onClick={() => send.mutate()}>
            {BUTTONS[action]}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
