import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { KnowledgeKind } from '../../../domain/organization/knowledge.js';
import type { Item } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';
import {
  addKnowledge,
  decideSuggestion,
  knowledgeQuery,
  knowledgeSuggestionsQuery,
  removeKnowledge,
} from '../../queries/organization-settings.js';
import { useIsAdmin } from '../../session.js';
import { ListSection, RowButton } from './list-section.js';
import { OrganizationChoice } from './organization-choice.js';

type Knowledge = Item<'/organizations/{organization_code}/knowledge'>;

/** What an organization knows about itself, and what stored data suggests. */
export function OrganizationKnowledge() {
  return (
    <Stack>
      <OrganizationChoice>
        {(code) => (
          <>
            <KnowledgeList key={code} code={code} />
            <Suggestions code={code} />
          </>
        )}
      </OrganizationChoice>
    </Stack>
  );
}

const COLUMNS: Column<Knowledge>[] = [
  { key: 'kind', title: 'Kind', render: (row) => row.kind },
  { key: 'value', title: 'Value', render: (row) => <span className="breakable">{row.value}</span> },
  { key: 'note', title: 'Note', render: (row) => <span className="breakable">{row.note}</span> },
  { key: 'created_by', title: 'Added by', render: (row) => row.created_by },
  { key: 'created_at', title: 'Added', render: (row) => <Time at={row.created_at} /> },
];

const FIELDS = [
  field('kind', 'Kind', { schema: { enum: KnowledgeKind.options } }),
  field('value', 'Value', { help: 'A domain, an address or a network such as 192.0.2.0/24, the name of a host, or an account.' }),
  field('note', 'Note', { help: 'Why it belongs to the organization.', required: false }),
];

function KnowledgeList({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const list = useFullList(knowledgeQuery(code));
  const [isAdding, adding] = useDisclosure(false);
  const [removing, setRemoving] = useState<Knowledge | null>(null);
  const remove: Column<Knowledge> = {
    key: 'actions',
    title: 'Remove',
    render: (entry) => <RowButton isDanger label="Remove" name={`Remove ${entry.value}`} onClick={() => setRemoving(entry)} />,
  };
  return (
    <ListSection
      title={`Knowledge about ${code}`}
      purpose="Own domains, networks, relays, VPN exits, scanners, shared machines, service and test accounts, and drill providers: alerts mark them as own, and they do not relate two alerts. Important machines and accounts raise the severity of a case."
      label="Knowledge about the organization"
      list={list}
      columns={isAdmin ? [...COLUMNS, remove] : COLUMNS}
      getKey={({ knowledge_id }) => knowledge_id}
      empty="No knowledge yet"
      create={isAdmin ? { label: 'Add knowledge', onClick: adding.open } : null}
    >
      {isAdding && <FieldsModal title="Add knowledge" action="Add" fields={FIELDS} change={addKnowledge(code)} onClose={adding.close} />}
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.value}?`}
          action="Remove"
          change={removeKnowledge(code)}
          input={removing.knowledge_id}
          onClose={() => setRemoving(null)}
        >
          <Text size="sm">New investigations then treat it as unknown to the organization.</Text>
        </ConfirmDialog>
      )}
    </ListSection>
  );
}

type Suggestion = Item<'/organizations/{organization_code}/knowledge-suggestions'>;

const SUGGESTION_COLUMNS: Column<Suggestion>[] = [
  { key: 'kind', title: 'Kind', render: (row) => row.kind },
  { key: 'value', title: 'Value', render: (row) => <span className="breakable">{row.value}</span> },
  { key: 'reason', title: 'Why', render: (row) => <span className="breakable">{row.reason}</span> },
];

/** An admin accepts or rejects each suggestion. Analysts see them. */
function Suggestions({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery(knowledgeSuggestionsQuery(code));
  const decide = useMutation(decideSuggestion(code));
  const decision: Column<Suggestion> = {
    key: 'actions',
    title: 'Decide',
    render: (suggestion) => (
      <Group gap="xs" wrap="nowrap">
        {(['Accept', 'Reject'] as const).map((label) => (
          <RowButton
            key={label}
            label={label}
            name={`${label} ${suggestion.value}`}
            isOff={decide.isPending}
            onClick={() => decide.mutate({ suggestion, isAccepted: label === 'Accept' })}
          />
        ))}
      </Group>
    ),
  };
  return (
    <section aria-label="Suggestions">
      <ListSection
        title="Suggestions"
        purpose="Stored alerts, records and answers suggest these. Accept what belongs to the organization, and reject the rest. Check first that an attacker does not own it."
        label="Suggestions"
        list={{ items: data?.items, error, refetch }}
        columns={isAdmin ? [...SUGGESTION_COLUMNS, decision] : SUGGESTION_COLUMNS}
        getKey={({ kind, value }) => `${kind} ${value}`}
        empty="No suggestions"
      >
        {decide.error && <ErrorState error={decide.error} />}
      </ListSection>
    </section>
  );
}
