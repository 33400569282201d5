import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Item } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { deleteTaskTemplate, saveTaskTemplate, taskTemplatesQuery } from '../../queries/organization-settings.js';
import { useIsAdmin } from '../../session.js';
import { ListSection, RowButton } from './list-section.js';
import { OrganizationChoice } from './organization-choice.js';

type Template = Item<'/organizations/{organization_code}/task-templates'>;

/** The tasks that the cases of each alert type suggest. */
export function TaskTemplates() {
  return (
    <Stack>
      <OrganizationChoice>{(code) => <TemplateList key={code} code={code} />}</OrganizationChoice>
    </Stack>
  );
}

const COLUMNS: Column<Template>[] = [
  { key: 'alert_type', title: 'Alert type', render: (row) => <span className="breakable">{row.alert_type}</span> },
  { key: 'tasks', title: 'Tasks', render: (row) => <span className="wrapped">{row.tasks.join('\n')}</span> },
  { key: 'changed_by', title: 'Changed by', render: (row) => row.changed_by },
  { key: 'changed_at', title: 'Changed', render: (row) => <Time at={row.changed_at} /> },
];

function TemplateList({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery(taskTemplatesQuery(code));
  const [editing, setEditing] = useState<Template | 'new' | null>(null);
  const [removing, setRemoving] = useState<Template | null>(null);
  const actions: Column<Template> = {
    key: 'actions',
    title: 'Actions',
    render: (template) => (
      <Group gap="xs">
        <RowButton label="Edit" name={`Edit ${template.alert_type}`} onClick={() => setEditing(template)} />
        <RowButton isDanger label="Delete" name={`Delete ${template.alert_type}`} onClick={() => setRemoving(template)} />
      </Group>
    ),
  };
  const lines = field('tasks', 'Tasks', { help: 'One task in each line.', schema: { type: 'string', maxLength: 10_000 } });
  return (
    <ListSection
      title="Task templates"
      purpose="The tasks that cases of an alert type usually need. The case suggests them; a person adds them with one click."
      label="Task templates"
      list={{ items: data?.items, error, refetch }}
      columns={isAdmin ? [...COLUMNS, actions] : COLUMNS}
      getKey={({ template_id: templateId }) => templateId}
      empty="No templates yet"
      create={isAdmin ? { label: 'Add template', onClick: () => setEditing('new') } : null}
    >
      {editing === 'new' && (
        <FieldsModal
          title="Add task template"
          action="Save"
          fields={[field('alert_type', 'Alert type'), lines]}
          change={saveTaskTemplate(code)}
          onClose={() => setEditing(null)}
        />
      )}
      {editing !== null && editing !== 'new' && (
        <FieldsModal
          title={`Edit the tasks for ${editing.alert_type}`}
          action="Save"
          fields={[lines]}
          initial={{ tasks: editing.tasks.join('\n') }}
          change={saveTaskTemplate(code, editing.alert_type)}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title="Delete template"
          action="Delete"
          change={deleteTaskTemplate(code)}
          input={removing.template_id}
          onClose={() => setRemoving(null)}
        >
          <Text size="sm" className="breakable">
            Cases of the type {removing.alert_type} suggest no tasks any more. Their tasks stay.
          </Text>
        </ConfirmDialog>
      )}
    </ListSection>
  );
}
