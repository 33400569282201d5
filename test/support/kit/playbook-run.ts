import { ApplicationFailure, proxyActivities, type WorkflowInterceptors } from '@temporalio/workflow';
import { catalogue } from '../../../connectors/catalogue.js';
import type { Catalogue, SkillContract } from '../../../connectors/kit/define.js';
import type { SharedEntity } from '../../../domain/investigation/investigation.js';
import { readAlertFacts } from '../../../domain/playbook/conditions.js';
import type { RecordAnswer } from '../../../domain/record/record.js';
import { toSkillKey } from '../../../domain/skill-key.js';
import type { EvidenceDraft } from '../../../domain/verdict/evidence.js';
import { type Conclusion, concludeFrom } from '../../../domain/verdict/verdict.js';
import { createAnswerReader } from '../../../workflows/lib/answer-reader.js';
import { rememberAnswer } from '../../../workflows/lib/answer-source.js';
import { AnsweredEvidence } from '../../../workflows/lib/author-run.js';
import { checkCall, checkProposeOptions, withCheckedValues } from '../../../workflows/lib/author-values.js';
import { describeError } from '../../../workflows/lib/mistake.js';
import { noteNotFound } from '../../../workflows/lib/not-found.js';
import { proposalNote } from '../../../workflows/lib/propose.js';
import { CallLimit } from '../../../workflows/lib/run-limits.js';
import { whenStuck } from '../../../workflows/lib/stuck-run.js';
import { WatchedCalls } from '../../../workflows/lib/watched-calls.js';
import type { PlaybookContext, PlaybookWorkflow } from '../../../workflows/playbook.js';

type Context = PlaybookContext<Catalogue>;

/** The facts of the alert. The test's functions are activities, because they stay outside of the sandbox. */
export interface KitInput extends Pick<Context, 'alert' | 'entities' | 'own'> {
  readonly entitiesIncomplete: string | null;
}

export interface KitOutput {
  readonly evidence: readonly EvidenceDraft[];
  readonly conclusion: Conclusion;
}

interface SkillCall {
  readonly connector: string;
  readonly verb: string;
  readonly input: unknown;
}

export interface KitActivities {
  ask(call: SkillCall): Promise<{ readonly answer: Record<string, unknown> } | { readonly gap: string } | { readonly isUnknown: true }>;
  propose(call: SkillCall & { readonly reason: string; readonly releaseAfterHours: number | null }): Promise<void>;
  correlate(question: Parameters<Context['correlate']>[0]): Promise<SharedEntity[]>;
  findLikelyOwn(domains: string[]): Promise<string[]>;
  searchRecords(values: readonly string[]): Promise<RecordAnswer>;
  followUp(question: Parameters<Context['followUp']>[0]): Promise<void>;
}

const activities = proxyActivities<KitActivities>({ startToCloseTimeout: '1h' });

/** Runs the author's function instead of the whole lifecycle, in the sandbox of the workflow. */
export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      async execute({ args: [given] }) {
        try {
          return await runPlaybook(readPlaybook(), given as KitInput);
        } catch (error) {
          throw ApplicationFailure.nonRetryable(describeError(error));
        }
      },
    },
  ],
});

function readPlaybook(): PlaybookWorkflow {
  return Reflect.get(globalThis, '__TEMPORAL_ACTIVATOR__').workflow;
}

async function runPlaybook(playbook: PlaybookWorkflow, { entitiesIncomplete, ...facts }: KitInput): Promise<KitOutput> {
  const evidence = new AnsweredEvidence();
  if (entitiesIncomplete !== null) evidence.leftOut('Entities may be missing', entitiesIncomplete);
  const connectors: Catalogue = playbook.definition.connectors ?? catalogue;
  const calls = new WatchedCalls();
  let isEnded = false;
  const callLimit = new CallLimit();
  const context = withCheckedValues<Context>({
    ...facts,
    skills: calls.watch('skills', createSkills(connectors, evidence, callLimit)),
    isConnected: () => true,
    evidence,
    readAnswer: createAnswerReader({ alert: readAlertFacts(facts.alert, facts.entities), evidence }),
    correlate: activities.correlate,
    findLikelyOwn: activities.findLikelyOwn,
    searchRecords: activities.searchRecords,
    propose: calls.watch('propose', createProposals(connectors, evidence, callLimit)),
    followUp: activities.followUp,
    plan: null,
  });
  const ended = playbook.author(context).finally(() => {
    isEnded = true;
  });
  await Promise.race([ended, whenStuck(() => isEnded)]);
  const [missed] = calls.listUnawaited();
  if (missed) {
    const place = missed.place === null ? '' : ` at ${missed.place}`;
    throw ApplicationFailure.nonRetryable(`${missed.name} was called without await${place}. Add await.`);
  }
  return { evidence: evidence.entries, conclusion: concludeFrom(evidence.entries) };
}

function createSkills(connectors: Catalogue, evidence: AnsweredEvidence, callLimit: CallLimit): Context['skills'] {
  return mapSkills(connectors, 'read', (connector, verb, contract) => async (input: unknown): Promise<Record<string, unknown> | null> => {
    callLimit.countCall();
    checkCall(`skills.${connector}.${verb}`, input, undefined);
    const source = {
      connector: connectors[connector]?.kind ?? connector,
      connection: 'fake',
      skill_id: contract.title,
      skill_key: toSkillKey(connector, verb),
    };
    const reply = await activities.ask({ connector, verb, input });
    if ('isUnknown' in reply) {
      noteNotFound(evidence, { title: contract.title, reason: 'The fake does not know it.', source, input });
      return null;
    }
    if ('gap' in reply) {
      evidence.gap(`${contract.title}: no answer`, reply.gap, { source });
      return null;
    }
    rememberAnswer(reply.answer, source, false, input);
    return reply.answer;
  });
}

interface ProposeOptions {
  readonly reason: string;
  readonly releaseAfterHours?: number;
}

/** Adds the same note as the real one. */
function createProposals(connectors: Catalogue, evidence: AnsweredEvidence, callLimit: CallLimit): Context['propose'] {
  return mapSkills(connectors, 'write', (connector, verb, contract) => async (input: unknown, options: ProposeOptions): Promise<void> => {
    callLimit.countCall();
    checkProposeOptions(`propose.${connector}.${verb}`, options);
    checkCall(`propose.${connector}.${verb}`, input, undefined);
    const { reason, releaseAfterHours = null } = options;
    await activities.propose({ connector, verb, input, reason, releaseAfterHours });
    const note = proposalNote(contract, null, { reason, state: 'waiting', caution: [], existingCaseId: null });
    evidence.note(note.title, note.reason);
  });
}

function mapSkills<Made>(
  connectors: Catalogue,
  effect: SkillContract['effect'],
  make: (connector: string, verb: string, contract: SkillContract) => Made,
): Record<string, Record<string, Made>> {
  const made = Object.entries(connectors).map(([connector, { skills }]) => [
    connector,
    Object.fromEntries(
      Object.entries(skills)
        .filter(([, contract]) => contract.effect === effect)
        .map(([verb, contract]) => [verb, make(connector, verb, contract)]),
    ),
  ]);
  return Object.fromEntries(made);
}
