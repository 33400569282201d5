import { Anchor, Badge, Button, Card, Code, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Evidence } from '../../../domain/case/evidence.js';
import { EmptyState } from '../../components/states.js';
import { duration, Time } from '../../components/time.js';

/** What weighs most first, then what could not be answered, then what is merely worth reading. */
function inOrder(evidence: readonly Evidence[]): Evidence[] {
  const rank = { finding: 0, gap: 1, note: 2 };
  return evidence.toSorted((one, other) => rank[one.kind] - rank[other.kind] || Math.abs(other.points) - Math.abs(one.points));
}

export function EvidenceList({ evidence, earlier }: { evidence: readonly Evidence[]; earlier: readonly Evidence[] }) {
  const [showsEarlier, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="xs">
      {evidence.length === 0 && <EmptyState title="No evidence yet" />}
      {inOrder(evidence).map((entry) => (
        <Entry key={entry.evidence_id} entry={entry} />
      ))}
      {earlier.length > 0 && (
        <>
          <Button variant="subtle" size="xs" onClick={toggle} aria-expanded={showsEarlier}>
            {showsEarlier ? 'Hide' : 'Show'} {earlier.length} entries of earlier attempts and investigations
          </Button>
          {showsEarlier && earlier.map((entry) => <Entry key={entry.evidence_id} entry={entry} />)}
        </>
      )}
    </Stack>
  );
}

function Entry({ entry }: { entry: Evidence }) {
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Text fw={600} size="sm" className="breakable">
          {entry.title}
        </Text>
        <Weight entry={entry} />
      </Group>
      <Text size="sm" className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
        {entry.reason}
      </Text>
      {entry.techniques.length > 0 && (
        <Group gap={6} mt={4}>
          {entry.techniques.map((technique) => (
            <Technique key={technique} id={technique} />
          ))}
        </Group>
      )}
      {entry.source && <Asked entry={entry} />}
    </Card>
  );
}

/** What an entry counts for. */
export function Weight({ entry: { kind, points } }: { entry: Evidence }) {
  if (kind === 'gap')
    return (
      <Badge color="yellow" variant="light" tt="none">
        not answered
      </Badge>
    );
  if (kind === 'note' || points === 0)
    return (
      <Badge color="gray" variant="outline" tt="none">
        note
      </Badge>
    );
  return (
    <Badge color={points > 0 ? 'red' : 'teal'} variant="light" tt="none" title={points > 0 ? 'speaks for malice' : 'speaks against it'}>
      {points > 0 ? '+' : '−'}
      {Math.abs(points)}
    </Badge>
  );
}

const TECHNIQUE = /^T\d{4}(\.\d{3})?$/;

export function Technique({ id }: { id: string }) {
  if (!TECHNIQUE.test(id)) return <Code>{id}</Code>;
  return (
    <Anchor size="xs" href={`https://attack.mitre.org/techniques/${id.replace('.', '/')}/`} target="_blank" rel="noreferrer">
      {id}
    </Anchor>
  );
}

/** Who was asked what, when, how long it took, and the digests of both. */
function Asked({ entry: { source } }: { entry: Evidence }) {
  if (!source) return null;
  const { asked } = source;
  const who = `${source.skill_id}${source.connection === null ? '' : ` of ${source.connection}`}${source.reused ? ', from an earlier investigation' : ''}`;
  if (!asked)
    return (
      <Text size="xs" mt={4} c="dimmed">
        {who}
      </Text>
    );
  return (
    <Text component="details" size="xs" mt={4}>
      <Text component="summary" size="xs" c="dimmed" className="clickable">
        {who}
        {asked.duration_ms === null ? '' : `, answered in ${duration(asked.duration_ms / 1000)}`}
      </Text>
      <Stack gap={4}>
        <Text size="xs">
          Asked <Time at={asked.at} size="xs" />
        </Text>
        <Code block className="wrapped">
          {typeof asked.input === 'string' ? asked.input : JSON.stringify(asked.input, null, 2)}
        </Code>
        <Text size="xs" className="breakable">
          Digest of the question {asked.request_digest}
        </Text>
        {asked.reply_digest !== null && (
          <Text size="xs" className="breakable">
            Digest of the answer {asked.reply_digest}
          </Text>
        )}
        {source.result_id !== undefined && (
          <Anchor size="xs" href={`/platformapi/skill-results/${source.result_id}`} target="_blank">
            The whole answer (JSON)
          </Anchor>
        )}
      </Stack>
    </Text>
  );
}
