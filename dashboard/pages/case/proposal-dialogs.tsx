import { Alert, Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Proposal } from '../../../domain/response/proposal.js';
import { api, unwrap } from '../../api.js';
import { Dialog } from '../../components/dialog.js';
import { ReasonField } from '../../components/reason-field.js';
import { ErrorState } from '../../components/states.js';

function useProposalChange<Change>(change: (body: Change) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: ['cases'] }), queryClient.invalidateQueries({ queryKey: ['proposals'] })]),
  });
}

/** `isLinked`: the person followed the link of a message, so the dialog opens at once. */
export function DecideProposal({ proposal, stop, isLinked }: { proposal: Proposal; stop: string | null; isLinked: boolean }) {
  const [decision, setDecision] = useState<'approve' | 'refuse' | null>(isLinked && proposal.state === 'waiting' ? 'approve' : null);
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState<number | string>(proposal.release_after_hours ?? '');
  const params = { path: { proposal_id: proposal.proposal_id } };
  const decide = useProposalChange((chosen: 'approve' | 'refuse') => {
    if (chosen === 'refuse') return unwrap(api.POST('/proposals/{proposal_id}/refuse', { params, body: { reason } }));
    const release = proposal.undoable && typeof hours === 'number' ? { release_after_hours: hours } : {};
    const body = { ...(reason.trim() === '' ? {} : { reason }), ...release };
    return unwrap(api.POST('/proposals/{proposal_id}/approve', { params, body }));
  });
  const send = () => decide.mutate(decision ?? 'refuse', { onSuccess: () => setDecision(null) });
  return (
    <>
      {proposal.state === 'waiting' && (
        <Button size="xs" color="red" onClick={() => setDecision('approve')}>
          Approve
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setDecision('refuse')}>
        Refuse
      </Button>
      <Dialog
        opened={decision !== null}
        onClose={() => setDecision(null)}
        title={decision === 'approve' ? 'Approve this action?' : 'Refuse this action?'}
      >
        <Stack>
          <Subject proposal={proposal} />
          {decision === 'approve' && stop !== null && <Stopped stop={stop} />}
          <Text size="sm">
            {decision === 'approve'
              ? describeApproval(proposal)
              : 'The service does not send it and does not propose it again for this alert.'}
          </Text>
          <ReasonField value={reason} onChange={setReason} required={decision === 'refuse'} />
          {decision === 'approve' && proposal.undoable && (
            <NumberInput
              label="Release after (hours)"
              description="The service then undoes the action, unless a person reconfirms it. Leave blank to keep it in place."
              min={1}
              max={720}
              value={hours}
              onChange={setHours}
            />
          )}
          {decide.error && <ErrorState error={decide.error} />}
          <DialogButtons onCancel={() => setDecision(null)}>
            <Button
              color={decision === 'approve' ? 'red' : 'blue'}
              disabled={decision === 'refuse' && reason.trim() === ''}
              loading={decide.isPending}
              onClick={send}
            >
              {decision === 'approve' ? 'Approve' : 'Refuse'}
            </Button>
          </DialogButtons>
        </Stack>
      </Dialog>
    </>
  );
}

function describeApproval({ connection, touches, approvals_needed, decisions }: Proposal): string {
  const missing = approvals_needed - decisions.filter(({ decision }) => decision === 'approve').length;
  if (missing > 1) return `Needs ${missing} more approvals, including yours. The service sends nothing before that.`;
  const affected = touches === null ? [] : [...touches.hosts, ...touches.users];
  const named = affected.length === 0 ? '' : ` It affects ${affected.slice(0, 10).join(', ')}.`;
  return `The service sends it to ${connection} now, once.${named}`;
}

/** Undoes the action without waiting for its time. */
export function ReleaseNow({ proposal, stop }: { proposal: Proposal; stop: string | null }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const params = { path: { proposal_id: proposal.proposal_id } };
  const release = useProposalChange(() => unwrap(api.POST('/proposals/{proposal_id}/release', { params, body: { reason } })));
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Release now
      </Button>
      <Dialog opened={opened} onClose={close} title="Undo this action now?">
        <Stack>
          <Subject proposal={proposal} />
          {stop !== null && <Stopped stop={stop} />}
          <Text size="sm">The service undoes the action on {proposal.connection} at once.</Text>
          <ReasonField value={reason} onChange={setReason} required />
          {release.error && <ErrorState error={release.error} />}
          <DialogButtons onCancel={close}>
            <Button
              disabled={reason.trim() === ''}
              loading={release.isPending}
              onClick={() => release.mutate(undefined, { onSuccess: close })}
            >
              Release now
            </Button>
          </DialogButtons>
        </Stack>
      </Dialog>
    </>
  );
}

/** Postpones or cancels the scheduled undo. */
export function ReconfirmUndo({ proposalId }: { proposalId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [hours, setHours] = useState<number | string>(24);
  const [reason, setReason] = useState('');
  const reconfirm = useProposalChange((body: { hours: number | null; reason: string }) =>
    unwrap(api.POST('/proposals/{proposal_id}/reconfirm', { params: { path: { proposal_id: proposalId } }, body })),
  );
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Reconfirm
      </Button>
      <Dialog opened={opened} onClose={close} title="Keep the action in place">
        <Stack>
          <NumberInput
            label="Hours from now"
            description="Leave blank to keep it in place."
            min={1}
            max={720}
            value={hours}
            onChange={setHours}
          />
          <ReasonField value={reason} onChange={setReason} required />
          {reconfirm.error && <ErrorState error={reconfirm.error} />}
          <DialogButtons onCancel={close}>
            <Button
              disabled={reason.trim() === ''}
              loading={reconfirm.isPending}
              onClick={() => reconfirm.mutate({ hours: typeof hours === 'number' ? hours : null, reason }, { onSuccess: close })}
            >
              Reconfirm
            </Button>
          </DialogButtons>
        </Stack>
      </Dialog>
    </>
  );
}

function Subject({ proposal }: { proposal: Proposal }) {
  return (
    <Text fw={600} className="breakable">
      {proposal.sentence}
    </Text>
  );
}

function Stopped({ stop }: { stop: string }) {
  return (
    <Alert color="red" variant="light" title="All changes are stopped">
      <Text size="sm" className="breakable">
        {stop} The service holds this action until an admin resumes changes.
      </Text>
    </Alert>
  );
}

function DialogButtons({ onCancel, children }: { onCancel: () => void; children: ReactNode }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      {children}
    </Group>
  );
}
