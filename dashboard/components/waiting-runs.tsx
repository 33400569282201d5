import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SkillRunListItem } from '../../domain/connection/connection.js';
import { api, type Page, unwrap } from '../api.js';
import { PageLink } from './page.js';
import { Time } from './time.js';

const SHOWN = 8;

/** Manual runs of write skills that need a second person's approval, of one connector or of all. */
export function useWaitingRuns(connector?: string) {
  return useQuery({
    queryKey: ['proposals', 'waiting-runs', connector ?? null],
    queryFn: () => unwrap(api.GET('/skill-runs', { params: { query: { state: 'proposed', connector, limit: SHOWN } } })),
  });
}

export function WaitingRuns({ runs }: { runs: Page<SkillRunListItem> }) {
  return (
    <Stack gap="xs">
      {runs.items.map((run) => (
        <div key={run.run_id}>
          <PageLink
            to="/integrations/$connector"
            params={{ connector: run.connector }}
            search={{ tab: 'skills', run: run.run_id }}
            size="sm"
            underline="always"
            className="breakable"
          >
            {run.skill_id} on {run.instance_name} ({run.organization_code})
          </PageLink>
          <Text size="xs" component="div" className="breakable">
            Requested by {run.asked_by}, <Time at={run.asked_at} size="xs" />. {run.problem?.message}
          </Text>
        </div>
      ))}
      {runs.next_cursor !== null && <Text size="xs">There are more. Decide on these first.</Text>}
    </Stack>
  );
}
