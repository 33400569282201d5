import { Button, Group, Menu, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseDetail } from '../../../domain/case/case.js';
import type { Verdict } from '../../../domain/case/evidence.js';
import { api, buildPath } from '../../api.js';
import { ErrorState } from '../../components/states.js';
import { useSession } from '../../session.js';

type Question = 'assign' | 'close' | 'verdict' | 'merge' | 'unmerge';
const VERDICTS: readonly Verdict[] = ['malicious', 'suspicious', 'inconclusive', 'benign'];

/** What a person can do with a case. */
export function CaseActions({ found }: { found: CaseDetail }) {
  const [question, ask] = useState<Question | null>(null);
  const { name } = useSession();
  const queryClient = useQueryClient();
  const path = `/cases/${encodeURIComponent(found.case_id)}`;
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['cases'] });
  const update = useMutation({
    mutationFn: (body: object) => api.patch<CaseDetail>(path, body),
    onError: (error) => notifications.show({ title: 'The case was not changed', message: error.message, color: 'red' }),
    onSettled: refresh,
  });
  const isMerged = found.merged_into !== null;
  return (
    <>
      {found.assignee !== name && !isMerged && (
        <Button
          size="xs"
          variant="default"
          loading={update.isPending}
          onClick={() => update.mutate({ assignee: name, status: openedBy(found) })}
        >
          Take it
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
            <Menu.Item key={format} component="a" href={buildPath(`${path}/export`, { format })} download>
              {format === 'stix' ? 'STIX 2.1' : format === 'json' ? 'JSON' : 'Markdown'}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" rightSection={<IconChevronDown size={14} aria-hidden />}>
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isMerged ? (
            <Menu.Item onClick={() => ask('unmerge')}>Undo the merge …</Menu.Item>
          ) : (
            <>
              <Menu.Item onClick={() => ask('assign')}>Assign …</Menu.Item>
              <Menu.Item onClick={() => ask('verdict')}>Give your own verdict …</Menu.Item>
              <Menu.Item onClick={() => ask('merge')}>Merge into another case …</Menu.Item>
              {found.status === 'closed' ? (
                <Menu.Item onClick={() => update.mutate({ status: 'open' })}>Open again</Menu.Item>
              ) : (
                <Menu.Item onClick={() => ask('close')}>Close …</Menu.Item>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {question !== null && <Answer question={question} found={found} path={path} onDone={() => ask(null)} refresh={refresh} />}
    </>
  );
}

/** Whoever takes an open case works on it. */
function openedBy({ status }: CaseDetail): CaseDetail['status'] {
  return status === 'open' ? 'in_progress' : status;
}

const TITLES: Readonly<Record<Question, string>> = {
  assign: 'Assign the case',
  close: 'Close the case',
  verdict: 'Your own verdict',
  merge: 'Merge into another case',
  unmerge: 'Undo the merge',
};

function Answer(props: { question: Question; found: CaseDetail; path: string; onDone: () => void; refresh: () => Promise<unknown> }) {
  const { question, found, path, onDone, refresh } = props;
  const [value, setValue] = useState(
    question === 'verdict' ? (found.verdict ?? 'inconclusive') : question === 'assign' ? (found.assignee ?? '') : '',
  );
  const [reason, setReason] = useState('');
  const send = useMutation({
    mutationFn: () => {
      if (question === 'assign') return api.patch(path, { assignee: value.trim() || null });
      if (question === 'verdict') return api.patch(path, { analyst_verdict: { verdict: value, reason } });
      if (question === 'close') return api.patch(path, { status: 'closed', comment: reason });
      if (question === 'merge') return api.post(`${path}/merge`, { into: value.trim(), reason });
      return api.post(`${path}/unmerge`, { reason });
    },
    async onSuccess() {
      await refresh();
      onDone();
    },
  });
  const needsReason = question !== 'assign';
  return (
    <Modal opened onClose={onDone} title={TITLES[question]}>
      <Stack>
        {question === 'assign' && (
          <TextInput
            label="To"
            description="Empty: nobody."
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            data-autofocus
          />
        )}
        {question === 'verdict' && (
          <Select label="Verdict" data={VERDICTS} value={value} onChange={(chosen) => setValue(chosen ?? value)} allowDeselect={false} />
        )}
        {question === 'merge' && (
          <TextInput
            label="Case"
            description="It takes all alerts of this one, which is closed. The merge can be undone."
            placeholder="DEMO-CASE-1"
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            data-autofocus
          />
        )}
        {question === 'unmerge' && <Text size="sm">Its alerts come back, and it stands as it did before the merge.</Text>}
        {needsReason && (
          <Textarea
            label="Reason"
            required
            autosize
            minRows={2}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
        {send.error && <ErrorState error={send.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button loading={send.isPending} disabled={needsReason && reason.trim() === ''} onClick={() => send.mutate()}>
            {question === 'close' ? 'Close the case' : 'Save'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
