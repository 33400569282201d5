import { Anchor, Badge, Card, Code, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type Evidence, SHARED_VALUE_STEP } from '../../../domain/verdict/evidence.js';
import { PageLink } from '../../components/page.js';
import { formatAge, formatDuration, Time } from '../../components/time.js';
import { AnswerTabs } from './answer-tabs.js';

/** One entry of the evidence, with the answer that it rests on. */
export function EvidenceEntry({ entry }: { entry: Evidence }) {
  return (
    <Card withBorder padding="sm" component="article" aria-label={entry.title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Text fw={600} size="sm" className="breakable">
          {entry.title}
        </Text>
        <PointsBadge entry={entry} />
      </Group>
      <EntryBody entry={entry} />
    </Card>
  );
}

/** A reason of the verdict: its points, its text and its source. */
export function Reason({ entry }: { entry: Evidence }) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" component="article" aria-label={entry.title}>
      <Badge variant="light" color={entry.points > 0 ? 'red' : 'teal'} miw={52} mt={2} style={{ flexShrink: 0 }}>
        {formatPoints(entry.points)}
      </Badge>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text fw={600} size="sm" className="breakable">
          {entry.title}
        </Text>
        <EntryBody entry={entry} />
      </div>
    </Group>
  );
}

function EntryBody({ entry }: { entry: Evidence }) {
  return (
    <>
      <Text size="sm" className="wrapped">
        {entry.reason}
      </Text>
      {entry.techniques.length > 0 && (
        <Group gap={6} mt={2}>
          {entry.techniques.map((technique) => (
            <Technique key={technique} id={technique} />
          ))}
        </Group>
      )}
      {entry.step.startsWith(SHARED_VALUE_STEP) && (
        <PageLink to="/settings" search={{ tab: 'knowledge' }} size="xs" mt={4}>
          Show the suggestions
        </PageLink>
      )}
      <SourceDetails entry={entry} />
    </>
  );
}

export function formatPoints(points: number): string {
  return points > 0 ? `+${points}` : `−${-points}`;
}

/** How an entry affects the score. */
export function PointsBadge({ entry: { kind, points } }: { entry: Evidence }) {
  if (kind === 'gap')
    return (
      <Badge color="yellow" variant="light" tt="none" style={{ flexShrink: 0 }}>
        No answer
      </Badge>
    );
  if (kind === 'note' || points === 0)
    return (
      <Badge color="gray" variant="outline" tt="none" style={{ flexShrink: 0 }}>
        Note
      </Badge>
    );
  const effect = points > 0 ? 'Raises the score' : 'Lowers the score';
  return (
    <Badge color={points > 0 ? 'red' : 'teal'} variant="light" tt="none" title={effect} style={{ flexShrink: 0 }}>
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

/** The age of an answer that was used again or copied; null: the third party answered this investigation. */
export function describeReuse({ source, alert_id: alertId, at }: Evidence): string | null {
  const copiedAt = source?.copied_at;
  if (copiedAt !== undefined) return `from a copy of the list, read ${formatAge(Math.max(0, at - copiedAt))} earlier`;
  if (!source?.reused) return null;
  const { asked } = source;
  if (!asked) return 'from an earlier investigation';
  const age = `answered ${formatAge(at - asked.at)} earlier`;
  return asked.alert_id === alertId ? `from an earlier investigation, ${age}` : age;
}

/** The call that the entry is based on. Its answer is read when a person opens it. */
function SourceDetails({ entry }: { entry: Evidence }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const { source } = entry;
  if (!source) return null;
  const reuse = describeReuse(entry);
  const { asked } = source;
  const caller = `${source.skill_id}${source.connection === null ? '' : ` (${source.connection})`}${reuse === null ? '' : `, ${reuse}`}`;
  if (!asked)
    return (
      <Text size="xs" mt={4} c="dimmed" className="breakable">
        {caller}
      </Text>
    );
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Anchor component="button" type="button" size="xs" mt={4} ta="left" onClick={toggle} aria-expanded={isOpen}>
        <Group gap={2} wrap="nowrap" component="span">
          <Chevron size={14} aria-hidden style={{ flexShrink: 0 }} />
          <span className="breakable">
            {caller}
            {asked.duration_ms === null ? '' : `, took ${formatDuration(asked.duration_ms / 1000)}`}
          </span>
        </Group>
      </Anchor>
      {isOpen && (
        <Stack gap={4} mt={4}>
          <Text size="xs">
            Called <Time at={asked.at} size="xs" />
          </Text>
          <AnswerTabs asked={asked} resultId={source.result_id ?? null} />
        </Stack>
      )}
    </>
  );
}
