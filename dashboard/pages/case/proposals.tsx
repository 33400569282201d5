import { Alert, Badge, Button, Card, Code, Group, Modal, NumberInput, Stack, Table, Text, Textarea, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Proposal, ProposalState } from '../../../domain/response/proposal.js';
import { api } from '../../api.js';
import { ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';

const LABELS: Readonly<Record<ProposalState, { label: string; color: string }>> = {
  waiting: { label: 'waits for a person', color: 'orange' },
  approved: { label: 'approved', color: 'blue' },
  scheduled: { label: 'scheduled', color: 'blue' },
  running: { label: 'under way', color: 'blue' },
  done: { label: 'done', color: 'teal' },
  failed: { label: 'failed', color: 'red' },
  refused: { label: 'refused', color: 'gray' },
  expired: { label: 'expired: nobody approved it', color: 'gray' },
  withdrawn: { label: 'withdrawn', color: 'gray' },
};

/** Writes that the investigation asks for. A person decides; nothing is sent before. */
export function Proposals({ proposals }: { proposals: readonly Proposal[] }) {
  if (proposals.length === 0) return null;
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Proposed actions
      </Title>
      <Stack>
        {proposals.map((proposal) => (
          <OneProposal key={proposal.proposal_id} proposal={proposal} />
        ))}
      </Stack>
    </Card>
  );
}

function OneProposal({ proposal }: { proposal: Proposal }) {
  const { label, color } = LABELS[proposal.state];
  const approvals = proposal.decisions.filter(({ decision }) => decision === 'approve').length;
  const undo = proposal.undo_of !== null;
  return (
    <Card withBorder padding="sm" component="section" aria-label={proposal.skill_id}>
      <Group justify="space-between" align="flex-start">
        <Text fw={600} size="sm">
          {proposal.skill_id} with {proposal.connection}
        </Text>
        <Badge color={color} variant="light" tt="none">
          {label}
        </Badge>
      </Group>
      <Text size="sm" className="breakable">
        {proposal.reason}
      </Text>
      <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} mt={4} fz="sm" aria-label="What is sent">
        <Table.Tbody>
          {Object.entries(proposal.input).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Td w={140} valign="top">
                {name.replaceAll('_', ' ')}
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
          Touches {[...proposal.touches.hosts, ...proposal.touches.users, ...proposal.touches.tags].join(', ') || 'nothing that is named'}
        </Text>
      )}
      {proposal.caution.map((caution) => (
        <Alert key={caution} mt="xs" color="orange" variant="light" title="Two people have to approve it">
          {caution}
        </Alert>
      ))}
      {proposal.held_because !== null && (
        <Alert mt="xs" color="yellow" variant="light" title="Held">
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
            {approvals} of {proposal.approvals_needed} approvals; without them it expires <Time at={proposal.expires_at} />
          </Text>
        )}
        {proposal.run_at !== null && proposal.state === 'scheduled' && (
          <Text size="sm">
            {undo ? 'Undoes the action' : 'Is sent'} <Time at={proposal.run_at} />
          </Text>
        )}
        {proposal.outcome !== null && (
          <Text size="sm" className="breakable">
            {proposal.outcome}
          </Text>
        )}
      </Stack>
      {proposal.state === 'waiting' && <Decide proposal={proposal} />}
      {proposal.state === 'scheduled' && proposal.undo_of !== null && <Reconfirm proposalId={proposal.undo_of} />}
    </Card>
  );
}

function useProposalChange(path: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => api.post<Proposal>(path, body),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: ['cases'] }), queryClient.invalidateQueries({ queryKey: ['proposals'] })]),
  });
}

function Decide({ proposal }: { proposal: Proposal }) {
  const [asked, ask] = useState<'approve' | 'refuse' | null>(null);
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState<number | string>(proposal.release_after_hours ?? '');
  const decide = useProposalChange(`/proposals/${proposal.proposal_id}/${asked ?? 'refuse'}`);
  const send = () =>
    decide.mutate(
      {
        ...(reason.trim() === '' ? {} : { reason }),
        ...(asked === 'approve' && proposal.undoable && typeof hours === 'number' ? { release_after_hours: hours } : {}),
      },
      { onSuccess: () => ask(null) },
    );
  return (
    <>
      <Group gap="xs" mt="sm">
        <Button size="xs" color="red" onClick={() => ask('approve')}>
          Approve
        </Button>
        <Button size="xs" variant="default" onClick={() => ask('refuse')}>
          Refuse
        </Button>
      </Group>
      <Modal
        opened={asked !== null}
        onClose={() => ask(null)}
        title={`${asked === 'approve' ? 'Approve' : 'Refuse'}: ${proposal.skill_id}`}
      >
        <Stack>
          <Text size="sm">
            {asked === 'approve' ? describeApproval(proposal) : 'It is not sent, and not proposed again for this alert.'}
          </Text>
          <Textarea
            label="Reason"
            required={asked === 'refuse'}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            autosize
            minRows={2}
          />
          {asked === 'approve' && proposal.undoable && (
            <NumberInput
              label="Release after"
              description="Hours after which it is undone by itself, unless somebody reconfirms it. Empty: never."
              min={1}
              max={720}
              value={hours}
              onChange={setHours}
            />
          )}
          {decide.error && <ErrorState error={decide.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => ask(null)}>
              Cancel
            </Button>
            <Button
              color={asked === 'approve' ? 'red' : 'blue'}
              disabled={asked === 'refuse' && reason.trim() === ''}
              loading={decide.isPending}
              onClick={send}
            >
              {asked === 'approve' ? 'Approve' : 'Refuse'}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function describeApproval({ skill_id, connection, touches, approvals_needed, decisions }: Proposal): string {
  const missing = approvals_needed - decisions.filter(({ decision }) => decision === 'approve').length;
  const target = touches?.hosts.join(', ') || 'what it names';
  if (missing > 1) return `${missing} people have to approve it; yours is one of them. Nothing is sent before.`;
  return `${skill_id} is sent to ${connection} at once, one time only. It touches ${target}.`;
}

/** An isolation stays: its undoing is moved, or taken away. */
function Reconfirm({ proposalId }: { proposalId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [hours, setHours] = useState<number | string>(24);
  const [reason, setReason] = useState('');
  const reconfirm = useProposalChange(`/proposals/${proposalId}/reconfirm`);
  return (
    <>
      <Button size="xs" variant="default" mt="sm" onClick={open}>
        Reconfirm
      </Button>
      <Modal opened={opened} onClose={close} title="Leave it as it is for longer">
        <Stack>
          <NumberInput label="Hours from now" description="Empty: for good." min={1} max={720} value={hours} onChange={setHours} />
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
