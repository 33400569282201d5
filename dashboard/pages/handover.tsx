import { Alert, Card, Center, Checkbox, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Handover } from '../../services/credential-links/wire.js';
import { SchemaForm } from '../components/schema-form.js';
import { SecretExpiryInput } from '../components/secret-expiry.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { Time } from '../components/time.js';
import { handOver, handoverQuery } from '../queries/connections.js';

/** The page of a one-time link, for a person without a key. The token is the fragment of the address, which no request contains. */
export function HandoverPage() {
  const token = useLocation({ select: ({ hash }) => hash });
  const [expiresOn, setExpiresOn] = useState('');
  const [consents, setConsents] = useState(false);
  useDocumentTitle('Hand over credentials · Alert investigator');
  const { data, error } = useQuery(handoverQuery(token));
  // The credentials leave the memory of the page with the reply.
  const submit = useMutation({ ...handOver(token), gcTime: 0 });
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="lg" w={720} maw="100%" shadow="sm">
        <Stack>
          <Title order={1} fz="h3">
            Hand over credentials
          </Title>
          {error && <ErrorState error={error} />}
          {!data && !error && <PageSkeleton />}
          {data && submit.isSuccess && <Thanks handover={data} />}
          {data && !submit.isSuccess && (
            <>
              <Request handover={data} />
              <SchemaForm
                fields={data.credentials}
                pointer="#/credentials"
                action="Send credentials"
                isBusy={submit.isPending}
                error={submit.error}
                onSubmit={(credentials) =>
                  submit.mutate({ credentials, secret_expires_on: expiresOn || null, consents_to_agent: consents })
                }
                more={(errors) => (
                  <>
                    <SecretExpiryInput value={expiresOn} onChange={setExpiresOn} error={errors.get('#/secret_expires_on')}>
                      Leave blank if the secret does not expire.
                    </SecretExpiryInput>
                    {data.remote_agent && (
                      <Checkbox
                        label={`I agree that the remote agent ${data.remote_agent.name} receives these credentials`}
                        checked={consents}
                        onChange={({ currentTarget }) => setConsents(currentTarget.checked)}
                        error={errors.get('#/consents_to_agent')}
                      />
                    )}
                  </>
                )}
              >
                <Title order={2} fz="md">
                  Credentials
                </Title>
              </SchemaForm>
            </>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

function Request({ handover }: { handover: Handover }) {
  const { organization, asked_by, title, products, setup, permissions, settings, remote_agent, expires_at } = handover;
  return (
    <>
      <Text size="sm" className="breakable">
        {asked_by} asks for <strong>{title}</strong> credentials ({products.join(', ')}) for the organization{' '}
        <strong>{organization}</strong>. The service encrypts them when you send them and shows them to no person. The link works once,
        until <Time at={expires_at} />.
      </Text>
      {setup.length > 0 && (
        <Part title="Set up at the third party">
          <List type="ordered" size="sm" spacing="xs">
            {setup.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </Part>
      )}
      {permissions.length > 0 && (
        <Part title="Permissions that the service uses">
          <List size="sm">
            {permissions.map((permission) => (
              <List.Item key={permission} className="breakable">
                {permission}
              </List.Item>
            ))}
          </List>
        </Part>
      )}
      {remote_agent && (
        <Part title="Who receives the credentials">
          <Text size="sm" className="breakable">
            The remote agent <strong>{remote_agent.name}</strong> receives them in cleartext and calls the third party with them. It is a
            program outside this service. Ask {organization} who runs it if you do not know it.
          </Text>
        </Part>
      )}
      {settings.length > 0 && (
        <Part title="Where the service uses the credentials">
          <List size="sm">
            {settings.map(({ label, value }) => (
              <List.Item key={label} className="breakable">
                {label}: {value}
              </List.Item>
            ))}
          </List>
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} fz="md" mb="xs">
        {title}
      </Title>
      {children}
    </Card>
  );
}

function Thanks({ handover: { organization, title } }: { handover: Handover }) {
  return (
    <Alert color="teal" variant="light" title="Thank you" role="status">
      <Text size="sm" className="breakable">
        The {title} credentials for {organization} are stored encrypted. The link does not work any more. You can close this page.
      </Text>
    </Alert>
  );
}
