import { Alert, Button, Card, Group, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RetentionRule } from '../../../domain/organization/retention.js';
import { Severity } from '../../../domain/verdict/evidence.js';
import type { Retention, RetentionCount } from '../../../services/retention/wire.js';
import { api, toBody, unwrap } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { EmptyState, ErrorState, PageSkeleton } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useIsAdmin } from '../../session.js';
import { OrganizationChoice } from './organization-choice.js';

/** How long an organization keeps its data, and its legal hold. */
export function DataRetention() {
  return (
    <Stack>
      <OrganizationChoice>{(code) => <OrganizationRetention key={code} code={code} />}</OrganizationChoice>
    </Stack>
  );
}

function OrganizationRetention({ code }: { code: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'retention', code],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/retention', { params: { path: { organization_code: code } } })),
  });
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
  readonly kind: RetentionRule['kind'];
  readonly severity: Severity | null;
  readonly label: string;
  readonly help?: string;
}

const ROWS: readonly Row[] = [
  { kind: 'alerts', severity: null, label: 'Closed cases', help: 'With their alerts, evidence, comments, proposals and answers.' },
  ...Severity.options.map((severity) => ({ kind: 'alerts', severity, label: `Closed cases, severity ${severity}` }) as const),
  { kind: 'answers', severity: null, label: 'Answers of third parties' },
  { kind: 'records', severity: null, label: 'Copied records', help: 'Kept for 35 days without a rule.' },
  { kind: 'stream-events', severity: null, label: 'Stream events' },
  { kind: 'histories', severity: null, label: 'Histories in Temporal', help: 'Temporal deletes them after 30 days by default.' },
  { kind: 'audit', severity: null, label: 'Audit log', help: 'At least 90 days.' },
];

const COUNT_COLUMNS: Column<RetentionCount>[] = [
  { header: 'Data', accessorKey: 'kind', cell: ({ row: { original } }) => findLabel(original) },
  { header: 'To delete', accessorKey: 'would_delete', cell: ({ row: { original } }) => original.would_delete ?? 'unknown' },
  { header: 'Kept by a hold', accessorKey: 'held' },
  {
    header: 'Oldest that stays',
    accessorKey: 'oldest_kept_at',
    cell: ({ row: { original } }) => (original.oldest_kept_at === null ? '–' : <Time at={original.oldest_kept_at} />),
  },
];

function findLabel({ kind, severity }: Pick<RetentionCount, 'kind' | 'severity'>): string {
  return ROWS.find((row) => row.kind === kind && row.severity === severity)?.label ?? kind;
}

function Rules({ retention }: { retention: Retention }) {
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const [rules, setRules] = useState(retention.rules);
  const [isSaving, setIsSaving] = useState(false);
  const params = { path: { organization_code: retention.organization_code } };
  const count = useMutation({
    mutationFn: () => unwrap(api.POST('/organizations/{organization_code}/retention/dry-run', { params, body: { rules } })),
  });
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
          Retention of {retention.organization_code}
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
            <Button size="xs" variant="default" loading={count.isPending && !isSaving} onClick={() => count.mutate()}>
              Dry run
            </Button>
            <Button
              size="xs"
              onClick={() => {
                setIsSaving(true);
                count.mutate();
              }}
            >
              Save rules
            </Button>
          </Group>
        )}
      </Stack>
      <ConfirmDialog
        opened={isSaving}
        title={`Save the rules of ${retention.organization_code}?`}
        action="Save and delete"
        onConfirm={async () => {
          await unwrap(api.PUT('/organizations/{organization_code}/retention', { params, body: { rules } }));
          await queryClient.invalidateQueries({ queryKey: ['settings'] });
        }}
        onClose={() => setIsSaving(false)}
      >
        <Text size="sm">The service deletes this data within an hour. You cannot undo it.</Text>
        {count.error && <ErrorState error={count.error} />}
        {counts}
      </ConfirmDialog>
    </Card>
  );
}

function OrganizationHold({ retention }: { retention: Retention }) {
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const { organization_code: code, legal_hold: hold } = retention;
  const params = { path: { organization_code: code } };
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
          <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
            {hold === null ? 'Place legal hold' : 'Release legal hold'}
          </Button>
        )}
      </Stack>
      {isOpen && (
        <FieldsModal
          title={hold === null ? `Place a legal hold on ${code}` : `Release the legal hold of ${code}`}
          action={hold === null ? 'Place hold' : 'Release hold'}
          fields={[field('reason', 'Reason', { help: 'Shown on this page and in the audit log.' })]}
          onSave={(given) =>
            unwrap(
              hold === null
                ? api.POST('/organizations/{organization_code}/legal-hold', { params, body: toBody(given) })
                : api.POST('/organizations/{organization_code}/legal-hold/release', { params, body: toBody(given) }),
            )
          }
          onSaved={() => {
            setIsOpen(false);
            return queryClient.invalidateQueries({ queryKey: ['settings'] });
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Card>
  );
}
