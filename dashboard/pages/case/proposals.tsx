import { Alert, Badge, Button, Card, Code, Group, Modal, NumberInput, Stack, Table, Text, Textarea, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Proposal, ProposalState } from '../../../domain/response/proposal.js';
import { api, unwrap } from '../../api.js';
import { toLabel } from '../../components/schema.js';
import { ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';

const LABELS: Readonly<Record<ProposalState, { label: string; color: string }>> = {
  waiting: { label: 'Needs approval', color: 'orange' },
  approved: { label: 'Approved', color: 'blue' },
  scheduled: { label: 'Scheduled', color: 'blue' },
  running: { label: 'Running', color: 'blue' },
  done: { label: 'Done', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
  refused: { label: 'Refused', color: 'gray' },
  expired: { label: 'Expired', color: 'gray' },
  withdrawn: { label: 'Withdrawn', color: 'gray' },
};

/** Writes that the investigation proposes. The service sends nothing before an approval. */
export function Proposals({ proposals }: { proposals: readonly Proposal[] }) {
  if (proposals.length === 0) return null;
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Proposed actions
      </Title>
      <Stack>
        {proposals.map((proposal) => (
          <ProposalCard key={proposal.proposal_id} proposal={proposal} />
        ))}
      </Stack>
    </Card>
  );
}

function ProposalCard({ proposal }: { proposal: Proposal }) {
  const { label, color } = LABELS[proposal.state];
  const approvals = proposal.decisions.filter(({ decision }) => decision === 'approve').length;
  const isUndo = proposal.undo_of !== null;
  return (
    <Card withBorder padding="sm" component="section" aria-label={proposal.skill_id}>
      <Group justify="space-between" align="flex-start">
        <Text fw={600} size="sm">
          {proposal.skill_id} on {proposal.connection}
        </Text>
        <Badge color={color} variant="light" tt="none">
          {label}
        </Badge>
      </Group>
      <Text size="sm" className="breakable">
        {proposal.reason}
      </Text>
      <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} mt={4} fz="sm" aria-label="Input">
        <Table.Tbody>
          {Object.entries(proposal.input).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Td w={140} valign="top">
                {toLabel(name)}
              </Table.Td>
              <Table.Td>
                <Code className="wrapped">{typeof value === 'string' ? value : JSON.stringify(value)}</Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {proposal.touches && (
        <Text size="sm" mt={4} className="breakable">
          Affects {[...proposal.touches.hosts, ...proposal.touches.users, ...proposal.touches.tags].join(', ') || 'no named asset'}
        </Text>
      )}
      {proposal.caution.map((caution) => (
        <Alert key={caution} mt="xs" color="orange" variant="light" title="Needs two approvals">
          {caution}
        </Alert>
      ))}
      {proposal.held_because !== null && (
        <Alert mt="xs" color="yellow" variant="light" title="On hold">
          {proposal.held_because}
        </Alert>
      )}
      <Stack gap={2} mt="xs">
        {proposal.decisions.map((decision) => (
          <Text key={`${decision.by} ${decision.at}`} size="sm" className="breakable">
            {decision.decision === 'approve' ? 'Approved' : 'Refused'} by {decision.by}
            {decision.reason === null ? '' : `: ${decision.reason}`}, <Time at={decision.at} />
          </Text>
        ))}
        {proposal.state === 'waiting' && (
          <Text size="sm">
            {approvals} of {proposal.approvals_needed} approvals. Expires <Time at={proposal.expires_at} />
          </Text>
        )}
        {proposal.run_at !== null && proposal.state === 'scheduled' && (
          <Text size="sm">
            {isUndo ? 'Undoes the action' : 'Runs'} <Time at={proposal.run_at} />
          </Text>
        )}
        {proposal.outcome !== null && (
          <Text size="sm" className="breakable">
            {proposal.outcome}
          </Text>
        )}
      </Stack>
      {(proposal.state === 'waiting' || proposal.state === 'approved') && <Decide proposal={proposal} />}
      {proposal.state === 'scheduled' && proposal.undo_of !== null && <Reconfirm proposalId={proposal.undo_of} />}
    </Card>
  );
}

function useProposalChange<Change>(change: (body: Change) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: ['cases'] }), queryClient.invalidateQueries({ queryKey: ['proposals'] })]),
  });
}

function Decide({ proposal }: { proposal: Proposal }) {
  const [decision, setDecision] = useState<'approve' | 'refuse' | null>(null);
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
      <Group gap="xs" mt="sm">
        {proposal.state === 'waiting' && (
          <Button size="xs" color="red" onClick={() => setDecision('approve')}>
            Approve
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setDecision('refuse')}>
          Refuse
        </Button>
      </Group>
      <Modal
        opened={decision !== null}
        onClose={() => setDecision(null)}
        title={`${decision === 'approve' ? 'Approve' : 'Refuse'}: ${proposal.skill_id}`}
      >
        <Stack>
          <Text size="sm">
            {decision === 'approve'
              ? describeApproval(proposal)
              : 'The service does not send it and does not propose it again for this alert.'}
          </Text>
          <Textarea
            label="Reason"
            required={decision === 'refuse'}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            autosize
            minRows={2}
          />
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
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setDecision(null)}>
              Cancel
            </Button>
            <Button
              color={decision === 'approve' ? 'red' : 'blue'}
              disabled={decision === 'refuse' && reason.trim() === ''}
              loading={decide.isPending}
              onClick={send}
            >
              {decision === 'approve' ? 'Approve' : 'Refuse'}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function describeApproval({ skill_id, connection, touches, approvals_needed, decisions }: Proposal): string {
  const missing = approvals_needed - decisions.filter(({ decision }) => decision === 'approve').length;
  const target = touches?.hosts.join(', ') || 'the target in its input';
  if (missing > 1) return `Needs ${missing} more approvals, including yours. The service sends nothing before that.`;
  return `The service runs ${skill_id} on ${connection} now, once. It affects ${target}.`;
}

/** Postpones or cancels the scheduled undo. */
function Reconfirm({ proposalId }: { proposalId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [hours, setHours] = useState<number | string>(24);
  const [reason, setReason] = useState('');
  const reconfirm = useProposalChange((body: { hours: number | null; reason: string }) =>
    unwrap(api.POST('/proposals/{proposal_id}/reconfirm', { params: { path: { proposal_id: proposalId } }, body })),
  );
  return (
    <>
      <Button size="xs" variant="default" mt="sm" onClick={open}>
        Reconfirm
      </Button>
      <Modal opened={opened} onClose={close} title="Keep the action in place">
        <Stack>
          <NumberInput
            label="Hours from now"
            description="Leave blank to keep it in place."
            min={1}
            max={720}
            value={hours}
            onChange={setHours}
          />
          <Textarea
            label="Reason"
            required
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            autosize
            minRows={2}
          />
          {reconfirm.error && <ErrorState error={reconfirm.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              disabled={reason.trim() === ''}
              loading={reconfirm.isPending}
              onClick={() => reconfirm.mutate({ hours: typeof hours === 'number' ? hours : null, reason }, { onSuccess: close })}
            >
              Reconfirm
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
