import { SimpleGrid } from '@mantine/core';
import type { Overview } from '../../../domain/case/overview.js';
import { Figure } from '../../components/figure.js';
import { PageLink } from '../../components/page.js';
import { formatDuration } from '../../components/time.js';

/** How fast people work on cases, each figure with its definition. */
export function ResponseTimes({ sla: { acknowledged, closed, breaches }, period }: { sla: Overview['sla']; period: string }) {
  const { breached, decided } = breaches;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Figure
        label="MTTA"
        value={
          <PageLink to="/cases" search={{ sla: 'acknowledged' }} inherit>
            {formatMean(acknowledged)}
          </PageLink>
        }
        hint={`Mean time to acknowledge. ${describeCases(acknowledged)} acknowledged ${period}.`}
      />
      <Figure
        label="MTTR"
        value={
          <PageLink to="/cases" search={{ status: 'closed' }} inherit>
            {formatMean(closed)}
          </PageLink>
        }
        hint={`Mean time to close. ${describeCases(closed)} closed ${period}.`}
      />
      <Figure
        label="SLA breach rate"
        value={
          <PageLink to="/cases" search={{ sla: 'breached' }} inherit>
            {decided === 0 ? '–' : `${Math.round((100 * breached) / decided)} %`}
          </PageLink>
        }
        hint={
          decided === 0 ? (
            <>
              No time limit was met or missed {period}.{' '}
              <PageLink to="/settings" search={{ tab: 'sla' }} size="xs" underline="always">
                Set time limits
              </PageLink>
            </>
          ) : (
            `Missed limits among those that were met or missed: ${breached} of ${decided} ${period}.`
          )
        }
      />
    </SimpleGrid>
  );
}

type MeanTime = Overview['sla']['acknowledged'];

function formatMean(mean: MeanTime): string {
  return mean === null ? '–' : formatDuration(mean.mean_seconds);
}

function describeCases(mean: MeanTime): string {
  if (mean === null) return 'No case was';
  return mean.cases === 1 ? '1 case was' : `${mean.cases.toLocaleString()} cases were`;
}
