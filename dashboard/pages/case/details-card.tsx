import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AlertDetail } from '../../../domain/alert/alert.js';
import type { CaseDetail } from '../../../domain/case/case.js';
import { api } from '../../api.js';
import { Entities } from '../../components/entities.js';
import { PageLink } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { Technique } from './evidence-list.js';

const ALERTS_SHOWN = 5;

export function Facts({ found }: { found: CaseDetail }) {
  const alerts = useQueries({
    queries: found.alert_ids.slice(0, ALERTS_SHOWN).map((alertId) => ({
      queryKey: ['alerts', 'one', alertId],
      queryFn: () => api.get<AlertDetail>(`/alerts/${encodeURIComponent(alertId)}`),
    })),
  });
  const entities = alerts.flatMap(({ data }) => data?.entities ?? []);
  const distinct = [...new Map(entities.map((entity) => [`${entity.kind} ${entity.value}`, entity])).values()];
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        About this case
      </Title>
      <Stack gap="xs">
        <Fact name="Alerts">
          {found.alert_ids.map((alertId) => (
            <PageLink key={alertId} to="/alerts/$alertId" params={{ alertId }} size="sm">
              {alertId}
            </PageLink>
          ))}
        </Fact>
        <Fact name="Investigator">{found.playbook ?? '–'}</Fact>
        <Fact name="Organization">{found.organization_code}</Fact>
        <Fact name="Assignee">{found.assignee ?? 'nobody'}</Fact>
        <Fact name="Opened">
          <Time at={found.opened_at} />
        </Fact>
        {found.closed_at !== null && (
          <Fact name="Closed">
            <Time at={found.closed_at} />
          </Fact>
        )}
        {found.techniques.length > 0 && (
          <Fact name="Techniques">
            {found.techniques.map((technique) => (
              <Technique key={technique} id={technique} />
            ))}
          </Fact>
        )}
        {found.merged.length > 0 && (
          <Fact name="Merged into it">
            {found.merged.map((caseId) => (
              <PageLink key={caseId} to="/cases/$caseId" params={{ caseId }} size="sm">
                {caseId}
              </PageLink>
            ))}
          </Fact>
        )}
        {distinct.length > 0 && (
          <Fact name="Entities">
            <Entities entities={distinct} />
          </Fact>
        )}
      </Stack>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" fw={600}>
        {name}
      </Text>
      <Group gap={6}>{typeof children === 'string' ? <Text size="sm">{children}</Text> : children}</Group>
    </div>
  );
}
