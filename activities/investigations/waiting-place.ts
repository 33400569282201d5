import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Topic } from '../../db/changes.js';
import { findNewestAuthorPlace, type WaitingPlaceActivities } from '../../domain/playbook/error-place.js';

export const WAITING_PLACE_ACTIVITY_TOPICS = { findWaitingPlace: [] } as const satisfies Record<
  keyof WaitingPlaceActivities,
  readonly Topic[]
>;

export function createWaitingPlaceActivities({ client }: { readonly client: Client }): WaitingPlaceActivities {
  return {
    async findWaitingPlace() {
      const { workflowId = '', runId } = Context.current().info.workflowExecution ?? {};
      // Every workflow answers this query of Temporal Web with the stacks of its open promises.
      return findNewestAuthorPlace(await client.workflow.getHandle(workflowId, runId).query<string, []>('__stack_trace'));
    },
  };
}
