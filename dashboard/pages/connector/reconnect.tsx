import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection, Connector } from '../../../services/connections/wire.js';
import { Dialog } from '../../components/dialog.js';
import { createDraft } from '../../components/schema.js';
import { SchemaForm } from '../../components/schema-form.js';
import { SecretExpiryInput } from '../../components/secret-expiry.js';
import { reconnect as reconnectConnection } from '../../queries/connections.js';
import { TestReport } from './test-report.js';

/** Replaces the credentials of a connection and shows the result of the test. */
export function Reconnect({ connector, connection, onClose }: { connector: Connector; connection: Connection; onClose: () => void }) {
  const [expiresOn, setExpiresOn] = useState('');
  const reconnect = useMutation(reconnectConnection(connection.connection_id));
  // A blank field keeps its value, so only unset credentials are required.
  const fields = connector.credentials.map((field) => ({ ...field, required: field.required && !(field.name in connection.credentials) }));
  const readable = createDraft(
    fields.filter(({ secret }) => !secret),
    connection.credentials,
  );
  const waiting = connection.waiting_investigations;
  return (
    <Dialog onClose={onClose} title={`Reconnect ${connection.instance_name}`} size="lg">
      {reconnect.data ? (
        <Stack>
          {reconnect.data.test === null ? (
            <Text size="sm">The credentials are replaced. The test is still running: check the connection again in a minute.</Text>
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
          onSubmit={(credentials) => reconnect.mutate({ credentials, secret_expires_on: expiresOn || null })}
          onCancel={onClose}
          more={(errors) => <SecretExpiryInput value={expiresOn} onChange={setExpiresOn} error={errors.get('#/secret_expires_on')} />}
        >
          <Text size="sm">
            Leave a field blank to keep its value. Secrets are never shown.
            {waiting > 0 &&
              ` When the test passes, ${waiting} waiting ${waiting === 1 ? 'investigation continues' : 'investigations continue'}.`}
          </Text>
        </SchemaForm>
      )}
    </Dialog>
  );
}
