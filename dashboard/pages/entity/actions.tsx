import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { EntityDetail } from '../../../domain/case/entity-page.js';
import { PageLink } from '../../components/page.js';

/** Links to the forms of the skills that take this entity. Nothing runs before the person sends the form. */
export function Actions({ entity: { actions } }: { entity: EntityDetail }) {
  return (
    <Card withBorder component="section" aria-label="Actions">
      <Title order={3} fz="md" mb="xs">
        Actions
      </Title>
      {actions.length === 0 && <Text size="sm">No connected third party has a skill for it.</Text>}
      <Stack gap="xs">
        {actions.map(({ connector, slug, skill_id, purpose, effect, input }) => (
          <div key={`${connector} ${slug}`}>
            <Group gap={6}>
              <PageLink
                to="/integrations/$connector"
                params={{ connector }}
                search={{ tab: 'skills', skill: slug, input: JSON.stringify(input) }}
                size="sm"
                underline="always"
              >
                {skill_id}
              </PageLink>
              {effect === 'write' && (
                <Badge size="sm" variant="dot" color="orange" tt="none">
                  Write
                </Badge>
              )}
            </Group>
            <Text size="xs" className="breakable">
              {purpose}
            </Text>
          </div>
        ))}
      </Stack>
    </Card>
  );
}
