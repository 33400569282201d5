import { Select } from '@mantine/core';
import { useState } from 'react';
import { CHANNELS, ChannelKind, type ChannelWithSecret } from '../../../../domain/notification/channel.js';
import { api, unwrap } from '../../../api.js';
import { FieldsModal, field } from '../../../components/fields-modal.js';
import { useOrganizations } from '../../../components/lists.js';
import type { Field } from '../../../components/schema.js';

const NUMBER = { schema: { type: 'integer' } };
const OPTIONAL = { required: false };
const SECRET = { secret: true };

/** The settings of each kind; a secret field is one of its secrets. */
const FIELDS: Readonly<Record<ChannelKind, readonly Field[]>> = {
  webhook: [field('url', 'Webhook URL', { help: 'Begins with https://. It receives a signed CloudEvent for each event.' })],
  email: [
    field('host', 'Mail server'),
    field('port', 'Port', { ...NUMBER, ...OPTIONAL, help: 'Default: 465' }),
    field('starttls', 'STARTTLS', {
      schema: { type: 'boolean' },
      ...OPTIONAL,
      help: 'Usually with port 587. Off: TLS from the first byte.',
    }),
    field('from', 'Sender'),
    field('to', 'Recipients', { help: 'Separate addresses with commas.' }),
    field('username', 'User name', OPTIONAL),
    field('password', 'Password', { ...OPTIONAL, ...SECRET }),
  ],
  slack: [
    field('channel', 'Slack channel', { help: 'Its name or id. Invite the bot to it.' }),
    field('bot_token', 'Bot token', { ...SECRET, help: 'With the scope chat:write.' }),
    field('app_token', 'App-level token', {
      ...OPTIONAL,
      ...SECRET,
      help: 'With the scope connections:write. Messages then have buttons that approve and refuse actions.',
    }),
  ],
  teams: [
    field('tenant_id', 'Tenant ID', { help: 'The directory (tenant) ID of the app registration of the bot.' }),
    field('app_id', 'Application ID'),
    field('app_password', 'Client secret', SECRET),
    field('channel_id', 'Teams channel ID', { help: 'Such as 19:…@thread.tacv2. Install the bot in its team.' }),
    field('service_url', 'Service URL', { ...OPTIONAL, help: 'Default: https://smba.trafficmanager.net/teams/' }),
  ],
  pagerduty: [
    field('routing_key', 'Integration key', SECRET),
    field('url', 'Address', { ...OPTIONAL, help: 'Default: https://events.pagerduty.com/v2/enqueue' }),
  ],
};

export function ChannelForm({ onSaved, onClose }: { onSaved: (channel: ChannelWithSecret) => unknown; onClose: () => void }) {
  const [kind, setKind] = useState<ChannelKind>('webhook');
  const organizations = useOrganizations();
  const codes = (organizations.items ?? []).map(({ organization_code: code }) => code);
  return (
    <FieldsModal
      title="Create channel"
      action="Create"
      fields={[
        field('organization_code', 'Organization', { schema: { enum: codes } }),
        field('name', 'Name', { help: 'For example the name of the team.' }),
        ...FIELDS[kind],
      ]}
      onSave={({ organization_code, name, ...given }) => {
        const entries = FIELDS[kind].flatMap(({ name: key, secret }) =>
          given[key] === undefined || given[key] === '' ? [] : [{ key, secret, value: given[key] }],
        );
        const settings = entries.flatMap(({ key, secret, value }) => (secret ? [] : [[key, key === 'to' ? splitList(value) : value]]));
        const secrets = entries.flatMap(({ key, secret, value }) => (secret ? [[key, String(value)]] : []));
        const body = {
          organization_code: String(organization_code),
          name: String(name),
          kind,
          settings: Object.fromEntries(settings),
          secrets: Object.fromEntries(secrets),
        };
        return unwrap(api.POST('/notification-channels', { body }));
      }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <Select
        label="Kind"
        data={ChannelKind.options.map((value) => ({ value, label: CHANNELS[value].label }))}
        value={kind}
        onChange={(chosen) => setKind(ChannelKind.options.find((each) => each === chosen) ?? 'webhook')}
        allowDeselect={false}
      />
    </FieldsModal>
  );
}

function splitList(value: unknown): string[] {
  return String(value)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
