import { Button, Group, Select, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TaskTemplate } from '../../../services/task-templates/wire.js';
import { api, unwrap } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { Dialog } from '../../components/dialog.js';
import { useOrganizations } from '../../components/lists.js';
import { EmptyState, ErrorState, PageSkeleton } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useIsAdmin, useSession } from '../../session.js';

/** The tasks that the cases of each alert type suggest. */
export function TaskTemplates() {
  const { organization_code: own } = useSession();
  const organizations = useOrganizations();
  const codes = (organizations.items ?? []).map(({ organization_code }) => organization_code);
  const [chosen, setChosen] = useState(own);
  const code = chosen ?? codes[0];
  if (organizations.error) return <ErrorState error={organizations.error} retry={organizations.refetch} />;
  if (code === undefined) return <PageSkeleton />;
  return (
    <Stack>
      {codes.length > 1 && <Select label="Organization" data={codes} value={code} onChange={setChosen} allowDeselect={false} maw={320} />}
      <TemplateList key={code} code={code} />
    </Stack>
  );
}

const COLUMNS: Column<TaskTemplate>[] = [
  { header: 'Alert type', accessorKey: 'alert_type', cell: ({ row }) => <span className="breakable">{row.original.alert_type}</span> },
  { header: 'Tasks', accessorKey: 'tasks', cell: ({ row }) => <span className="wrapped">{row.original.tasks.join('\n')}</span> },
  { header: 'Changed by', accessorKey: 'changed_by' },
  { header: 'Changed', accessorKey: 'changed_at', cell: ({ row }) => <Time at={row.original.changed_at} /> },
];

function TemplateList({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const path = { organization_code: code };
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'task-templates', code],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/task-templates', { params: { path } })),
  });
  const [editing, setEditing] = useState<Pick<TaskTemplate, 'alert_type' | 'tasks'> | null>(null);
  const [removing, setRemoving] = useState<TaskTemplate | null>(null);
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  const actions: Column<TaskTemplate> = {
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original: template } }) => (
      <Group gap="xs">
        <Button size="compact-xs" variant="default" onClick={() => setEditing(template)} aria-label={`Edit ${template.alert_type}`}>
          Edit
        </Button>
        <Button
          size="compact-xs"
          variant="outline"
          color="red"
          onClick={() => setRemoving(template)}
          aria-label={`Delete ${template.alert_type}`}
        >
          Delete
        </Button>
      </Group>
    ),
  };
  return (
    <Stack>
      <Title order={3} fz="md">
        Task templates
      </Title>
      <Group justify="space-between" align="flex-start">
        <Text size="sm" maw={640}>
          The tasks that cases of an alert type usually need. The case suggests them; a person adds them with one click.
        </Text>
        {isAdmin && (
          <Button size="xs" onClick={() => setEditing({ alert_type: '', tasks: [] })}>
            Add template
          </Button>
        )}
      </Group>
      <DataTable
        label="Task templates"
        columns={isAdmin ? [...COLUMNS, actions] : COLUMNS}
        rows={data.items}
        getKey={({ template_id: templateId }) => templateId}
        empty={<EmptyState title="No templates yet" />}
      />
      {editing !== null && <TemplateForm code={code} template={editing} refresh={refresh} onClose={() => setEditing(null)} />}
      {removing !== null && (
        <ConfirmDialog
          opened
          title="Delete template"
          action="Delete"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            const params = { path: { ...path, template_id: removing.template_id } };
            await unwrap(api.DELETE('/organizations/{organization_code}/task-templates/{template_id}', { params }));
            await refresh();
          }}
        >
          <Text size="sm" className="breakable">
            Cases of the type {removing.alert_type} suggest no tasks any more. Their tasks stay.
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

function TemplateForm(props: {
  code: string;
  template: Pick<TaskTemplate, 'alert_type' | 'tasks'>;
  refresh: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { code, template, refresh, onClose } = props;
  const [alertType, setAlertType] = useState(template.alert_type);
  const [lines, setLines] = useState(template.tasks.join('\n'));
  const tasks = lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const save = useMutation({
    mutationFn: () => {
      const params = { path: { organization_code: code } };
      const body = { alert_type: alertType.trim(), tasks };
      return unwrap(api.PUT('/organizations/{organization_code}/task-templates', { params, body }));
    },
    async onSuccess() {
      await refresh();
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Task template">
      <Stack>
        <TextInput
          label="Alert type"
          required
          disabled={template.alert_type !== ''}
          value={alertType}
          onChange={({ currentTarget }) => setAlertType(currentTarget.value)}
          data-autofocus
        />
        <Textarea
          label="Tasks"
          description="One task in each line."
          required
          autosize
          minRows={4}
          value={lines}
          onChange={({ currentTarget }) => setLines(currentTarget.value)}
        />
        {save.error && <ErrorState error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={alertType.trim() === '' || tasks.length === 0} loading={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
