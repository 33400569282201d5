import { Badge, Card, Group, List, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Connector, ConnectorField } from '../../../services/connections/wire.js';
import { PageLink } from '../../components/page.js';

export function OverviewTab({ connector }: { connector: Connector }) {
  const { purpose, credentials, settings, presets, rotation, skills } = connector;
  const writes = skills.filter(({ effect }) => effect === 'write').length;
  return (
    <Stack>
      <Text>{purpose}</Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Part title="Credentials">
          <Fields label="Credentials" fields={credentials} />
          {rotation && (
            <Text size="sm">
              {rotation.advice} The dashboard reminds you a week before {rotation.days} days have passed.
            </Text>
          )}
        </Part>
        <Part title="Hosts and settings">
          <Fields label="Settings" fields={settings} />
        </Part>
        {presets.length > 0 && (
          <Part title="Presets">
            <Text size="sm">A preset fills in a new connection's settings. You can change them.</Text>
            <List size="sm">
              {presets.map(({ title, settings: filled }) => (
                <List.Item key={title}>
                  {title}: <span className="breakable">{Object.values(filled).join(', ')}</span>
                </List.Item>
              ))}
            </List>
          </Part>
        )}
        <Part title="Skills">
          <Text size="sm">
            {skills.length} skills: {skills.length - writes} read data, {writes} make changes at the third party.
          </Text>
          <Text size="sm">
            {connector.remote_agent
              ? 'A remote agent in another network can make the calls.'
              : 'This service makes the calls. Remote agents are not supported.'}
          </Text>
          {connector.feeds_intake && <Text size="sm">Its detections can be imported as alerts.</Text>}
          <Group>
            <PageLink to="/integrations/$connector" params={{ connector: connector.connector }} search={{ tab: 'connections' }} size="sm">
              View connections
            </PageLink>
            <PageLink to="/integrations/$connector" params={{ connector: connector.connector }} search={{ tab: 'skills' }} size="sm">
              View skills
            </PageLink>
          </Group>
        </Part>
      </SimpleGrid>
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Title order={3} fz="md">
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  );
}

function Fields({ label, fields }: { label: string; fields: readonly ConnectorField[] }) {
  return (
    <Table fz="sm" aria-label={label} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>Description</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr key={field.name}>
            <Table.Td style={{ verticalAlign: 'top' }}>
              <Text size="sm">{field.label}</Text>
              {field.secret && (
                <Badge size="xs" variant="outline" color="gray" tt="none">
                  Secret
                </Badge>
              )}
            </Table.Td>
            <Table.Td style={{ verticalAlign: 'top' }}>
              <span className="breakable">{field.help}</span>
              {!field.required && ' Optional.'}
              {field.schema['default'] !== undefined && <span className="breakable"> Default: {String(field.schema['default'])}</span>}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
