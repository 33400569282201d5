import { Badge, Group, Text } from '@mantine/core';
import type { Entity } from '../../domain/entity/entity.js';
import type { OwnEntity } from '../../domain/organization/knowledge.js';
import { ENTITY_LABELS } from '../options.js';
import { PageLink } from './page.js';

const MAX_SHOWN = 60;

/** The entities of an alert by kind, those of the organization marked. Each leads to its page. */
export function Entities(props: { entities: readonly Entity[]; own?: readonly OwnEntity[]; organizationCode: string }) {
  const { entities, own = [], organizationCode } = props;
  const shown = entities.slice(0, MAX_SHOWN);
  const kinds = [...new Set(shown.map(({ kind }) => kind))];
  const reasons = new Map(own.map(({ kind, value, reason }) => [`${kind} ${value}`, reason]));
  return (
    <>
      {kinds.map((kind) => (
        <Group key={kind} gap={6} align="baseline">
          <Text size="xs" c="dimmed" miw={56}>
            {ENTITY_LABELS[kind]}
          </Text>
          {shown
            .filter((entity) => entity.kind === kind)
            .map((entity) => (
              <Group key={entity.value} gap={4} align="baseline" component="span">
                <EntityLink entity={entity} organizationCode={organizationCode} />
                <OwnMark reason={reasons.get(`${kind} ${entity.value}`) ?? null} />
              </Group>
            ))}
        </Group>
      ))}
      {entities.length > MAX_SHOWN && <Text size="xs">and {entities.length - MAX_SHOWN} more</Text>}
    </>
  );
}

/** Leads to the page of the entity, never to the address that the value may be. */
export function EntityLink({ entity: { kind, value, role }, organizationCode }: { entity: Entity; organizationCode: string }) {
  return (
    <PageLink
      to="/entity"
      search={{ kind, value, organization: organizationCode }}
      className="breakable"
      size="xs"
      ff="monospace"
      underline="always"
    >
      {role === undefined ? value : `${value} (${role})`}
    </PageLink>
  );
}

function OwnMark({ reason }: { reason: string | null }) {
  if (reason === null) return null;
  return (
    <>
      <Badge size="xs" variant="light" color="teal" tt="none" autoContrast>
        own
      </Badge>
      <Text size="xs" span className="breakable">
        {reason}
      </Text>
    </>
  );
}
