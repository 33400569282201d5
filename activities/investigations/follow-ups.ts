import { findSkillKey } from '../../connectors/skill-index.js';
import type { Topic } from '../../db/changes.js';
import type { FollowUpActivities } from '../../domain/investigation/investigation.js';
import { beginFollowUp } from '../../services/follow-ups/begin.js';
import { planFollowUp } from '../../services/follow-ups/plan.js';
import { planToAskAgain } from '../../services/follow-ups/plan-to-ask-again.js';
import { type CommandDeps, serviceContext } from '../service-context.js';

export const FOLLOW_UP_ACTIVITY_TOPICS = {
  planFollowUp: ['alerts', 'cases'],
  askAgain: ['alerts', 'cases'],
  beginFollowUp: ['alerts', 'cases'],
} as const satisfies Record<keyof FollowUpActivities, readonly Topic[]>;

/** Each activity is idempotent. */
export function createFollowUpActivities(deps: CommandDeps): FollowUpActivities {
  const context = serviceContext(deps);
  return {
    planFollowUp: ({ afterHours, reason, ...ref }) => planFollowUp(context, ref, { afterHours, reason }),

    askAgain: ({ unanswered, ...ref }) =>
      planToAskAgain(
        context,
        ref,
        unanswered.map((question) => ({ ...question, skillKey: question.skillKey ?? findSkillKey(question.skillId) })),
      ),

    beginFollowUp: (ref) => beginFollowUp(context, ref),
  };
}
