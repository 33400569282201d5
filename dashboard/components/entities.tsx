import { Badge, Code, Group, Text } from '@mantine/core';
import type { Entity } from '../../domain/alert/entity.js';
import type { OwnEntity } from '../../domain/organization/knowledge.js';

const SHOWN_AT_MOST = 60;

/** The entities of an alert by kind, those of the organization marked. Their values come from outside, so they are never links. */
export function Entities({ entities, own = [] }: { entities: readonly Entity[]; own?: readonly OwnEntity[] }) {
  const shown = entities.slice(0, SHOWN_AT_MOST);
  const kinds = [...new Set(shown.map(({ kind }) => kind))];
  const reasons = new Map(own.map(({ kind, value, reason }) => [`${kind} ${value}`, reason]));
  return (
    <>
      {kinds.map((kind) => (
        <Group key={kind} gap={6} align="baseline">
          <Text size="xs" c="dimmed" miw={48}>
            {kind}
          </Text>
          {shown
            .filter((entity) => entity.kind === kind)
            .map(({ value, role }) => (
              <EntityValue key={value} value={value} role={role ?? null} ownReason={reasons.get(`${kind} ${value}`) ?? null} />
            ))}
        </Group>
      ))}
      {entities.length > SHOWN_AT_MOST && <Text size="xs">and {entities.length - SHOWN_AT_MOST} more</Text>}
    </>
  );
}

function EntityValue({ value, role, ownReason }: { value: string; role: string | null; ownReason: string | null }) {
  const shown = role === null ? value : `${value} (${role})`;
  if (ownReason === null) return <Code className="breakable">{shown}</Code>;
  return (
    <Group gap={4} align="baseline" component="span">
      <Code className="breakable">{shown}</Code>
      <Badge size="xs" variant="light" color="teal" tt="none" autoContrast>
        own
      </Badge>
      <Text size="xs" span className="breakable">
        {ownReason}
      </Text>
    </Group>
  );
}
