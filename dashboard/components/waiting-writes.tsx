import { Stack, Text } from '@mantine/core';
import type { Proposal } from '../../domain/response/proposal.js';
import type { Page } from '../api.js';
import { PageLink } from './page.js';
import { Time } from './time.js';

/** Manual writes that need a second approver. */
export function WaitingWrites({ writes }: { writes: Page<Proposal> }) {
  return (
    <Stack gap="xs">
      {writes.items.map((write) => (
        <div key={write.proposal_id}>
          <PageLink
            to="/integrations/$connector"
            params={{ connector: write.connector }}
            search={{ tab: 'skills', run: write.proposal_id }}
            size="sm"
            underline="always"
            className="breakable"
          >
            {write.skill_id} on {write.connection} ({write.organization_code})
          </PageLink>
          <Text size="xs" component="div" className="breakable">
            Requested by {write.requested_by}, <Time at={write.proposed_at} size="xs" />. {write.held_because}
          </Text>
        </div>
      ))}
      {writes.next_cursor !== null && <Text size="xs">There are more. Decide on these first.</Text>}
    </Stack>
  );
}
