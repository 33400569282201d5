import { Stack, Text } from '@mantine/core';
import type { SkillRunListItem } from '../../domain/connection/connection.js';
import type { Page } from '../api.js';
import { PageLink } from './page.js';
import { Time } from './time.js';

/** Manual runs that need a second approver. */
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
