import { Code, Group, Text } from '@mantine/core';
import type { Entity } from '../../domain/alert/entity.js';

const SHOWN_AT_MOST = 60;

/** The entities of an alert by kind. Their values come from outside, so they are never links. */
export function Entities({ entities }: { entities: readonly Entity[] }) {
  const shown = entities.slice(0, SHOWN_AT_MOST);
  const kinds = [...new Set(shown.map(({ kind }) => kind))];
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
              <Code key={value} className="breakable">
                {value}
                {role === undefined ? '' : ` (${role})`}
              </Code>
            ))}
        </Group>
      ))}
      {entities.length > SHOWN_AT_MOST && <Text size="xs">and {entities.length - SHOWN_AT_MOST} more</Text>}
    </>
  );
}
