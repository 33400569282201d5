import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { KnowledgeKind, type KnowledgeSuggestion } from '../../../domain/organization/knowledge.js';
import type { Knowledge } from '../../../services/knowledge/wire.js';
import { api, toBody, unwrap } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { EmptyState, ErrorState, PageSkeleton } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useIsAdmin } from '../../session.js';
import { ListSection } from './list-section.js';
import { OrganizationChoice } from './organization-choice.js';

/** What an organization knows about itself, and what stored data suggests. */
export function OrganizationKnowledge() {
  const isAdmin = useIsAdmin();
  return (
    <Stack>
      <OrganizationChoice>
        {(code) => (
          <>
            <KnowledgeList key={code} code={code} />
            {isAdmin && <Suggestions code={code} />}
          </>
        )}
      </OrganizationChoice>
    </Stack>
  );
}

const COLUMNS: Column<Knowledge>[] = [
  { header: 'Kind', accessorKey: 'kind' },
  { header: 'Value', accessorKey: 'value', cell: ({ row }) => <span className="breakable">{row.original.value}</span> },
  { header: 'Note', accessorKey: 'note', cell: ({ row }) => <span className="breakable">{row.original.note}</span> },
  { header: 'Added by', accessorKey: 'created_by' },
  { header: 'Added', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
];

const FIELDS = [
  field('kind', 'Kind', { schema: { enum: KnowledgeKind.options } }),
  field('value', 'Value', { help: 'A domain, an address or a network such as 192.0.2.0/24, the name of a host, or an account.' }),
  field('note', 'Note', { help: 'Why it belongs to the organization.', required: false }),
];

function createRemoveColumn(onRemove: (entry: Knowledge) => void): Column<Knowledge> {
  return {
    id: 'actions',
    header: 'Remove',
    cell: ({ row: { original: entry } }) => (
      <Button size="compact-xs" variant="outline" color="red" onClick={() => onRemove(entry)} aria-label={`Remove ${entry.value}`}>
        Remove
      </Button>
    ),
  };
}

function KnowledgeList({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const refresh = useRefresh();
  const path = { organization_code: code };
  const list = useFullList(['settings', 'knowledge', code], (page) =>
    unwrap(api.GET('/organizations/{organization_code}/knowledge', { params: { path, query: page } })),
  );
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<Knowledge | null>(null);
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        Knowledge about {code}
      </Title>
      <ListSection
        purpose="Own domains, networks, relays, VPN exits, scanners, test accounts and drill providers. Alerts mark them as own, and they do not relate two alerts."
        label="Knowledge about the organization"
        list={list}
        columns={isAdmin ? [...COLUMNS, createRemoveColumn(setRemoving)] : COLUMNS}
        getKey={({ knowledge_id }) => knowledge_id}
        empty="No knowledge yet"
        create={isAdmin ? { label: 'Add knowledge', onClick: () => setIsAdding(true) } : null}
      >
        {isAdding && (
          <FieldsModal
            title="Add knowledge"
            action="Add"
            fields={FIELDS}
            onSave={(entry) => unwrap(api.POST('/organizations/{organization_code}/knowledge', { params: { path }, body: toBody(entry) }))}
            onSaved={() => {
              setIsAdding(false);
              return refresh();
            }}
            onClose={() => setIsAdding(false)}
          />
        )}
        <ConfirmDialog
          opened={removing !== null}
          title={`Remove ${removing?.value ?? ''}?`}
          action="Remove"
          onConfirm={async () => {
            const params = { path: { ...path, knowledge_id: removing?.knowledge_id ?? '' } };
            await unwrap(api.DELETE('/organizations/{organization_code}/knowledge/{knowledge_id}', { params }));
            await refresh();
          }}
          onClose={() => setRemoving(null)}
        >
          <Text size="sm">New investigations then treat it as unknown to the organization.</Text>
        </ConfirmDialog>
      </ListSection>
    </Stack>
  );
}

/** An admin accepts or rejects each suggestion. */
function Suggestions({ code }: { code: string }) {
  const refresh = useRefresh();
  const path = { organization_code: code };
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'knowledge-suggestions', code],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/knowledge-suggestions', { params: { path } })),
  });
  const decide = useMutation({
    mutationFn: async ({ suggestion: { kind, value, reason }, isAccepted }: { suggestion: KnowledgeSuggestion; isAccepted: boolean }) => {
      if (isAccepted)
        await unwrap(api.POST('/organizations/{organization_code}/knowledge', { params: { path }, body: { kind, value, note: reason } }));
      else
        await unwrap(
          api.POST('/organizations/{organization_code}/knowledge-suggestions/reject', {
            params: { path },
            body: { kind, value, note: '' },
          }),
        );
    },
    onSettled: refresh,
  });
  const columns: Column<KnowledgeSuggestion>[] = [
    { header: 'Kind', accessorKey: 'kind' },
    { header: 'Value', accessorKey: 'value', cell: ({ row }) => <span className="breakable">{row.original.value}</span> },
    { header: 'Why', accessorKey: 'reason', cell: ({ row }) => <span className="breakable">{row.original.reason}</span> },
    {
      id: 'actions',
      header: 'Decide',
      cell: ({ row: { original: suggestion } }) => (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-xs"
            disabled={decide.isPending}
            onClick={() => decide.mutate({ suggestion, isAccepted: true })}
            aria-label={`Accept ${suggestion.value}`}
          >
            Accept
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={decide.isPending}
            onClick={() => decide.mutate({ suggestion, isAccepted: false })}
            aria-label={`Reject ${suggestion.value}`}
          >
            Reject
          </Button>
        </Group>
      ),
    },
  ];
  return (
    <Stack gap="xs" component="section" aria-label="Suggestions">
      <Title order={3} fz="md">
        Suggestions
      </Title>
      <Text size="sm" maw={640}>
        Stored alerts and answers suggest these. Accept what belongs to the organization, and reject the rest. Check first that an attacker
        does not own it.
      </Text>
      {(error ?? decide.error) && <ErrorState error={error ?? decide.error} retry={refetch} />}
      {!data && !error && <PageSkeleton />}
      {data && (
        <DataTable
          label="Suggestions"
          columns={columns}
          rows={data.items}
          getKey={({ kind, value }) => `${kind} ${value}`}
          empty={<EmptyState title="No suggestions" />}
        />
      )}
    </Stack>
  );
}

function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['settings'] });
}
