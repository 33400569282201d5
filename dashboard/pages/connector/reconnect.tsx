import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Connection, Reconnected } from '../../../domain/connection/connection.js';
import type { Connector } from '../../../domain/connection/connector.js';
import { api } from '../../api.js';
import { createDraft } from '../../components/schema.js';
import { SchemaForm } from '../../components/schema-form.js';
import { TestReport } from './test-report.js';

/** New credentials for a connection; the answer is the test of them. */
export function Reconnect({ connector, connection, onClose }: { connector: Connector; connection: Connection; onClose: () => void }) {
  const reconnect = useMutation({
    mutationFn: (credentials: Record<string, unknown>) =>
      api.post<Reconnected>(`/connections/${connection.connection_id}/reconnect`, { credentials }),
  });
  // What is left empty stays as it is, so nothing is needed that is set already.
  const fields = connector.credentials.map((field) => ({ ...field, required: field.required && !(field.name in connection.credentials) }));
  const readable = createDraft(
    fields.filter(({ secret }) => !secret),
    connection.credentials,
  );
  const waiting = connection.waiting_investigations;
  return (
    <Modal opened onClose={onClose} title={`Reconnect ${connection.instance_name}`} size="lg">
      {reconnect.data ? (
        <Stack>
          {reconnect.data.test === null ? (
            <Text size="sm">The credentials were replaced. Their test has not ended yet: look at the connection again shortly.</Text>
          ) : (
            <TestReport report={reconnect.data.test} />
          )}
          <Group justify="flex-end">
            {reconnect.data.test?.ok === false && (
              <Button variant="default" onClick={() => reconnect.reset()}>
                Try other credentials
              </Button>
            )}
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      ) : (
        <SchemaForm
          fields={fields}
          initial={readable}
          pointer="#/credentials"
          action="Reconnect and test"
          isBusy={reconnect.isPending}
          error={reconnect.error}
          onSubmit={(credentials) => reconnect.mutate(credentials)}
          onCancel={onClose}
        >
          <Text size="sm">
            Secrets are never shown. What is left empty stays as it is.
            {waiting > 0 && ` When the test passes, ${waiting} waiting ${waiting === 1 ? 'investigation goes' : 'investigations go'} on.`}
          </Text>
        </SchemaForm>
      )}
    </Modal>
  );
}
