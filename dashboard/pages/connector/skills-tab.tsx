import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Connector, ConnectorSkill } from '../../../services/connections/wire.js';
import { useFullList } from '../../components/full-list.js';
import { ErrorState } from '../../components/states.js';
import { connectionsQuery } from '../../queries/connections.js';
import { RunSkill } from './run-skill.js';
import { SkillRunDialog } from './skill-run.js';

export function SkillsTab(props: {
  connector: Connector;
  connectionId: string | undefined;
  slug: string | undefined;
  runId: string | undefined;
  /** The fields that a link fills in, as JSON. */
  input: string | undefined;
}) {
  const { connector, connectionId, slug, runId, input } = props;
  const navigate = useNavigate({ from: '/integrations/$connector' });
  const { items, error, refetch } = useFullList(connectionsQuery(connector.connector));
  const chosen = connector.skills.find((skill) => skill.slug === slug);
  const close = () => navigate({ search: { tab: 'skills', connection: connectionId } });
  return (
    <Stack gap="sm">
      {error && <ErrorState error={error} retry={refetch} />}
      {items?.length === 0 && <Text size="sm">To run a skill, add a connection first.</Text>}
      {connector.skills.map((skill) => (
        <SkillCard
          key={skill.slug}
          skill={skill}
          onRun={
            items && items.length > 0 ? () => navigate({ search: { tab: 'skills', connection: connectionId, skill: skill.slug } }) : null
          }
        />
      ))}
      {chosen && items && items.length > 0 && runId === undefined && (
        <RunSkill
          key={chosen.slug}
          skill={chosen}
          connections={items}
          connectionId={connectionId}
          initial={readInput(input)}
          onClose={close}
        />
      )}
      {runId !== undefined && <SkillRunDialog runId={runId} connections={items ?? []} onClose={close} />}
    </Stack>
  );
}

/** Anyone can write a link: only texts are used, and the person sees them in the form before the skill runs. */
function readInput(input: string | undefined): Record<string, string> {
  try {
    const fields = Object.entries(JSON.parse(input ?? '{}') ?? {});
    return Object.fromEntries(fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
  } catch {
    return {};
  }
}

function SkillCard({ skill, onRun }: { skill: ConnectorSkill; onRun: (() => void) | null }) {
  return (
    <Card withBorder padding="sm" component="article" aria-label={skill.skill_id}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Stack gap={4} miw={0}>
          <Group gap="xs">
            <Title order={3} fz="md">
              {skill.skill_id}
            </Title>
            <Badge variant="dot" color={skill.effect === 'write' ? 'orange' : 'gray'} tt="none">
              {skill.effect === 'write' ? 'Write' : 'Read'}
            </Badge>
          </Group>
          <Text size="sm">{skill.purpose}</Text>
          <Text size="xs" className="breakable">
            {skill.permission === null ? 'No extra permission' : `Permission: ${skill.permission}`} · {skill.call}
          </Text>
        </Stack>
        {onRun && (
          <Button size="xs" variant="default" onClick={onRun} aria-label={`Run ${skill.skill_id}`} flex="none">
            Run
          </Button>
        )}
      </Group>
    </Card>
  );
}
