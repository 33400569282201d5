import { ApplicationFailure, type Info } from '@temporalio/activity';
import type { SourceActivities } from '../domain/alert/intake-source.js';
import type { ConnectionActivities, ConnectionTestActivities, SkillRunActivities } from '../domain/connection/skill.js';
import { skillRunWorkflowId } from '../domain/connection/skill.js';
import type { FollowUpActivities, InvestigationActivities } from '../domain/investigation/investigation.js';
import { type NotificationActivities, notifyWorkflowId } from '../domain/notification/delivery.js';
import type { ComparisonActivities } from '../domain/playbook/comparison.js';
import type { RecordActivities } from '../domain/record/record.js';
import { type ProposalActivities, proposalWorkflowId } from '../domain/response/proposal.js';
import { recordRefusedCall } from '../services/callers/record-refused-call.js';
import type { WorkContext } from '../services/context.js';

/** Whether a workflow with this id may call the activity with these arguments. */
type OwnerRule = (workflowId: string, args: readonly unknown[]) => boolean;
type Rules<Activities> = { readonly [Name in keyof Activities]: OwnerRule };

const any: OwnerRule = () => true;
const ofAlert: OwnerRule = (workflowId, [given]) => readField(given, 'alertId') === workflowId;
const ofProposal: OwnerRule = (workflowId, [id]) => typeof id === 'string' && proposalWorkflowId(id) === workflowId;
const ofRun: OwnerRule = (workflowId, [id]) => typeof id === 'string' && skillRunWorkflowId(id) === workflowId;
const ofItself: OwnerRule = (workflowId, [given]) => readField(given, 'workflowId') === workflowId;
const ofConnection =
  (prefix: string): OwnerRule =>
  (workflowId, [id]) =>
    typeof id === 'string' && `${workflowId}-`.startsWith(`${prefix}-${id}-`);

/** Only code of this service can call them: a worker runs a local activity for its own workflow code alone. */
const LOCAL_RULES: Rules<InvestigationActivities & FollowUpActivities & ProposalActivities & ConnectionActivities & SkillRunActivities> = {
  begin: ofAlert,
  recordEvidence: ofAlert,
  readAnswer: ofAlert,
  correlate: ofAlert,
  findLikelyOwn: ofAlert,
  conclude: ofAlert,
  fail: ofAlert,
  planFollowUp: ofAlert,
  askAgain: ofAlert,
  // The row of the follow-up decides.
  beginFollowUp: any,
  checkProposal: any,
  propose: ofAlert,
  readProposal: ofProposal,
  beginProposal: ofProposal,
  holdProposal: ofProposal,
  expireProposal: ofProposal,
  withdrawDone: ofProposal,
  endProposal: ofProposal,
  resolveConnection: ofAlert,
  parkOnConnection: ofItself,
  leaveConnection: ofItself,
  readSkillRun: ofRun,
  guardSkillRun: ofRun,
  holdSkillRun: ofRun,
  endSkillRun: ofRun,
};

const REGULAR_RULES: Rules<
  SourceActivities & RecordActivities & NotificationActivities & ComparisonActivities & Omit<ConnectionTestActivities, 'wakeWaiters'>
> = {
  pollSource: ofConnection('poll-source'),
  askForWindow: ofConnection('poll-source'),
  takeWindow: ofConnection('poll-source'),
  endPoll: ofConnection('poll-source'),
  searchRecords: ofAlert,
  deliverNotifications: (workflowId, [given]) => workflowId === notifyWorkflowId(String(readField(given, 'channelId'))),
  comparePlan: (workflowId, [given]) => workflowId.startsWith(`compare-plan-${readField(given, 'playbookId')}-`),
  testConnection: ofConnection('test-connection'),
  askAgainNow: ofConnection('test-connection'),
};

const localRules = new Map<string, OwnerRule>(Object.entries(LOCAL_RULES));
const regularRules = new Map<string, OwnerRule>(Object.entries(REGULAR_RULES));

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

type Caller = Pick<Info, 'activityType' | 'isLocal' | 'workflowExecution'>;

/** null: the call is allowed. A skill checks its own caller, because it can also run on a remote agent. */
function findForeignCaller({ activityType, isLocal, workflowExecution }: Caller, args: readonly unknown[]): string | null {
  const local = localRules.get(activityType);
  if (local !== undefined && !isLocal) return 'A workflow that no worker of this service runs called the activity.';
  const rule = local ?? regularRules.get(activityType);
  if (rule === undefined || rule(workflowExecution?.workflowId ?? '', args)) return null;
  return 'The workflow does not belong to the record that its call names.';
}

/** Throws for a call that no workflow of this service makes, and audits it. */
export async function refuseForeignCaller(context: WorkContext, caller: Caller, args: readonly unknown[]): Promise<void> {
  const reason = findForeignCaller(caller, args);
  if (reason === null) return;
  const { activityType, workflowExecution } = caller;
  await recordRefusedCall(context, {
    organizationUuid: null,
    workflowId: workflowExecution?.workflowId ?? '',
    activity: activityType,
    connectionUuid: null,
    reason,
  });
  throw ApplicationFailure.nonRetryable(reason, 'NotApproved');
}
