import { Alert, Card, List, Select, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { sendsSecretsElsewhere } from '../../../domain/connection/connection.js';
import type { SecondPersonRule } from '../../../domain/response/sensitive-write.js';
import type { RemoteAgent } from '../../../services/agents/wire.js';
import type { Connection, Connector } from '../../../services/connections/wire.js';
import { Dialog } from '../../components/dialog.js';
import { field } from '../../components/fields-modal.js';
import { useOrganizationCodes } from '../../components/lists.js';
import { createDraft, type DraftGroup, type Field, fill } from '../../components/schema.js';
import { FormButtons, readFieldErrors, SchemaFields } from '../../components/schema-form.js';
import { SecretExpiryInput } from '../../components/secret-expiry.js';
import { ErrorState } from '../../components/states.js';
import { saveConnection } from '../../queries/connections.js';
import { useSession } from '../../session.js';
import { CreatedLink, DEFAULT_VALIDITY, VALIDITY } from './credential-links.js';

/** The fields of every connection. */
function createCommonFields(codes: readonly string[] | null): Field[] {
  const own = [
    field('instance_name', 'Instance name', { help: 'Unique in the organization.' }),
    field('description', 'Description', { required: false }),
  ];
  if (codes === null) return own;
  return [field('organization_code', 'Organization', { help: 'Its investigations use this connection.', schema: { enum: codes } }), ...own];
}

const SECOND_APPROVER: readonly { value: SecondPersonRule; label: string }[] = [
  { value: 'always', label: 'For all changes' },
  { value: 'sensitive', label: 'For sensitive changes' },
  { value: 'never', label: 'Only for protected assets' },
];
const NEEDS_SECOND_PERSON = { always: true, sensitive: null, never: false } as const;

/** A rule of another connection is not the choice for this one. */
function readChoice(connection: Connection | null): SecondPersonRule {
  if (connection === null) return 'sensitive';
  return connection.needs_second_person ? 'always' : connection.needs_second_person_default ? 'sensitive' : 'never';
}

interface Draft {
  common: DraftGroup;
  credentials: DraftGroup;
  settings: DraftGroup;
  expiresOn: string;
  link: DraftGroup;
  agent: string | null;
  secondApprover: SecondPersonRule;
  feedsIntake: boolean;
}

/** Creates or edits a connection. An edit that sends the credentials elsewhere needs them again. */
export function ConnectionForm(props: {
  connector: Connector;
  agents: readonly RemoteAgent[];
  connection: Connection | null;
  /** Creates a link with which the customer enters the credentials of a new connection. */
  asksCustomer?: boolean;
  onClose: () => void;
  onSaved: (connection: Connection) => void;
}) {
  const { connector, agents, connection, asksCustomer = false, onClose, onSaved } = props;
  const { organization_code: ownCode } = useSession();
  const codes = useOrganizationCodes();
  const fields = createCommonFields(connection === null ? codes : null);
  const form = useForm<Draft>({
    initialValues: {
      common: connection === null ? { organization_code: ownCode ?? undefined } : createDraft(createCommonFields(null), { ...connection }),
      credentials: {},
      settings: createDraft(connector.settings, connection?.settings ?? {}),
      expiresOn: connection?.secret_expires_on ?? '',
      link: DEFAULT_VALIDITY,
      agent: connection?.remote_agent ?? null,
      secondApprover: readChoice(connection),
      feedsIntake: connection?.feeds_intake ?? false,
    },
  });
  const { common, credentials, settings, expiresOn, agent, secondApprover, feedsIntake } = form.values;
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map());
  const save = useMutation({
    ...saveConnection(connection?.connection_id ?? null, asksCustomer),
    onSuccess: (saved) => {
      if ('generation' in saved) onSaved(saved);
    },
  });
  const needsCredentials =
    connection === null
      ? !asksCustomer
      : sendsSecretsElsewhere(
          { settings: connection.settings, remoteAgent: connection.remote_agent },
          { settings: fill(connector.settings, settings).value, remoteAgent: connector.remote_agent ? agent : undefined },
        );
  const submit = () => {
    const filled = { common: fill(fields, common), settings: fill(connector.settings, settings, '#/settings') };
    const secrets = needsCredentials ? fill(connector.credentials, credentials, '#/credentials') : null;
    const found = new Map([...filled.common.errors, ...(secrets?.errors ?? []), ...filled.settings.errors]);
    setInvalid(found);
    if (found.size > 0) return;
    save.mutate({
      description: '',
      ...filled.common.value,
      settings: filled.settings.value,
      ...(connection === null ? { connector: connector.connector } : {}),
      ...(asksCustomer ? form.values.link : {}),
      ...(secrets === null ? {} : { credentials: secrets.value }),
      // An unchanged day can be in the past, which the API refuses.
      ...(secrets === null && expiresOn === (connection?.secret_expires_on ?? '') ? {} : { secret_expires_on: expiresOn || null }),
      needs_second_person: NEEDS_SECOND_PERSON[secondApprover],
      ...(connector.feeds_intake ? { feeds_intake: feedsIntake } : {}),
      ...(connector.remote_agent ? { remote_agent: agent } : {}),
    });
  };
  const errors = invalid.size > 0 ? invalid : readFieldErrors(save.error);
  const organizationCode = connection?.organization_code ?? common['organization_code'];
  if (save.data && 'path' in save.data) return <CreatedLink link={save.data} onClose={onClose} />;
  return (
    <Dialog
      onClose={onClose}
      size={connector.setup.length === 0 ? 'lg' : 1000}
      title={
        connection !== null
          ? `Edit ${connection.instance_name}`
          : asksCustomer
            ? `Ask the customer for ${connector.title} credentials`
            : `Connect ${connector.title}`
      }
    >
      <SimpleGrid cols={{ base: 1, md: connector.setup.length === 0 ? 1 : 2 }} spacing="xl">
        <form onSubmit={form.onSubmit(submit)} noValidate>
          <Stack>
            <Presets connector={connector} onChoose={(chosen) => form.setFieldValue('settings', { ...settings, ...chosen })} />
            <SchemaFields
              fields={fields}
              draft={common}
              onChange={(draft) => form.setFieldValue('common', draft)}
              pointer="#"
              errors={errors}
            />
            <Part title="Authentication details">
              {connection !== null && needsCredentials && (
                <Text size="sm">Enter the credentials again, because this change sends them to another host or agent.</Text>
              )}
              {needsCredentials && (
                <SchemaFields
                  fields={connector.credentials}
                  draft={credentials}
                  onChange={(draft) => form.setFieldValue('credentials', draft)}
                  pointer="#/credentials"
                  errors={errors}
                />
              )}
              {connection !== null && !needsCredentials && <SetCredentials connector={connector} connection={connection} />}
              {asksCustomer ? (
                <SchemaFields
                  fields={[VALIDITY]}
                  draft={form.values.link}
                  onChange={(draft) => form.setFieldValue('link', draft)}
                  pointer="#"
                  errors={errors}
                />
              ) : (
                <SecretExpiryInput
                  value={expiresOn}
                  onChange={(day) => form.setFieldValue('expiresOn', day)}
                  error={errors.get('#/secret_expires_on')}
                />
              )}
            </Part>
            <Part title="Settings">
              <SchemaFields
                fields={connector.settings}
                draft={settings}
                onChange={(draft) => form.setFieldValue('settings', draft)}
                pointer="#/settings"
                errors={errors}
              />
            </Part>
            <Part title="Usage">
              {connector.remote_agent && (
                <Select
                  label="Remote agent"
                  description="It calls the third party from its own network."
                  data={agents
                    .filter(({ revoked_at, organization_code: code }) => revoked_at === null && code === organizationCode)
                    .map(({ agent_id, name }) => ({ value: agent_id, label: name }))}
                  {...form.getInputProps('agent')}
                  placeholder="None: this service makes the calls"
                  clearable
                  error={errors.get('#/remote_agent')}
                />
              )}
              <Select
                label="Second approver for changes"
                description="Sensitive changes run commands on a machine, isolate a server, or block a domain."
                data={SECOND_APPROVER}
                {...form.getInputProps('secondApprover')}
                allowDeselect={false}
              />
              {connector.feeds_intake && (
                <Switch
                  label="Import its detections as alerts"
                  {...form.getInputProps('feedsIntake', { type: 'checkbox' })}
                  error={errors.get('#/feeds_intake')}
                />
              )}
            </Part>
            {save.data && !('generation' in save.data) && (
              <Alert color="yellow" variant="light" title="Waits for a second approver" role="status">
                <Text size="sm">
                  Nothing is saved yet. Another admin has to make the same change before the second-approval rule is removed.
                </Text>
              </Alert>
            )}
            {save.error && invalid.size === 0 && <ErrorState error={save.error} />}
            <FormButtons
              action={connection !== null ? 'Save and test' : asksCustomer ? 'Create link' : 'Connect and test'}
              isBusy={save.isPending}
              onCancel={onClose}
            />
          </Stack>
        </form>
        <Setup connector={connector} />
      </SimpleGrid>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={3} fz="sm">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** The steps at the third party, next to the fields that need their results. */
function Setup({ connector: { setup, products, rotation } }: { connector: Connector }) {
  if (setup.length === 0) return null;
  return (
    <Card withBorder h="fit-content">
      <Part title="Set up at the third party">
        <Text size="sm">{products.join(', ')}</Text>
        <List type="ordered" size="sm" spacing="xs">
          {setup.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        {rotation && <Text size="sm">{rotation.advice}</Text>}
      </Part>
    </Card>
  );
}

function Presets({ connector, onChoose }: { connector: Connector; onChoose: (settings: Readonly<Record<string, string>>) => void }) {
  if (connector.presets.length === 0) return null;
  return (
    <Select
      label="Preset"
      description="Fills in the settings. You can change them."
      placeholder="Choose a preset or enter the settings"
      data={connector.presets.map(({ title }) => title)}
      onChange={(title) => onChoose(connector.presets.find((preset) => preset.title === title)?.settings ?? {})}
    />
  );
}

function SetCredentials({ connector, connection }: { connector: Connector; connection: Connection }) {
  return (
    <Alert variant="light" color="gray">
      {connector.credentials.map(({ name, label, secret }) => (
        <Text key={name} size="sm" className="breakable">
          {label}: {!(name in connection.credentials) ? 'Not set' : secret ? 'Set' : String(connection.credentials[name])}
        </Text>
      ))}
      <Text size="sm">To replace the credentials, use Reconnect.</Text>
    </Alert>
  );
}
