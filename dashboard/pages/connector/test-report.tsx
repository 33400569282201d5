import { Alert, Badge, Button, Group, List, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ConnectionTestReport } from '../../../domain/connection/connection.js';
import type { Connection } from '../../../services/connections/wire.js';
import { Dialog } from '../../components/dialog.js';
import { ErrorState } from '../../components/states.js';
import { connectionTestQuery } from '../../queries/connections.js';

export function ConnectionTest({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const dialogId = useId();
  const { data, error, isFetching, refetch } = useQuery(connectionTestQuery(connection.connection_id, dialogId));
  return (
    <Dialog onClose={onClose} title={`Test ${connection.instance_name}`} size="lg">
      <Stack>
        {isFetching && (
          <Group gap="sm" role="status">
            <Loader size="sm" />
            <Text size="sm">{connection.remote_agent === null ? 'Testing…' : 'The remote agent is testing…'}</Text>
          </Group>
        )}
        {!isFetching && error && <ErrorState error={error} />}
        {!isFetching && !error && data && <TestReport report={data} />}
        <Group justify="flex-end">
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Test again
          </Button>
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

export function TestReport({ report }: { report: ConnectionTestReport }) {
  const { ok, summary, hosts, credentials, permissions, clock_skew_seconds: skew } = report;
  return (
    <Stack gap="sm">
      <Alert color={ok ? 'teal' : 'red'} variant="light" title={ok ? 'The connection works' : 'The connection does not work'} role="status">
        <Text size="sm" className="breakable">
          {summary}
        </Text>
      </Alert>
      <Title order={3} fz="sm">
        Hosts
      </Title>
      <List size="sm" listStyleType="none">
        {hosts.map(({ purpose, host, reachable, detail }) => (
          <List.Item key={purpose}>
            <ResultBadge result={reachable} labels={['Reachable', 'Not reachable', 'Not tested']} />{' '}
            <span className="breakable">
              {purpose}: {host ?? 'not set'}. {detail}
            </span>
          </List.Item>
        ))}
      </List>
      <Title order={3} fz="sm">
        Credentials
      </Title>
      <Text size="sm" className="breakable" component="div">
        <ResultBadge result={credentials.ok} labels={['Accepted', 'Rejected', 'Unknown']} /> {credentials.detail}
      </Text>
      {permissions.length > 0 && (
        <>
          <Title order={3} fz="sm">
            Permissions
          </Title>
          <List size="sm" listStyleType="none">
            {permissions.map(({ skill_id, permission, granted }) => (
              <List.Item key={skill_id}>
                <ResultBadge result={granted} labels={['Granted', 'Missing', 'Unknown']} /> {skill_id}
                {permission !== null && `: ${permission}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {skew !== null && Math.abs(skew) > 60 && <Text size="sm">The third party's clock differs from this service by {skew} s.</Text>}
    </Stack>
  );
}

/** A label besides the color, for people who cannot tell the colors apart. */
function ResultBadge({ result, labels: [yes, no, unknown] }: { result: boolean | null; labels: readonly [string, string, string] }) {
  if (result === null)
    return (
      <Badge variant="outline" color="gray" size="sm" tt="none">
        {unknown}
      </Badge>
    );
  return (
    <Badge variant="dot" color={result ? 'teal' : 'red'} size="sm" tt="none">
      {result ? yes : no}
    </Badge>
  );
}
