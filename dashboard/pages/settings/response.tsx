import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RULE_CHANGES } from '../../../domain/response/rule-change.js';
import type { Reply } from '../../api.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { ErrorState, PageSkeleton } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { changeLimit, responseQuery, switchChanges } from '../../queries/response.js';
import { useIsAdmin } from '../../session.js';
import { OrganizationChoice } from './organization-choice.js';
import { ProtectedAssets } from './protected-assets.js';

type ResponseRules = Reply<'/response'>;

/** The rules for changes at third parties: hourly limit, stop switch, protected assets. */
export function Response() {
  return (
    <Stack>
      <OrganizationChoice>
        {(code) => (
          <>
            <Rules key={code} code={code} />
            <ProtectedAssets code={code} />
          </>
        )}
      </OrganizationChoice>
    </Stack>
  );
}

function Rules({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const [dialog, setDialog] = useState<'limit' | 'switch' | null>(null);
  const { data, error, refetch } = useQuery(responseQuery(code));
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={3} fz="md">
          {code} changes at third parties
        </Title>
        {data.stopped ? (
          <Alert color="red" variant="light" title="All changes are stopped" role="status">
            <Text size="sm" className="breakable">
              Stopped by {data.stopped_by}, <Time at={data.stopped_at} />: {data.stop_reason}
            </Text>
          </Alert>
        ) : (
          <Text size="sm">The service sends approved changes.</Text>
        )}
        {data.writes_in_flight.length > 0 && (
          <Text size="sm" className="breakable">
            In progress at a third party: {data.writes_in_flight.map(({ skill_id }) => skill_id).join(', ')}. The stop switch does not hold
            these.
          </Text>
        )}
        <Text size="sm">
          {data.writes_last_hour} of {data.writes_per_hour} changes in the last hour. Changes over the limit wait.
        </Text>
        {data.pending_changes.map(({ change, target, value, asked_by, expires_at, not_counted }) => (
          <Alert key={`${change} ${target}`} color="yellow" variant="light" title="Waits for a second approver" role="status">
            <Text size="sm" className="breakable">
              {asked_by} asked to {RULE_CHANGES[change]}
              {value === null ? '' : ` to ${value}`}. Another admin has to make the same change here before <Time at={expires_at} />.
              {not_counted === null ? '' : ` This request does not count. ${not_counted}`}
            </Text>
          </Alert>
        ))}
        {isAdmin && (
          <Group gap="xs">
            <Button size="xs" color={data.stopped ? 'blue' : 'red'} onClick={() => setDialog('switch')}>
              {data.stopped ? 'Resume changes' : 'Stop all changes'}
            </Button>
            <Button size="xs" variant="default" onClick={() => setDialog('limit')}>
              Change limit
            </Button>
          </Group>
        )}
      </Stack>
      {dialog === 'switch' && <StopSwitchDialog rules={data} onClose={() => setDialog(null)} />}
      {dialog === 'limit' && (
        <FieldsModal
          title={`${code} hourly limit`}
          action="Save"
          fields={[
            field('writes_per_hour', 'Changes per hour', {
              help: `Current limit: ${data.writes_per_hour}`,
              schema: { type: 'integer', minimum: 1, maximum: 10_000 },
            }),
          ]}
          change={changeLimit(code)}
          onClose={() => setDialog(null)}
        />
      )}
    </Card>
  );
}

function StopSwitchDialog({ rules, onClose }: { rules: ResponseRules; onClose: () => void }) {
  const { organization_code: code } = rules;
  // The rules can change while the dialog is open. It still does what it said.
  const [stopped] = useState(rules.stopped);
  const action = stopped ? 'Resume changes' : 'Stop all changes';
  return (
    <FieldsModal
      title={`${action} (${code})`}
      action={action}
      color={stopped ? 'blue' : 'red'}
      fields={[field('reason', 'Reason', { help: 'Shown on this page and in the audit log.' })]}
      change={switchChanges(code, stopped ? 'resume' : 'stop')}
      onClose={onClose}
    >
      <Text size="sm">
        {stopped
          ? 'The service sends the approved changes on hold, within the hourly limit.'
          : 'The service holds all pending and new changes at third parties until an admin resumes them. Investigations continue and still read data.'}
      </Text>
    </FieldsModal>
  );
}
