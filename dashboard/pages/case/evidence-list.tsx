import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { EvidenceGroups } from '../../../domain/case/evidence-groups.js';
import type { Evidence } from '../../../domain/verdict/evidence.js';
import { EmptyState } from '../../components/states.js';
import { EvidenceEntry } from './evidence-entry.js';

/** The evidence without the reasons and the open questions, which the page shows above. */
export function EvidenceList({ groups, earlier }: { groups: EvidenceGroups; earlier: readonly Evidence[] }) {
  const { records, answers, context, silent } = groups;
  const isEmpty = countOtherEvidence(groups) === 0 && earlier.length === 0;
  return (
    <Stack gap="md">
      {isEmpty && (
        <EmptyState title="No other evidence">
          <Text size="sm">The reasons and the open questions are above.</Text>
        </EmptyState>
      )}
      <EvidenceGroup title="Records at third parties" entries={records} />
      <EvidenceGroup title="From the alert" entries={context} />
      <CollapsedGroup label={describeAnswers(answers.length)} entries={answers} />
      <CollapsedGroup label={`${silent.length} answered, no findings`} entries={silent} />
      <CollapsedGroup label={`${earlier.length} from earlier attempts and investigations`} entries={earlier} />
    </Stack>
  );
}

export function countOtherEvidence({ records, answers, context, silent }: EvidenceGroups): number {
  return records.length + answers.length + context.length + silent.length;
}

function describeAnswers(count: number): string {
  return count === 1 ? '1 answer that does not change the score' : `${count} answers that do not change the score`;
}

function EvidenceGroup({ title, entries }: { title: string; entries: readonly Evidence[] }) {
  if (entries.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={4} fz="sm">
        {title} ({entries.length})
      </Title>
      {entries.map((entry) => (
        <EvidenceEntry key={entry.evidence_id} entry={entry} />
      ))}
    </Stack>
  );
}

function CollapsedGroup({ label, entries }: { label: string; entries: readonly Evidence[] }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  if (entries.length === 0) return null;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">{label}</Text>
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={toggle}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Hide' : 'Show'}: ${label}`}
        >
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </Group>
      {isOpen && entries.map((entry) => <EvidenceEntry key={entry.evidence_id} entry={entry} />)}
    </Stack>
  );
}
