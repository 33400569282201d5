import { Alert, Badge, Button, Card, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Proposal, ProposalState } from '../../../domain/response/proposal.js';
import { describeResult } from '../../../domain/response/proposal-result.js';
import { PageLink } from '../../components/page.js';
import { toLabel } from '../../components/schema.js';
import { Time } from '../../components/time.js';
import { responseQuery } from '../../queries/response.js';
import { DecideProposal, ReconfirmUndo, ReleaseNow } from './proposal-dialogs.js';

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

/** States in which a person or the service still has something to do, the most urgent first. */
const OPEN: readonly ProposalState[] = ['waiting', 'approved', 'running', 'scheduled', 'failed'];

/** Writes that the investigation proposes. The service sends nothing before an approval. */
export function Proposals({ proposals, organizationCode }: { proposals: readonly Proposal[]; organizationCode: string }) {
  if (proposals.length === 0) return null;
  return <ProposalList proposals={proposals} organizationCode={organizationCode} />;
}

function ProposalList({ proposals, organizationCode }: { proposals: readonly Proposal[]; organizationCode: string }) {
  const [showsEnded, { toggle }] = useDisclosure(false);
  const { data: rules } = useQuery(responseQuery(organizationCode));
  const stop = rules?.stopped ? `${rules.stopped_by ?? 'An admin'} stopped them: ${rules.stop_reason ?? 'no reason given'}` : null;
  const open = OPEN.flatMap((state) => proposals.filter((proposal) => proposal.state === state));
  const ended = proposals.filter(({ state }) => !OPEN.includes(state));
  const undos = new Map(proposals.flatMap((proposal) => (proposal.undo_of === null ? [] : [[proposal.undo_of, proposal] as const])));
  // The proposal of a message that a person followed.
  const { proposal: linkedId } = useSearch({ from: '/inside/cases/$caseId' });
  const linked = proposals.find((proposal) => proposal.proposal_id === linkedId) ?? null;
  // A done action that the service can end stays in view.
  const shown = [...open, ...ended.filter((proposal) => proposal.state === 'done' || open.length === 0 || proposal === linked)];
  const hidden = ended.filter((proposal) => !shown.includes(proposal));
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Proposed actions
      </Title>
      <Stack>
        {stop !== null && (
          <Alert color="red" variant="light" title="All changes are stopped" role="status">
            <Text size="sm" className="breakable">
              {stop} The service sends an approved action when an admin resumes changes in{' '}
              <PageLink to="/settings" size="sm">
                Settings
              </PageLink>
              .
            </Text>
          </Alert>
        )}
        {linked !== null && linked.state !== 'waiting' && <AlreadyDecided proposal={linked} />}
        {shown.map((proposal) => (
          <ProposalCard
            key={proposal.proposal_id}
            proposal={proposal}
            undo={undos.get(proposal.proposal_id) ?? null}
            stop={stop}
            isLinked={proposal === linked}
          />
        ))}
        {hidden.length > 0 && (
          <Button variant="subtle" size="xs" onClick={toggle} aria-expanded={showsEnded}>
            {showsEnded ? 'Hide' : 'Show'} {hidden.length} ended {hidden.length === 1 ? 'action' : 'actions'}
          </Button>
        )}
        {showsEnded &&
          hidden.map((proposal) => (
            <ProposalCard key={proposal.proposal_id} proposal={proposal} undo={undos.get(proposal.proposal_id) ?? null} stop={stop} />
          ))}
      </Stack>
    </Card>
  );
}

/** For a person who followed a link after the decision. */
function AlreadyDecided({ proposal }: { proposal: Proposal }) {
  return (
    <Alert color="gray" variant="light" title="This action no longer waits for approval" role="status">
      <Text size="sm" className="breakable">
        {proposal.sentence}: {describeResult(proposal)}
      </Text>
    </Alert>
  );
}

interface CardProps {
  readonly proposal: Proposal;
  readonly undo: Proposal | null;
  readonly stop: string | null;
  readonly isLinked?: boolean;
}

function ProposalCard({ proposal, undo, stop, isLinked = false }: CardProps) {
  const { label, color } = LABELS[proposal.state];
  const canRelease = proposal.state === 'done' && proposal.undoable && (undo === null || undo.state === 'withdrawn');
  return (
    <Card withBorder padding="sm" component="section" aria-label={proposal.sentence}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Text fw={600} size="sm" className="breakable">
          {proposal.sentence}
        </Text>
        <Badge color={color} variant="light" tt="none" style={{ flexShrink: 0 }}>
          {label}
        </Badge>
      </Group>
      <Text size="sm" className="breakable">
        {proposal.reason}
      </Text>
      <AffectedAssets proposal={proposal} />
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
            {decision.not_counted === null ? '' : ` (does not count: ${decision.not_counted})`}
          </Text>
        ))}
        {proposal.state === 'waiting' && (
          <Text size="sm">
            {proposal.approvals_given} of {proposal.approvals_needed} approvals. Expires <Time at={proposal.expires_at} />
          </Text>
        )}
        {proposal.run_at !== null && proposal.state === 'scheduled' && (
          <Text size="sm">
            {proposal.undo_of === null ? 'Runs' : 'Undoes the action'} <Time at={proposal.run_at} />
          </Text>
        )}
        {proposal.release_requested_by !== null && (
          <Text size="sm">{proposal.release_requested_by} asked to release it now. Another person has to do the same.</Text>
        )}
        {proposal.outcome !== null && (
          <Text size="sm" className="breakable">
            {proposal.outcome}
          </Text>
        )}
      </Stack>
      <Request proposal={proposal} />
      <Group gap="xs" mt="sm">
        {(proposal.state === 'waiting' || proposal.state === 'approved') && (
          <DecideProposal proposal={proposal} stop={stop} isLinked={isLinked} />
        )}
        {proposal.state === 'scheduled' && proposal.undo_of !== null && (
          <>
            <ReleaseNow proposal={proposal} stop={stop} />
            <ReconfirmUndo proposalId={proposal.undo_of} />
          </>
        )}
        {canRelease && <ReleaseNow proposal={proposal} stop={stop} />}
      </Group>
    </Card>
  );
}

const MAX_NAMED = 10;

function AffectedAssets({ proposal: { touches } }: { proposal: Proposal }) {
  if (touches === null)
    return (
      <Text size="sm" mt={4}>
        Affects assets that the service could not determine.
      </Text>
    );
  const kinds = [
    ['host', touches.hosts],
    ['user', touches.users],
    ['tag', touches.tags],
  ] as const;
  const named = kinds.filter(([, names]) => names.length > 0);
  if (named.length === 0)
    return (
      <Text size="sm" mt={4}>
        Affects none of the organization's known assets.
      </Text>
    );
  return (
    <Group gap={6} mt={4}>
      <Text size="sm">Affects</Text>
      {named.map(([kind, names]) => (
        <Code key={kind} className="breakable">
          {names.length === 1 ? kind : `${names.length} ${kind}s`}: {names.slice(0, MAX_NAMED).join(', ')}
          {names.length > MAX_NAMED ? ', …' : ''}
        </Code>
      ))}
    </Group>
  );
}

/** The call as the third party gets it, for readers who want to check it. */
function Request({ proposal }: { proposal: Proposal }) {
  return (
    <Text component="details" size="xs" mt={4}>
      <Text component="summary" size="xs" c="dimmed" className="clickable">
        {proposal.skill_id} on {proposal.connection}
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
    </Text>
  );
}
