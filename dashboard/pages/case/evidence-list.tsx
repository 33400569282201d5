import { Anchor, Badge, Button, Card, Code, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Evidence } from '../../../domain/case/evidence.js';
import { buildUrl } from '../../api.js';
import { EmptyState } from '../../components/states.js';
import { formatAge, formatDuration, Time } from '../../components/time.js';

/** Findings by their points, then open questions, then notes. */
function sortEvidence(evidence: readonly Evidence[]): Evidence[] {
  const rank = { finding: 0, gap: 1, note: 2 };
  return evidence.toSorted((one, other) => rank[one.kind] - rank[other.kind] || Math.abs(other.points) - Math.abs(one.points));
}

export function EvidenceList({ evidence, earlier }: { evidence: readonly Evidence[]; earlier: readonly Evidence[] }) {
  const [showsEarlier, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="xs">
      {evidence.length === 0 && <EmptyState title="No evidence yet" />}
      {sortEvidence(evidence).map((entry) => (
        <Entry key={entry.evidence_id} entry={entry} />
      ))}
      {earlier.length > 0 && (
        <>
          <Button variant="subtle" size="xs" onClick={toggle} aria-expanded={showsEarlier}>
            {showsEarlier ? 'Hide' : 'Show'} {earlier.length} entries from earlier attempts and investigations
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
        <PointsBadge entry={entry} />
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
      {entry.source && <SourceDetails entry={entry} />}
    </Card>
  );
}

export function formatPoints(points: number): string {
  return points > 0 ? `+${points}` : `−${-points}`;
}

/** How an entry affects the score. */
export function PointsBadge({ entry: { kind, points } }: { entry: Evidence }) {
  if (kind === 'gap')
    return (
      <Badge color="yellow" variant="light" tt="none">
        No answer
      </Badge>
    );
  if (kind === 'note' || points === 0)
    return (
      <Badge color="gray" variant="outline" tt="none">
        Note
      </Badge>
    );
  return (
    <Badge color={points > 0 ? 'red' : 'teal'} variant="light" tt="none" title={points > 0 ? 'Raises the score' : 'Lowers the score'}>
      {formatPoints(points)}
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

/** The age of an answer that was used again; null: the answer is of this investigation. */
export function describeReuse({ source, alert_id: alertId, at }: Evidence): string | null {
  if (!source?.reused) return null;
  const { asked } = source;
  if (!asked) return 'from an earlier investigation';
  const age = `answered ${formatAge(at - asked.at)} earlier`;
  return asked.alert_id === alertId ? `from an earlier investigation, ${age}` : age;
}

/** The call that the entry is based on. */
function SourceDetails({ entry }: { entry: Evidence }) {
  const { source } = entry;
  if (!source) return null;
  const reuse = describeReuse(entry);
  const { asked } = source;
  const caller = `${source.skill_id}${source.connection === null ? '' : ` (${source.connection})`}${reuse === null ? '' : `, ${reuse}`}`;
  if (!asked)
    return (
      <Text size="xs" mt={4} c="dimmed">
        {caller}
      </Text>
    );
  return (
    <Text component="details" size="xs" mt={4}>
      <Text component="summary" size="xs" c="dimmed" className="clickable">
        {caller}
        {asked.duration_ms === null ? '' : `, took ${formatDuration(asked.duration_ms / 1000)}`}
      </Text>
      <Stack gap={4}>
        <Text size="xs">
          Called <Time at={asked.at} size="xs" />
        </Text>
        <Code block className="wrapped">
          {typeof asked.input === 'string' ? asked.input : JSON.stringify(asked.input, null, 2)}
        </Code>
        <Text size="xs" className="breakable">
          SHA-256 of the request: {asked.request_digest}
        </Text>
        {asked.reply_digest !== null && (
          <Text size="xs" className="breakable">
            SHA-256 of the response: {asked.reply_digest}
          </Text>
        )}
        {source.result_id !== undefined && (
          <Anchor size="xs" href={buildUrl('/skill-results/{result_id}', { path: { result_id: source.result_id } })} target="_blank">
            View full response (JSON)
          </Anchor>
        )}
      </Stack>
    </Text>
  );
}
