import { Alert, Button, Card, Group, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Severity } from '../../../domain/verdict/evidence.js';
import type { Created, Reply } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { EmptyState, ErrorState, PageSkeleton } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { changeLegalHold, countRetention, retentionQuery, saveRetention } from '../../queries/organization-settings.js';
import { useIsAdmin } from '../../session.js';
import { OrganizationChoice } from './organization-choice.js';

type Retention = Reply<'/organizations/{organization_code}/retention'>;
type RetentionCount = Created<'/organizations/{organization_code}/retention/dry-run'>['items'][number];

/** How long an organization keeps its data, and its legal hold. */
export function DataRetention() {
  return (
    <Stack>
      <OrganizationChoice>{(code) => <OrganizationRetention key={code} code={code} />}</OrganizationChoice>
    </Stack>
  );
}

function OrganizationRetention({ code }: { code: string }) {
  const { data, error, refetch } = useQuery(retentionQuery(code));
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <PageSkeleton />;
  return (
    <>
      <OrganizationHold retention={data} />
      <Rules retention={data} />
    </>
  );
}

interface Row {
  readonly kind: RetentionCount['kind'];
  readonly severity: Severity | null;
  readonly label: string;
  readonly help?: string;
}

const ROWS: readonly Row[] = [
  { kind: 'alerts', severity: null, label: 'Closed cases', help: 'With their alerts, evidence, comments, proposals and answers.' },
  ...Severity.options.map((severity) => ({ kind: 'alerts', severity, label: `Closed cases, severity ${severity}` }) as const),
  { kind: 'answers', severity: null, label: 'Third-party answers' },
  { kind: 'records', severity: null, label: 'Copied records', help: 'Kept for 35 days without a rule.' },
  { kind: 'stream-events', severity: null, label: 'Stream events' },
  { kind: 'histories', severity: null, label: 'Histories in Temporal', help: 'Temporal deletes them after 30 days by default.' },
  { kind: 'audit', severity: null, label: 'Audit log', help: 'At least 90 days.' },
];

const COUNT_COLUMNS: Column<RetentionCount>[] = [
  { key: 'kind', title: 'Data', render: (row) => findLabel(row) },
  { key: 'would_delete', title: 'To delete', render: (row) => row.would_delete ?? 'unknown' },
  { key: 'held', title: 'Kept by a hold', render: (row) => row.held },
  {
    key: 'oldest_kept_at',
    title: 'Oldest that stays',
    render: (row) => (row.oldest_kept_at === null ? '–' : <Time at={row.oldest_kept_at} />),
  },
];

function findLabel({ kind, severity }: Pick<RetentionCount, 'kind' | 'severity'>): string {
  return ROWS.find((row) => row.kind === kind && row.severity === severity)?.label ?? kind;
}

function Rules({ retention }: { retention: Retention }) {
  const isAdmin = useIsAdmin();
  const { organization_code: code } = retention;
  const [rules, setRules] = useState(retention.rules);
  const [isSaving, saving] = useDisclosure(false);
  const count = useMutation(countRetention(code));
  const change = ({ kind, severity }: Row, days: number | string) => {
    const others = rules.filter((rule) => rule.kind !== kind || rule.severity !== severity);
    setRules(typeof days === 'number' ? [...others, { kind, severity, days }] : others);
    count.reset();
  };
  const counts = count.data && (
    <DataTable
      label="Dry run"
      columns={COUNT_COLUMNS}
      rows={count.data.items}
      getKey={({ kind, severity }) => `${kind} ${severity}`}
      empty={<EmptyState title="No rules: everything is kept" />}
    />
  );
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={3} fz="md">
          {code} retention
        </Title>
        <Text size="sm" maw={640}>
          The service deletes older data for good. It never deletes open cases, unfinished investigations, pending changes, or data under a
          legal hold. Leave a field blank to keep the data.
        </Text>
        {ROWS.map((row) => (
          <NumberInput
            key={row.label}
            label={`${row.label} (days)`}
            description={row.help}
            min={1}
            maw={420}
            allowDecimal={false}
            readOnly={!isAdmin}
            value={rules.find(({ kind, severity }) => kind === row.kind && severity === row.severity)?.days ?? ''}
            onChange={(days) => change(row, days)}
          />
        ))}
        {count.error && !isSaving && <ErrorState error={count.error} />}
        {!isSaving && counts}
        {isAdmin && (
          <Group gap="xs">
            <Button size="xs" variant="default" loading={count.isPending && !isSaving} onClick={() => count.mutate(rules)}>
              Dry run
            </Button>
            <Button
              size="xs"
              onClick={() => {
                saving.open();
                count.mutate(rules);
              }}
            >
              Save rules
            </Button>
          </Group>
        )}
      </Stack>
      {isSaving && (
        <ConfirmDialog
          title={`Save ${code}'s rules?`}
          action="Save and delete"
          change={saveRetention(code)}
          input={rules}
          onClose={saving.close}
        >
          <Text size="sm">The service deletes this data within an hour. You cannot undo it.</Text>
          {count.error && <ErrorState error={count.error} />}
          {counts}
        </ConfirmDialog>
      )}
    </Card>
  );
}

function OrganizationHold({ retention }: { retention: Retention }) {
  const isAdmin = useIsAdmin();
  const [isOpen, dialog] = useDisclosure(false);
  const { organization_code: code, legal_hold: hold } = retention;
  return (
    <Card withBorder>
      <Stack gap="sm" align="flex-start">
        <Title order={3} fz="md">
          Legal hold
        </Title>
        {hold === null ? (
          <Text size="sm">The retention rules apply.</Text>
        ) : (
          <Alert color="yellow" variant="light" title="Nothing is deleted" role="status">
            <Text size="sm" className="breakable">
              Placed by {hold.placed_by}, <Time at={hold.placed_at} />: {hold.reason}
            </Text>
          </Alert>
        )}
        {isAdmin && (
          <Button size="xs" variant="default" onClick={dialog.open}>
            {hold === null ? 'Place legal hold' : 'Release legal hold'}
          </Button>
        )}
      </Stack>
      {isOpen && (
        <FieldsModal
          title={hold === null ? `Place a legal hold on ${code}` : `Release ${code}'s legal hold`}
          action={hold === null ? 'Place hold' : 'Release hold'}
          fields={[field('reason', 'Reason', { help: 'Shown on this page and in the audit log.' })]}
          change={changeLegalHold(code, hold === null ? 'legal-hold' : 'legal-hold/release')}
          onClose={dialog.close}
        />
      )}
    </Card>
  );
}
