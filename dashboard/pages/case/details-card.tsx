import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CaseDetail } from '../../../domain/case/case.js';
import { Entities } from '../../components/entities.js';
import { PageLink } from '../../components/page.js';
import { SlaClock } from '../../components/sla.js';
import { Time } from '../../components/time.js';
import { alertQuery } from '../../queries/alerts.js';
import { Technique } from './evidence-entry.js';
import { CaseTags } from './tags.js';

const ALERTS_SHOWN = 5;

export function DetailsCard({ found }: { found: CaseDetail }) {
  const alerts = useQueries({ queries: found.alert_ids.slice(0, ALERTS_SHOWN).map(alertQuery) });
  const entities = alerts.flatMap(({ data }) => data?.entities ?? []);
  const distinct = [...new Map(entities.map((entity) => [`${entity.kind} ${entity.value}`, entity])).values()];
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Details
      </Title>
      <Stack gap="xs">
        <Detail name="Alerts">
          {found.alert_ids.map((alertId) => (
            <PageLink key={alertId} to="/alerts/$alertId" params={{ alertId }} size="sm">
              {alertId}
            </PageLink>
          ))}
        </Detail>
        <Detail name="Investigator">{found.playbook ?? (found.verdict === null ? 'Not chosen yet' : '–')}</Detail>
        <Detail name="Organization">{found.organization_code}</Detail>
        <Detail name="Assignee">{found.assignee ?? 'Unassigned'}</Detail>
        <CaseTags found={found} />
        <Detail name="Opened">
          <Time at={found.opened_at} />
        </Detail>
        <Clocks found={found} />
        {found.closed_at !== null && (
          <Detail name="Closed">
            <Time at={found.closed_at} />
          </Detail>
        )}
        {found.techniques.length > 0 && (
          <Detail name="Techniques">
            {found.techniques.map((technique) => (
              <Technique key={technique} id={technique} />
            ))}
          </Detail>
        )}
        {found.merged.length > 0 && (
          <Detail name="Merged cases">
            {found.merged.map((caseId) => (
              <PageLink key={caseId} to="/cases/$caseId" params={{ caseId }} size="sm">
                {caseId}
              </PageLink>
            ))}
          </Detail>
        )}
        {distinct.length > 0 && (
          <Detail name="Entities">
            <Entities entities={distinct} organizationCode={found.organization_code} />
          </Detail>
        )}
      </Stack>
    </Card>
  );
}

/** The acknowledgement is of interest without a limit too; the card shows the time of closing anyway. */
function Clocks({ found: { sla } }: { found: CaseDetail }) {
  const { acknowledge, close } = sla;
  return (
    <>
      {acknowledge !== null && (acknowledge.due_at !== null || acknowledge.done_at !== null) && (
        <Detail name={acknowledge.done_at === null ? 'Acknowledge' : 'Acknowledged'}>
          <SlaClock clock={acknowledge} />
        </Detail>
      )}
      {close !== null && close.due_at !== null && (
        <Detail name={close.done_at === null ? 'Close' : 'Time limit for closing'}>
          <SlaClock clock={close} />
        </Detail>
      )}
    </>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" fw={600}>
        {name}
      </Text>
      <Group gap={6}>{typeof children === 'string' ? <Text size="sm">{children}</Text> : children}</Group>
    </div>
  );
}
