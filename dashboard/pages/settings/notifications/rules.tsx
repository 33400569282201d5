import { Group, MultiSelect, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { RULE_EVENTS } from '../../../../domain/notification/event.js';
import { Severity, Verdict } from '../../../../domain/verdict/evidence.js';
import type { Channel, ChannelForm, Rule, SaveRule } from '../../../../services/notifications/wire.js';
import { ConfirmDialog } from '../../../components/confirm-dialog.js';
import type { Column } from '../../../components/data-table.js';
import { Dialog } from '../../../components/dialog.js';
import { useFullList } from '../../../components/full-list.js';
import { FormButtons } from '../../../components/schema-form.js';
import { ErrorState } from '../../../components/states.js';
import { createRule, deleteRule, rulesQuery, saveRule } from '../../../queries/notifications.js';
import { ListSection, RowButton } from '../list-section.js';
import { EnabledBadge } from './enabled-badge.js';
import { describeSchedule, ScheduleFields } from './schedule-fields.js';

const NEW_RULE: SaveRule = {
  name: '',
  channel_id: '',
  events: [],
  min_severity: null,
  verdicts: [],
  assignee: null,
  is_enabled: true,
  quiet_hours: null,
  digest: null,
  critical_at_once: false,
};

function describeConditions({ min_severity: severity, verdicts, assignee }: Rule): string {
  const parts = [
    ...(severity === null ? [] : [`severity ${severity} or higher`]),
    ...(verdicts.length === 0 ? [] : [`verdict ${verdicts.join(' or ')}`]),
    ...(assignee === null ? [] : [`assignee ${assignee}`]),
  ];
  return parts.length === 0 ? 'All' : parts.join(', ');
}

export function Rules({ channels, kinds }: { channels: readonly Channel[]; kinds: readonly ChannelForm[] }) {
  const list = useFullList(rulesQuery);
  const [editing, setEditing] = useState<Rule | SaveRule | null>(null);
  const [removing, setRemoving] = useState<Rule | null>(null);
  const channelName = (id: string) => channels.find(({ channel_id }) => channel_id === id)?.name ?? id;
  const columns: Column<Rule>[] = [
    { key: 'name', title: 'Name', render: (row) => <span className="breakable">{row.name}</span> },
    { key: 'organization_code', title: 'Organization', render: (row) => row.organization_code },
    { key: 'channel_id', title: 'Channel', render: (row) => <span className="breakable">{channelName(row.channel_id)}</span> },
    { key: 'events', title: 'Events', render: (row) => <span className="wrapped">{row.events.join('\n')}</span> },
    { key: 'min_severity', title: 'Cases', render: (row) => describeConditions(row) },
    { key: 'digest', title: 'Sent', render: (row) => describeSchedule(row) },
    { key: 'is_enabled', title: 'State', render: (row) => <EnabledBadge isEnabled={row.is_enabled} /> },
    {
      key: 'actions',
      title: 'Actions',
      render: (rule) => (
        <Group gap="xs">
          <RowButton label="Edit" name={`Edit ${rule.name}`} onClick={() => setEditing(rule)} />
          <RowButton isDanger label="Delete" name={`Delete ${rule.name}`} onClick={() => setRemoving(rule)} />
        </Group>
      ),
    },
  ];
  return (
    <ListSection
      purpose="A rule sends events to a channel. To hear of critical cases, choose case.verdict_changed: a case has no severity when it opens."
      label="Rules"
      list={list}
      columns={columns}
      getKey={({ rule_id }) => rule_id}
      empty="No rules yet"
      create={channels.length === 0 ? null : { label: 'Create rule', onClick: () => setEditing(NEW_RULE) }}
    >
      {editing !== null && <RuleForm rule={editing} channels={channels} kinds={kinds} onClose={() => setEditing(null)} />}
      {removing && (
        <ConfirmDialog
          title={`Delete ${removing.name}?`}
          action="Delete"
          change={deleteRule}
          input={removing.rule_id}
          onClose={() => setRemoving(null)}
        >
          <Text size="sm">Later events are not sent. Pending deliveries stay.</Text>
        </ConfirmDialog>
      )}
    </ListSection>
  );
}

function RuleForm(props: { rule: Rule | SaveRule; channels: readonly Channel[]; kinds: readonly ChannelForm[]; onClose: () => void }) {
  const { rule, channels, kinds, onClose } = props;
  const { getInputProps, values, setValues, onSubmit } = useForm<SaveRule>({
    initialValues: {
      name: rule.name,
      channel_id: rule.channel_id,
      events: rule.events,
      min_severity: rule.min_severity,
      verdicts: rule.verdicts,
      assignee: rule.assignee,
      is_enabled: rule.is_enabled,
      quiet_hours: rule.quiet_hours,
      digest: rule.digest,
      critical_at_once: rule.critical_at_once,
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Name is required' : null),
      channel_id: (id) => (id === '' ? 'Channel is required' : null),
      events: (events) => (events.length === 0 ? 'Events is required' : null),
    },
  });
  const create = useMutation({ ...createRule, onSuccess: onClose });
  const update = useMutation({ ...saveRule('rule_id' in rule ? rule.rule_id : ''), onSuccess: onClose });
  const submit = (given: SaveRule) => {
    if ('rule_id' in rule) return update.mutate(given);
    const organization = channels.find(({ channel_id }) => channel_id === given.channel_id)?.organization_code ?? '';
    return create.mutate({ ...given, organization_code: organization });
  };
  const error = create.error ?? update.error;
  const digestKinds = kinds.flatMap(({ kind, sends_digests: sendsDigests }) => (sendsDigests ? [kind] : []));
  const hasDigests = (id: string | null) => channels.some(({ channel_id, kind }) => channel_id === id && digestKinds.includes(kind));
  const own = 'rule_id' in rule ? channels.filter(({ organization_code: code }) => code === rule.organization_code) : channels;
  return (
    <Dialog onClose={onClose} title="Notification rule">
      <form onSubmit={onSubmit(submit)} noValidate>
        <Stack>
          <TextInput label="Name" required {...getInputProps('name')} data-autofocus />
          <Select
            label="Channel"
            required
            data={own.map((channel) => ({ value: channel.channel_id, label: `${channel.name} (${channel.organization_code})` }))}
            {...getInputProps('channel_id')}
            onChange={(id) => setValues({ channel_id: id ?? '', ...(hasDigests(id) ? {} : { digest: null }) })}
            allowDeselect={false}
          />
          <MultiSelect label="Events" required data={[...RULE_EVENTS]} searchable {...getInputProps('events')} />
          <Select
            label="Minimum severity"
            description="Only cases of at least this severity."
            placeholder="Any"
            data={Severity.options}
            clearable
            {...getInputProps('min_severity')}
          />
          <MultiSelect label="Verdicts" placeholder="Any" data={Verdict.options} {...getInputProps('verdicts')} />
          <TextInput
            label="Assignee"
            description="Leave blank for cases of all people."
            value={values.assignee ?? ''}
            onChange={({ currentTarget }) => setValues({ assignee: currentTarget.value || null })}
          />
          <ScheduleFields given={values} hasDigests={hasDigests(values.channel_id)} set={setValues} />
          <Switch label="Enabled" {...getInputProps('is_enabled', { type: 'checkbox' })} />
          {error && <ErrorState error={error} />}
          <FormButtons action="Save" isBusy={create.isPending || update.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
