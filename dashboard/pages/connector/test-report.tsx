import { Alert, Badge, Button, Group, List, Loader, Modal, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Connection, ConnectionTestReport } from '../../../domain/connection/connection.js';
import { api } from '../../api.js';
import { ErrorState } from '../../components/states.js';

/** Asks the third party at once, and again when told to. */
export function ConnectionTest({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const asked = useId();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['connection-test', connection.connection_id, asked],
    queryFn: () => api.post<ConnectionTestReport>(`/connections/${connection.connection_id}/test`),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Modal opened onClose={onClose} title={`Test of ${connection.instance_name}`} size="lg">
      <Stack>
        {isFetching && (
          <Group gap="sm" role="status">
            <Loader size="sm" />
            <Text size="sm">
              {connection.remote_agent === null ? 'Asking the third party …' : 'The remote agent asks the third party …'}
            </Text>
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
    </Modal>
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
            <Answer answer={reachable} words={['reachable', 'not reachable', 'not asked']} />{' '}
            <span className="breakable">
              {purpose}: {host ?? 'none given'}. {detail}
            </span>
          </List.Item>
        ))}
      </List>
      <Title order={3} fz="sm">
        Credentials
      </Title>
      <Text size="sm" className="breakable" component="div">
        <Answer answer={credentials.ok} words={['accepted', 'not accepted', 'unknown']} /> {credentials.detail}
      </Text>
      {permissions.length > 0 && (
        <>
          <Title order={3} fz="sm">
            Permissions
          </Title>
          <List size="sm" listStyleType="none">
            {permissions.map(({ skill_id, permission, granted }) => (
              <List.Item key={skill_id}>
                <Answer answer={granted} words={['granted', 'missing', 'not known']} /> {skill_id}
                {permission !== null && `: ${permission}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {skew !== null && Math.abs(skew) > 60 && <Text size="sm">The third party's clock is {skew} s apart from ours.</Text>}
    </Stack>
  );
}

/** Yes, no and unknown: in words, not by colour alone. */
function Answer({ answer, words: [yes, no, unknown] }: { answer: boolean | null; words: readonly [string, string, string] }) {
  if (answer === null)
    return (
      <Badge variant="outline" color="gray" size="sm" tt="none">
        {unknown}
      </Badge>
    );
  return (
    <Badge variant="dot" color={answer ? 'teal' : 'red'} size="sm" tt="none">
      {answer ? yes : no}
    </Badge>
  );
}
