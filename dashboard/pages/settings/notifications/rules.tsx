import { Button, Group, MultiSelect, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RULE_EVENTS } from '../../../../domain/notification/event.js';
import { Severity, Verdict } from '../../../../domain/verdict/evidence.js';
import type { Channel, ChannelForm, Rule, SaveRule } from '../../../../services/notifications/wire.js';
import { api, unwrap } from '../../../api.js';
import { ConfirmDialog } from '../../../components/confirm-dialog.js';
import type { Column } from '../../../components/data-table.js';
import { Dialog } from '../../../components/dialog.js';
import { useFullList } from '../../../components/full-list.js';
import { ErrorState } from '../../../components/states.js';
import { ListSection } from '../list-section.js';
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
  const list = useFullList(['settings', 'notification-rules'], (page) =>
    unwrap(api.GET('/notification-rules', { params: { query: page } })),
  );
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const [editing, setEditing] = useState<Rule | SaveRule | null>(null);
  const [removing, setRemoving] = useState<Rule | null>(null);
  const channelName = (id: string) => channels.find(({ channel_id }) => channel_id === id)?.name ?? id;
  const columns: Column<Rule>[] = [
    { header: 'Name', accessorKey: 'name', cell: ({ row }) => <span className="breakable">{row.original.name}</span> },
    { header: 'Organization', accessorKey: 'organization_code' },
    {
      header: 'Channel',
      accessorKey: 'channel_id',
      cell: ({ row }) => <span className="breakable">{channelName(row.original.channel_id)}</span>,
    },
    { header: 'Events', accessorKey: 'events', cell: ({ row }) => <span className="wrapped">{row.original.events.join('\n')}</span> },
    { header: 'Cases', accessorKey: 'min_severity', cell: ({ row }) => describeConditions(row.original) },
    { header: 'Sent', accessorKey: 'digest', cell: ({ row }) => describeSchedule(row.original) },
    {
      header: 'State',
      accessorKey: 'is_enabled',
      cell: ({ row }) => <EnabledBadge isEnabled={row.original.is_enabled} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      cell: ({ row: { original: rule } }) => (
        <Group gap="xs">
          <Button size="compact-xs" variant="default" aria-label={`Edit ${rule.name}`} onClick={() => setEditing(rule)}>
            Edit
          </Button>
          <Button size="compact-xs" variant="outline" color="red" aria-label={`Delete ${rule.name}`} onClick={() => setRemoving(rule)}>
            Delete
          </Button>
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
      {editing !== null && <RuleForm rule={editing} channels={channels} kinds={kinds} refresh={refresh} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        opened={removing !== null}
        title={`Delete ${removing?.name ?? ''}?`}
        action="Delete"
        onConfirm={async () => {
          await unwrap(api.DELETE('/notification-rules/{rule_id}', { params: { path: { rule_id: removing?.rule_id ?? '' } } }));
          await refresh();
        }}
        onClose={() => setRemoving(null)}
      >
        <Text size="sm">Later events are not sent. Pending deliveries stay.</Text>
      </ConfirmDialog>
    </ListSection>
  );
}

function RuleForm(props: {
  rule: Rule | SaveRule;
  channels: readonly Channel[];
  kinds: readonly ChannelForm[];
  refresh: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { rule, channels, kinds, refresh, onClose } = props;
  const [given, setGiven] = useState<SaveRule>({
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
  });
  const set = (change: Partial<SaveRule>) => setGiven((now) => ({ ...now, ...change }));
  const save = useMutation({
    mutationFn: () => {
      if ('rule_id' in rule)
        return unwrap(api.PUT('/notification-rules/{rule_id}', { params: { path: { rule_id: rule.rule_id } }, body: given }));
      const organization = channels.find(({ channel_id }) => channel_id === given.channel_id)?.organization_code ?? '';
      return unwrap(api.POST('/notification-rules', { body: { ...given, organization_code: organization } }));
    },
    async onSuccess() {
      await refresh();
      onClose();
    },
  });
  const digestKinds = kinds.flatMap(({ kind, sends_digests: sendsDigests }) => (sendsDigests ? [kind] : []));
  const hasDigests = (id: string | null) => channels.some(({ channel_id, kind }) => channel_id === id && digestKinds.includes(kind));
  const own = 'rule_id' in rule ? channels.filter(({ organization_code: code }) => code === rule.organization_code) : channels;
  return (
    <Dialog onClose={onClose} title="Notification rule">
      <Stack>
        <TextInput
          label="Name"
          required
          value={given.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          data-autofocus
        />
        <Select
          label="Channel"
          required
          data={own.map((channel) => ({ value: channel.channel_id, label: `${channel.name} (${channel.organization_code})` }))}
          value={given.channel_id === '' ? null : given.channel_id}
          onChange={(id) => set({ channel_id: id ?? '', ...(hasDigests(id) ? {} : { digest: null }) })}
          allowDeselect={false}
        />
        <MultiSelect
          label="Events"
          required
          data={[...RULE_EVENTS]}
          value={given.events}
          onChange={(names) => set({ events: RULE_EVENTS.filter((name) => names.includes(name)) })}
          searchable
        />
        <Select
          label="Minimum severity"
          description="Only cases of at least this severity."
          placeholder="Any"
          data={Severity.options}
          value={given.min_severity}
          onChange={(severity) => set({ min_severity: Severity.options.find((each) => each === severity) ?? null })}
          clearable
        />
        <MultiSelect
          label="Verdicts"
          placeholder="Any"
          data={Verdict.options}
          value={given.verdicts}
          onChange={(verdicts) => set({ verdicts: Verdict.options.filter((verdict) => verdicts.includes(verdict)) })}
        />
        <TextInput
          label="Assignee"
          description="Leave blank for cases of all people."
          value={given.assignee ?? ''}
          onChange={({ currentTarget }) => set({ assignee: currentTarget.value === '' ? null : currentTarget.value })}
        />
        <ScheduleFields given={given} hasDigests={hasDigests(given.channel_id)} set={set} />
        <Switch label="Enabled" checked={given.is_enabled} onChange={({ currentTarget }) => set({ is_enabled: currentTarget.checked })} />
        {save.error && <ErrorState error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={given.name.trim() === '' || given.channel_id === '' || given.events.length === 0}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            Save
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
