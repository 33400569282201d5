import { Alert, Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Organization } from '../../../domain/identity/identity.js';
import type { ResponseRules } from '../../../domain/response/response-rules.js';
import { api } from '../../api.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { ErrorState, PageSkeleton } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useWholeList } from '../../components/whole-list.js';
import { useIsAdmin, useSession } from '../../session.js';
import { ProtectedAssets } from './protected-assets.js';

/** What the service may change at third parties: an organization's limit, its stop switch, what it protects. */
export function Response() {
  const { organization_code: own } = useSession();
  const organizations = useWholeList<Organization>('settings', '/organizations');
  const codes = (organizations.items ?? []).map(({ organization_code }) => organization_code);
  const [chosen, setChosen] = useState(own);
  const code = chosen ?? codes[0];
  if (organizations.error) return <ErrorState error={organizations.error} again={organizations.refetch} />;
  if (code === undefined) return <PageSkeleton />;
  return (
    <Stack>
      {codes.length > 1 && <Select label="Organization" data={codes} value={code} onChange={setChosen} allowDeselect={false} maw={320} />}
      <Rules key={code} code={code} />
      <ProtectedAssets code={code} />
    </Stack>
  );
}

function Rules({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState<'limit' | 'switch' | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', '/response', code],
    queryFn: () => api.get<ResponseRules>('/response', { organization_code: code }),
  });
  if (error) return <ErrorState error={error} again={refetch} />;
  if (!data) return <PageSkeleton />;
  const done = () => {
    setAsking(null);
    return queryClient.invalidateQueries({ queryKey: ['settings'] });
  };
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={3} fz="md">
          Changes at third parties
        </Title>
        {data.stopped ? (
          <Alert color="red" variant="light" title="All changes are held" role="status">
            <Text size="sm" className="breakable">
              Stopped by {data.stopped_by}, <Time at={data.stopped_at} />: {data.stop_reason}
            </Text>
          </Alert>
        ) : (
          <Text size="sm">What was approved is sent.</Text>
        )}
        <Text size="sm">
          {data.writes_last_hour} of at most {data.writes_per_hour} changes were sent within the last hour; what exceeds that waits.
        </Text>
        {isAdmin && (
          <Group gap="xs">
            <Button size="xs" color={data.stopped ? 'blue' : 'red'} onClick={() => setAsking('switch')}>
              {data.stopped ? 'Let changes go on' : 'Stop all changes'}
            </Button>
            <Button size="xs" variant="default" onClick={() => setAsking('limit')}>
              Change the limit
            </Button>
          </Group>
        )}
      </Stack>
      {asking === 'switch' && <TurnSwitch rules={data} onDone={done} onClose={() => setAsking(null)} />}
      {asking === 'limit' && (
        <FieldsModal
          title={`Changes of ${code} within an hour`}
          action="Save"
          fields={[
            field('writes_per_hour', 'At most', {
              help: `Now ${data.writes_per_hour}.`,
              schema: { type: 'integer', minimum: 1, maximum: 10_000 },
            }),
          ]}
          onSave={(rules) => api.patch<ResponseRules>('/response', { ...rules, organization_code: code })}
          onSaved={done}
          onClose={() => setAsking(null)}
        />
      )}
    </Card>
  );
}

function TurnSwitch({ rules, onDone, onClose }: { rules: ResponseRules; onDone: () => unknown; onClose: () => void }) {
  const { organization_code: code, stopped } = rules;
  return (
    <FieldsModal
      title={stopped ? `Let changes of ${code} go on` : `Stop all changes of ${code}`}
      action={stopped ? 'Let them go on' : 'Stop all changes'}
      color={stopped ? 'blue' : 'red'}
      fields={[field('reason', 'Reason', { help: 'Everybody who looks here sees it, and the audit log keeps it.' })]}
      onSave={(given) => api.post<ResponseRules>(stopped ? '/response/resume' : '/response/stop', { ...given, organization_code: code })}
      onSaved={onDone}
      onClose={onClose}
    >
      <Text size="sm">
        {stopped
          ? 'What was held is sent, as far as it is approved and the limit leaves room.'
          : 'Every pending and new change at third parties is held until somebody lets them go on. Investigations go on and read as before.'}
      </Text>
    </FieldsModal>
  );
}
