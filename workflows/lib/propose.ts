import { ApplicationFailure } from '@temporalio/workflow';
import type { Catalogue, ConnectorContract, SkillContract, SkillInput } from '../../connectors/kit/define.js';
import { PROPOSED } from '../../domain/case/evidence-groups.js';
import type { AffectedAssets } from '../../domain/connection/affected-assets.js';
import type { ConnectionActivities } from '../../domain/connection/skill.js';
import type { ProposalActivities, ProposalState, ProposedWrite } from '../../domain/response/proposal.js';
import { toSkillKey } from '../../domain/skill-key.js';
import { findAffectedAssets } from './affected-assets.js';
import { isTruncated, noteRead } from './answer-source.js';
import { checkCall, checkProposeOptions } from './author-values.js';
import type { EvidenceLog } from './evidence-log.js';
import type { CallLimit } from './run-limits.js';
import type { Skills } from './skills.js';

interface ProposeOptions {
  readonly reason: string;
  /** The service undoes the write after this time unless a person confirms it again. */
  readonly releaseAfterHours?: number;
  /** The instance name of a connection. Default: the organization's default connection of the kind. */
  readonly connection?: string;
}

type WriteVerb<Connector extends ConnectorContract> = {
  [Verb in keyof Connector['skills']]: Connector['skills'][Verb]['effect'] extends 'write' ? Verb : never;
}[keyof Connector['skills']];

/** `await propose.endpointDetection.isolateMachine({…}, { reason })`. A person decides. */
export type Proposals<Connectors extends Catalogue> = {
  readonly [Name in keyof Connectors]: {
    readonly [Verb in WriteVerb<Connectors[Name]>]: (
      input: SkillInput<Connectors[Name]['skills'][Verb]>,
      options: ProposeOptions,
    ) => Promise<void>;
  };
};

interface Proposer<Connectors extends Catalogue> {
  readonly alertId: string;
  readonly investigationNo: number;
  /** Finds the assets that the write would affect. */
  readonly skills: Skills<Connectors>;
  readonly bookkeeping: ProposalActivities & ConnectionActivities;
  readonly evidence: EvidenceLog;
  /** Absent for a stored plan: its schema limits its calls. */
  readonly callLimit?: CallLimit | undefined;
}

/** Creates a typed proxy for each write. A call creates a proposal and adds a note to the evidence. */
export function createProposals<Connectors extends Catalogue>(
  connectors: Connectors,
  proposer: Proposer<Connectors>,
): Proposals<Connectors> {
  const proxies = Object.entries(connectors).map(([name, connector]) => [
    name,
    Object.fromEntries(
      Object.entries(connector.skills)
        .filter(([, { effect }]) => effect === 'write')
        .map(([verb, contract]) => [verb, createProposalProxy({ name, connector, verb, contract }, proposer)]),
    ),
  ]);
  return Object.fromEntries(proxies);
}

interface WriteSkill {
  readonly name: string;
  readonly connector: ConnectorContract;
  readonly verb: string;
  readonly contract: SkillContract;
}

function createProposalProxy<Connectors extends Catalogue>(
  { name, connector, verb, contract }: WriteSkill,
  proposer: Proposer<Connectors>,
) {
  const { alertId, investigationNo, skills, bookkeeping, evidence, callLimit } = proposer;
  return async (given: unknown, options: ProposeOptions): Promise<void> => {
    callLimit?.countCall();
    const call = `propose.${toSkillKey(name, verb)}`;
    checkProposeOptions(call, options);
    checkCall(call, given, options.connection);
    const source = {
      connector: connector.kind,
      connection: options.connection ?? null,
      skill_id: contract.title,
      skill_key: toSkillKey(name, verb),
    };
    const addGap = (reason: string) => evidence.gap(`${contract.title}: not proposed`, reason, { source });
    const checked = await bookkeeping.checkProposal({ connector: name, verb, input: given });
    if ('problem' in checked) return addGap(`Invalid input: ${checked.problem}`);
    const { input } = checked;
    const instanceName = options.connection ?? null;
    const connection = await bookkeeping.resolveConnection({ alertId, kind: connector.kind, instanceName });
    if (connection === null) {
      const wanted = instanceName === null ? '' : ` named ${instanceName}`;
      return addGap(`The organization has no connection to the ${connector.title}${wanted}. Add one to allow this action.`);
    }
    const assets = await findAffectedAssets(contract, input, async (read, question) => {
      const answer = await askFor(skills, name, read, question, options);
      if (answer === null) return null;
      noteRead(answer);
      return { output: answer, isComplete: !isTruncated(answer) };
    });
    const proposed = await bookkeeping.propose({
      alertId,
      investigationNo,
      connectionId: connection.connectionId,
      connector: name,
      verb,
      input,
      reason: options.reason,
      assets,
      releaseAfterHours: contract.undoneBy ? (options.releaseAfterHours ?? null) : null,
    });
    const { title, reason } = proposalNote(contract, assets, proposed);
    evidence.note(title, reason, { source: { ...source, connection: connection.instanceName } });
  };
}

async function askFor<Connectors extends Catalogue>(
  skills: Skills<Connectors>,
  name: string,
  verb: string,
  question: Record<string, unknown>,
  { connection }: ProposeOptions,
): Promise<object | null> {
  const reads: object = Reflect.get(skills, name);
  const ask: unknown = Reflect.get(reads, verb);
  if (typeof ask !== 'function') throw ApplicationFailure.nonRetryable(`Unknown skill ${name}.${verb}.`, 'UnknownSkill');
  return ask(question, connection === undefined ? {} : { connection });
}

const STATE_NOTES: Readonly<Partial<Record<ProposalState, string>>> = {
  waiting: 'Needs approval.',
  refused: 'A person refused it earlier, so it is not proposed again.',
  done: 'It was done earlier, so it is not proposed again.',
  failed: 'An earlier attempt has an unknown outcome, so it is not proposed again.',
};

const STATE_NOTES_ELSEWHERE: Readonly<Partial<Record<ProposalState, string>>> = {
  waiting: 'it needs approval there',
  done: 'it was done there and is not undone',
};

/** Returns the evidence note about a proposal. */
export function proposalNote(
  { title }: SkillContract,
  assets: AffectedAssets | null,
  proposal: Omit<ProposedWrite, 'proposalId'>,
): { title: string; reason: string } {
  const hosts = assets?.hosts ?? [];
  const { state } = proposal;
  const existingCaseId = proposal.existingCaseId ?? proposal.standsIn ?? null;
  const stateNote =
    existingCaseId === null
      ? (STATE_NOTES[state] ?? 'It was approved earlier.')
      : `The same action is already proposed in ${existingCaseId}: ${STATE_NOTES_ELSEWHERE[state] ?? 'it was approved there'}.`;
  return {
    title: [PROPOSED, title, ...hosts].join(' '),
    reason: [proposal.reason, ...proposal.caution, ...(proposal.caution.length > 0 ? ['Two people must approve it.'] : []), stateNote].join(
      ' ',
    ),
  };
}
