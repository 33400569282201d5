import { proxyActivities } from '@temporalio/workflow';
import {
  type Catalogue,
  type SkillContract,
  type SkillInput,
  type SkillOutput,
  type SkillRequest,
  skillActivityName,
} from '../activities/connectors/define.js';
import type { InvestigationAttempt } from '../domain/investigation.js';
import { skillRetryPolicy } from '../domain/retry-policy.js';

/** What a playbook calls: `await skills.threatIntelligence.getEnrichment({…})`. */
export type Skills<Connectors extends Catalogue> = {
  readonly [Name in keyof Connectors]: {
    readonly [Verb in keyof Connectors[Name]['skills']]: (
      input: SkillInput<Connectors[Name]['skills'][Verb]>,
    ) => Promise<SkillOutput<Connectors[Name]['skills'][Verb]>>;
  };
};

/** Typed proxies whose patience follows from how often this investigation was retried. */
export function skillsFor<Connectors extends Catalogue>(connectors: Connectors, attempt: InvestigationAttempt): Skills<Connectors> {
  const proxies = Object.entries(connectors).map(([name, connector]) => [
    name,
    Object.fromEntries(
      Object.entries(connector.skills).map(([verb, contract]) => [verb, skillProxy(skillActivityName(name, verb), contract, attempt)]),
    ),
  ]);
  return Object.fromEntries(proxies);
}

function skillProxy(activityName: string, contract: SkillContract, attempt: InvestigationAttempt) {
  const retry = skillRetryPolicy(attempt.attempt - 1);
  const waitingSeconds = (retry.maximumAttempts * retry.maximumInterval) / 1000;
  const activities = proxyActivities<Record<string, (request: SkillRequest) => Promise<unknown>>>({
    startToCloseTimeout: contract.timeoutSeconds * 1000,
    scheduleToCloseTimeout: (contract.timeoutSeconds * retry.maximumAttempts + waitingSeconds) * 1000,
    retry,
    summary: contract.title,
  });
  const { alertId, investigationNo } = attempt;
  return (input: unknown) => activities[activityName]?.({ alertId, investigationNo, attempt: attempt.attempt, input });
}
