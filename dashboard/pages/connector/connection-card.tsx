import { Alert, Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RotationAdvice } from '../../../domain/connection/connection.js';
import type { RemoteAgent } from '../../../services/agents/wire.js';
import type { Connection } from '../../../services/connections/wire.js';
import type { CredentialLink } from '../../../services/credential-links/wire.js';
import { ConnectionStateBadge } from '../../components/badges.js';
import { PageLink } from '../../components/page.js';
import { SecretExpiryBadge } from '../../components/secret-expiry.js';
import { Time } from '../../components/time.js';
import { OpenLinks } from './credential-links.js';

export type ConnectionAction = 'test' | 'reconnect' | 'ask' | 'edit' | 'make-default' | 'delete';

export function ConnectionCard(props: {
  connection: Connection;
  agent: RemoteAgent | undefined;
  links: readonly CredentialLink[];
  isMarked: boolean;
  isAdmin: boolean;
  onAction: (action: ConnectionAction) => void;
}) {
  const { connection, agent, links, isMarked, isAdmin, onAction } = props;
  const { instance_name: name, rotation, refused_skills: refused } = connection;
  return (
    <Card withBorder component="article" aria-label={name} {...(isMarked ? { bd: '2px solid blue' } : {})}>
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={3} fz="md" className="breakable">
            {name}
          </Title>
          <ConnectionStateBadge state={connection.state} />
          {connection.is_default && (
            <Badge variant="outline" color="gray" tt="none">
              Default
            </Badge>
          )}
          {rotation && rotation.state !== 'fresh' && <RotationBadge rotation={rotation} />}
          {connection.secret_expires_on !== null && <SecretExpiryBadge day={connection.secret_expires_on} />}
        </Group>
        {connection.description !== '' && (
          <Text size="sm" className="breakable">
            {connection.description}
          </Text>
        )}
        {connection.state_reason !== null && (
          <Alert color={connection.state === 'broken' ? 'red' : 'gray'} variant="light">
            <Text size="sm" className="breakable">
              {connection.state_reason}
            </Text>
          </Alert>
        )}
        <Details connection={connection} agent={agent} />
        <WaitingAlerts connection={connection} />
        {links.length > 0 && <OpenLinks links={links} isAdmin={isAdmin} />}
        {refused.map(({ skill_id, reason, resolution }) => (
          <Text key={skill_id} size="sm" className="breakable">
            {skill_id} does not work: {reason} {resolution}
          </Text>
        ))}
        <Actions connection={connection} isAdmin={isAdmin} onAction={onAction} />
      </Stack>
    </Card>
  );
}

function RotationBadge({ rotation }: { rotation: RotationAdvice }) {
  return (
    <Badge variant="dot" color={rotation.state === 'overdue' ? 'red' : 'orange'} tt="none" title={rotation.advice}>
      Rotation {rotation.state}: {rotation.age_days} of {rotation.advised_days} days
    </Badge>
  );
}

const APPROVALS = { always: 'Two people', sensitive: 'Two people for sensitive changes', never: 'One person' } as const;

function Details({ connection, agent }: { connection: Connection; agent: RemoteAgent | undefined }) {
  const { rotation, source } = connection;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="xs" verticalSpacing="xs">
      <Detail label="Organization">{connection.organization_code}</Detail>
      <Detail label={`${connection.state.charAt(0).toUpperCase()}${connection.state.slice(1)} since`}>
        <Time at={connection.state_since} />
      </Detail>
      <Detail label="Last tested">
        <Time at={connection.tested_at} />
      </Detail>
      <Detail label="Waiting investigations">
        {connection.waiting_investigations === 0 ? 'None' : connection.waiting_investigations.toLocaleString()}
      </Detail>
      <Detail label="Secret age">
        {rotation === null ? 'No rotation advised' : `${rotation.age_days} of ${rotation.advised_days} days`}
      </Detail>
      <Detail label="Remote agent">{connection.remote_agent === null ? 'None' : (agent?.name ?? connection.remote_agent)}</Detail>
      <Detail label="Approvals for changes">{APPROVALS[connection.second_person_rule]}</Detail>
      {connection.blocked_until !== null && (
        <Detail label="Rate limited until">
          <Time at={connection.blocked_until} />
        </Detail>
      )}
      {connection.feeds_intake && (
        <Detail label="Alerts imported until">
          <Time at={source?.read_until ?? null} />
          {source?.last_error && (
            <Text size="xs" className="breakable">
              {source.last_error}
            </Text>
          )}
        </Detail>
      )}
    </SimpleGrid>
  );
}

function WaitingAlerts({ connection: { waiting_alerts: alertIds, waiting_investigations: count } }: { connection: Connection }) {
  if (alertIds.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm">Waiting for new credentials:</Text>
      {alertIds.map((alertId) => (
        <PageLink key={alertId} to="/alerts/$alertId" params={{ alertId }} size="sm" underline="always">
          {alertId}
        </PageLink>
      ))}
      {count > alertIds.length && <Text size="sm">and {count - alertIds.length} more</Text>}
    </Group>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div" className="breakable">
        {children}
      </Text>
    </div>
  );
}

function Actions(props: { connection: Connection; isAdmin: boolean; onAction: (action: ConnectionAction) => void }) {
  const { connection, isAdmin, onAction } = props;
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={() => onAction('test')}>
        Test
      </Button>
      {isAdmin && (
        <>
          <Button size="xs" variant={connection.state === 'broken' ? 'filled' : 'default'} onClick={() => onAction('reconnect')}>
            Reconnect
          </Button>
          <Button size="xs" variant="default" onClick={() => onAction('ask')}>
            Ask the customer
          </Button>
          <Button size="xs" variant="default" onClick={() => onAction('edit')}>
            Edit
          </Button>
          {!connection.is_default && (
            <Button size="xs" variant="default" onClick={() => onAction('make-default')}>
              Set as default
            </Button>
          )}
          <Button size="xs" variant="outline" color="red" onClick={() => onAction('delete')}>
            Delete
          </Button>
        </>
      )}
      <PageLink
        to="/integrations/$connector"
        params={{ connector: connection.connector }}
        search={{ tab: 'skills', connection: connection.connection_id }}
        size="sm"
      >
        Run a skill
      </PageLink>
    </Group>
  );
}
