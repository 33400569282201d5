import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SkillRunListItem } from '../../domain/connection/connection.js';
import { api, type Page } from '../api.js';
import { PageLink } from './page.js';
import { Time } from './time.js';

const SHOWN = 8;

/** Changes that somebody asked for by hand and a second person has to approve; of one connector, or of all. */
export function useWaitingRuns(connector?: string) {
  return useQuery({
    queryKey: ['proposals', 'waiting-runs', connector ?? null],
    queryFn: () => api.get<Page<SkillRunListItem>>('/skill-runs', { state: 'proposed', connector, limit: SHOWN }),
  });
}

/** Each leads to where it is decided. */
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
            {run.skill_id} with {run.instance_name} ({run.organization_code})
          </PageLink>
          <Text size="xs" component="div" className="breakable">
            Asked for by {run.asked_by}, <Time at={run.asked_at} size="xs" />. {run.problem?.message}
          </Text>
        </div>
      ))}
      {runs.next_cursor !== null && <Text size="xs">and more: decide these first.</Text>}
    </Stack>
  );
}
