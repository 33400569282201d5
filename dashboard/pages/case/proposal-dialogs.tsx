import { Alert, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Proposal } from '../../../domain/response/proposal.js';
import { listUncounted } from '../../../domain/response/proposal-result.js';
import { FieldsModal, field, REASON } from '../../components/fields-modal.js';
import { approveProposal, endProposal, reconfirmProposal } from '../../queries/proposals.js';
import { useSession } from '../../session.js';

const HOURS = { required: false, schema: { type: 'integer', minimum: 1, maximum: 720 } };

/** `isLinked`: the person followed the link of a message, so the dialog opens at once. */
export function DecideProposal({ proposal, stop, isLinked }: { proposal: Proposal; stop: string | null; isLinked: boolean }) {
  const [decision, setDecision] = useState<'approve' | 'refuse' | null>(isLinked && proposal.state === 'waiting' ? 'approve' : null);
  const close = () => setDecision(null);
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
      {decision === 'approve' && (
        <FieldsModal
          title="Approve this action?"
          action="Approve"
          color="red"
          fields={[
            { ...REASON, required: false },
            ...(proposal.undoable
              ? [
                  field('release_after_hours', 'Release after (hours)', {
                    ...HOURS,
                    help: 'The service then undoes the action, unless a person reconfirms it. Leave blank to keep it in place.',
                  }),
                ]
              : []),
          ]}
          initial={{ release_after_hours: proposal.release_after_hours }}
          change={approveProposal(proposal.proposal_id)}
          onClose={close}
        >
          <Subject proposal={proposal} stop={stop} />
          <Uncounted proposal={proposal} />
          <Text size="sm">{describeApproval(proposal)}</Text>
        </FieldsModal>
      )}
      {decision === 'refuse' && (
        <FieldsModal
          title="Refuse this action?"
          action="Refuse"
          fields={[REASON]}
          change={endProposal(proposal.proposal_id, 'refuse')}
          onClose={close}
        >
          <Subject proposal={proposal} stop={null} />
          <Text size="sm">The service does not send it and does not propose it again for this alert.</Text>
        </FieldsModal>
      )}
    </>
  );
}

/** Why approvals do not count: those of earlier decisions, and the one that the person is about to give. */
function Uncounted({ proposal }: { proposal: Proposal }) {
  const { approvals_not_counted: own } = useSession();
  const reasons = [
    ...listUncounted(proposal),
    ...(own === null || !proposal.needs_two_people ? [] : [`Your approval does not count as one of two people. ${own}`]),
  ];
  if (reasons.length === 0) return null;
  return (
    <Alert color="orange" variant="light" title="Needs two people" role="status">
      {reasons.map((reason) => (
        <Text key={reason} size="sm" className="breakable">
          {reason}
        </Text>
      ))}
    </Alert>
  );
}

function describeApproval({ connection, touches, approvals_needed, approvals_given }: Proposal): string {
  const missing = approvals_needed - approvals_given;
  if (missing > 1) return `Needs ${missing} more approvals, including yours. The service sends nothing before that.`;
  const affected = touches === null ? [] : [...touches.hosts, ...touches.users];
  const named = affected.length === 0 ? '' : ` It affects ${affected.slice(0, 10).join(', ')}.`;
  return `The service sends it to ${connection} now, once.${named}`;
}

/** Undoes the action without waiting for its time. */
export function ReleaseNow({ proposal, stop }: { proposal: Proposal; stop: string | null }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Release now
      </Button>
      {isOpen && (
        <FieldsModal
          title="Undo this action now?"
          action="Release now"
          fields={[REASON]}
          change={endProposal(proposal.proposal_id, 'release')}
          onClose={close}
        >
          <Subject proposal={proposal} stop={stop} />
          <Uncounted proposal={proposal} />
          <Text size="sm">
            {proposal.needs_two_people && proposal.release_requested_by === null
              ? `Two people must end this action early. The service undoes it on ${proposal.connection} when another person does the same within 24 hours.`
              : `The service undoes the action on ${proposal.connection} at once.`}
          </Text>
        </FieldsModal>
      )}
    </>
  );
}

/** Postpones or cancels the scheduled undo. */
export function ReconfirmUndo({ proposalId }: { proposalId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Reconfirm
      </Button>
      {isOpen && (
        <FieldsModal
          title="Keep the action in place"
          action="Reconfirm"
          fields={[field('hours', 'Hours from now', { ...HOURS, help: 'Leave blank to keep it in place.' }), REASON]}
          initial={{ hours: 24 }}
          change={reconfirmProposal(proposalId)}
          onClose={close}
        />
      )}
    </>
  );
}

function Subject({ proposal, stop }: { proposal: Proposal; stop: string | null }) {
  return (
    <>
      <Text fw={600} className="breakable">
        {proposal.sentence}
      </Text>
      {stop !== null && (
        <Alert color="red" variant="light" title="All changes are stopped">
          <Text size="sm" className="breakable">
            {stop} The service holds this action until an admin resumes changes.
          </Text>
        </Alert>
      )}
    </>
  );
}
