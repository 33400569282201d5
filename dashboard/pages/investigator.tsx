import { Alert, Button, Card, Code, Group, Select, Stack, Tabs, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Playbook } from '../../services/playbooks/wire.js';
import { SeverityBadge } from '../components/badges.js';
import { Page, PageLink } from '../components/page.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { Time } from '../components/time.js';
import { pinVersion, planQuery, planVersionsQuery, playbookQuery } from '../queries/playbooks.js';
import { useIsAdmin } from '../session.js';
import { AlertTypes } from './investigator/alert-types.js';
import { DeletePlaybook } from './investigator/delete-playbook.js';
import { PlanEditor, PlanJson } from './investigator/plan-editor.js';
import { PlanGraph } from './investigator/plan-graph.js';
import { RunGraph } from './investigator/run-graph.js';
import { formatCount, formatSuccess, formatTypicalDuration, Origin } from './investigator/runs.js';

const TABS = ['steps', 'ran', 'edit', 'eject'] as const;

export function InvestigatorPage() {
  const { playbookId } = useParams({ from: '/inside/investigators/$playbookId' });
  const { data, error, refetch } = useQuery(playbookQuery(playbookId));
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  return (
    <Page
      name={data.name}
      title={
        <Group gap="xs" component="span">
          {data.name}
          <Origin playbook={data} />
          <SeverityBadge severity={data.severity} />
        </Group>
      }
    >
      {data.deleted_at !== null && (
        <Alert color="gray" title="Deleted">
          <Text size="sm">
            This investigator was deleted <Time at={data.deleted_at} /> and takes no more alerts.
          </Text>
        </Alert>
      )}
      <Text size="sm" className="breakable">
        Organization: {data.organization_code ?? 'all'}. Runs: {formatCount(data)}. Success: {formatSuccess(data)}. Typical duration:{' '}
        {formatTypicalDuration(data)}.
      </Text>
      {data.origin === 'generated' ? (
        <Stack>
          <AlertTypes playbook={data} />
          <Plans playbook={data} />
        </Stack>
      ) : (
        <Stack>
          <Alert color="grape" variant="light" title="Written in TypeScript">
            <Text size="sm">
              The code is in <Code>workflows/playbooks</Code>, exported as <Code>{data.workflow_type}</Code>. To see the steps for one
              alert, open the alert:
            </Text>
            <Group gap="sm" mt="xs">
              {data.alert_types.map((alertType) => (
                <PageLink key={alertType} to="/alerts" search={{ type: alertType }} size="sm">
                  {alertType}
                </PageLink>
              ))}
            </Group>
          </Alert>
          <RunGraph playbookId={data.playbook_id} />
        </Stack>
      )}
    </Page>
  );
}

function Plans({ playbook }: { playbook: Playbook }) {
  const { version, tab = 'steps' } = useSearch({ from: '/inside/investigators/$playbookId' });
  const navigate = useNavigate({ from: '/investigators/$playbookId' });
  const isAdmin = useIsAdmin();
  const plan = useQuery(planQuery(playbook.playbook_id, version));
  const versions = useQuery(planVersionsQuery(playbook.playbook_id));
  if (plan.error) return <ErrorState error={plan.error} retry={plan.refetch} />;
  if (!plan.data) return <PageSkeleton />;
  const shown = plan.data;
  const choices = (versions.data?.items ?? []).map((each) => ({
    value: String(each.version),
    label: `Version ${each.version} by ${each.author ?? 'the service'}`,
  }));
  return (
    <Stack>
      <Group gap="xs">
        <Select
          aria-label="Plan version"
          data={choices}
          value={String(shown.version)}
          allowDeselect={false}
          onChange={(chosen) => navigate({ search: (now) => ({ ...now, version: Number(chosen) }) })}
          w={260}
        />
        <Text size="sm">
          Created <Time at={shown.created_at} />
          {shown.made_from === null ? '' : ` from version ${shown.made_from}`}
        </Text>
        {isAdmin && playbook.deleted_at === null && (
          <>
            <Pin playbook={playbook} version={shown.version} />
            <DeletePlaybook playbook={playbook} />
          </>
        )}
      </Group>
      <Tabs
        value={tab}
        onChange={(value) => navigate({ search: (now) => ({ ...now, tab: TABS.find((each) => each === value) }) })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="steps">Steps</Tabs.Tab>
          <Tabs.Tab value="ran">Past runs</Tabs.Tab>
          <Tabs.Tab value="edit">{isAdmin ? 'Edit' : 'JSON'}</Tabs.Tab>
          {!playbook.is_shared && <Tabs.Tab value="eject">Export as code</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="steps" pt="sm">
          <PlanGraph key={shown.version} plan={shown.plan} />
        </Tabs.Panel>
        <Tabs.Panel value="ran" pt="sm">
          <RunGraph key={shown.version} playbookId={playbook.playbook_id} version={shown.version} />
        </Tabs.Panel>
        <Tabs.Panel value="edit" pt="sm">
          {isAdmin && playbook.deleted_at === null ? (
            <PlanEditor key={shown.version} shown={shown} />
          ) : (
            <PlanJson text={JSON.stringify(shown.plan, null, 2)} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="eject" pt="sm">
          <Eject alertType={playbook.alert_types[0] ?? playbook.name} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** New investigations use the pinned version even where a newer one exists. */
function Pin({ playbook, version }: { playbook: Playbook; version: number }) {
  const pin = useMutation(pinVersion(playbook.playbook_id));
  const isPinned = playbook.pinned_version === version;
  return (
    <>
      <Button size="xs" variant="default" loading={pin.isPending} onClick={() => pin.mutate(isPinned ? null : version)}>
        {isPinned ? 'Unpin' : 'Pin this version'}
      </Button>
      {pin.error && <ErrorState error={pin.error} />}
    </>
  );
}

function Eject({ alertType }: { alertType: string }) {
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Convert to TypeScript
      </Title>
      <Text size="sm" mb="xs">
        This command writes the plan as a playbook with a test. After you restart the worker, the playbook handles this alert type.
      </Text>
      <Code block>{`npm run playbook:eject -- ${JSON.stringify(alertType)}`}</Code>
    </Card>
  );
}
