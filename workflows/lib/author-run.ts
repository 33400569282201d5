import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue, SkillContract } from '../../connectors/kit/define.js';
import type { Entity } from '../../domain/entity/entity.js';
import type { BehaviourFound } from '../../domain/investigation/behaviour.js';
import type { AlertFacts } from '../../domain/investigation/investigation.js';
import type { AuthorRun } from '../../domain/playbook/comparison.js';
import { readAlertFacts } from '../../domain/playbook/conditions.js';
import type { Plan } from '../../domain/playbook/playbook.js';
import type { RecordAnswer } from '../../domain/record/record.js';
import { type SkillKey, toSkillKey } from '../../domain/skill-key.js';
import { concludeFrom } from '../../domain/verdict/verdict.js';
import type { PlaybookContext, PlaybookWorkflow } from '../playbook.js';
import { createAnswerReader } from './answer-reader.js';
import { findSource, rememberAnswer } from './answer-source.js';
import { withCheckedValues } from './author-values.js';
import { addBehaviours } from './behaviours.js';
import { EvidenceRecorder } from './evidence-log.js';
import { noteNotFound } from './not-found.js';

export interface AuthorGiven {
  readonly alert: AlertFacts;
  readonly entities: readonly Entity[];
  readonly plan: Plan | null;
  /** Null: the skill has no answer, which is a gap. 'unknown': the third party does not know the subject, which is none. */
  answer(skill: { skillKey: SkillKey; contract: SkillContract }, input: unknown): object | 'unknown' | null;
  readonly correlate: PlaybookContext<Catalogue>['correlate'];
  /** Default: no third party has records. */
  readonly searchRecords?: PlaybookContext<Catalogue>['searchRecords'];
  /** Default: none. */
  readonly own?: PlaybookContext<Catalogue>['own'];
  /** Default: none. */
  readonly behaviours?: readonly BehaviourFound[];
  /** Default: none. */
  readonly findLikelyOwn?: PlaybookContext<Catalogue>['findLikelyOwn'];
  /** Default: every third party is connected. */
  readonly isConnected?: PlaybookContext<Catalogue>['isConnected'];
}

export const NO_RECORDS: RecordAnswer = { matches: [], searched: [], problems: [] };

/** Runs the function of a playbook without Temporal. `answer` replaces the skills, and proposals have no effect. */
export async function runAuthor<Connectors extends Catalogue>(
  playbook: PlaybookWorkflow<Connectors>,
  given: AuthorGiven,
): Promise<AuthorRun> {
  const evidence = new AnsweredEvidence();
  addBehaviours(evidence, given.behaviours ?? []);
  const connectors: Catalogue = playbook.definition.connectors ?? catalogue;
  const proposals: string[] = [];
  const isConnected = given.isConnected ?? (() => true);
  const each = (make: (skill: { connector: string; skillKey: SkillKey; kind: string; contract: SkillContract }) => unknown) => {
    const made = Object.entries(connectors).map(([connector, { kind, skills }]) => [
      connector,
      Object.fromEntries(
        Object.entries(skills).map(([verb, contract]) => [
          verb,
          make({ connector, skillKey: toSkillKey(connector, verb), kind, contract }),
        ]),
      ),
    ]);
    return Object.fromEntries(made);
  };
  const context = withCheckedValues<PlaybookContext<Connectors>>({
    alert: given.alert,
    entities: given.entities,
    own: given.own ?? [],
    skills: each(({ connector, skillKey, kind, contract }) => async (input: unknown) => {
      const source = { connector: kind, connection: null, skill_id: contract.title, skill_key: skillKey };
      if (!isConnected(connector)) {
        evidence.gap(`${contract.title}: not asked`, 'The organization has no connection to this third party.', { source });
        return null;
      }
      const answer = given.answer({ skillKey, contract }, input);
      if (answer === 'unknown') {
        noteNotFound(evidence, { title: contract.title, reason: 'The third party does not know it.', source, input });
        return null;
      }
      if (answer === null) evidence.gap(`${contract.title}: no answer`, 'It was not asked at the time, or not answered.', { source });
      else rememberAnswer(answer, source, false, input);
      return answer;
    }),
    isConnected,
    evidence,
    readAnswer: createAnswerReader({ alert: readAlertFacts(given.alert, given.entities), evidence }),
    correlate: given.correlate,
    findLikelyOwn: given.findLikelyOwn ?? (async () => []),
    searchRecords: given.searchRecords ?? (async () => NO_RECORDS),
    propose: each(
      ({ contract }) =>
        async () =>
          void proposals.push(contract.title),
    ),
    followUp: async () => {},
    plan: given.plan,
  });
  await playbook.author(context);
  return { evidence: evidence.entries, conclusion: concludeFrom(evidence.entries), proposals };
}

/** Refuses evidence from an object that no skill returned. */
export class AnsweredEvidence extends EvidenceRecorder {
  override finding(...[points, title, reason, options = {}]: Parameters<EvidenceRecorder['finding']>): void {
    requireAnswer(options.from);
    super.finding(points, title, reason, options);
  }

  override note(...[title, reason, options = {}]: Parameters<EvidenceRecorder['note']>): void {
    requireAnswer(options.from);
    super.note(title, reason, options);
  }
}

function requireAnswer(from: object | null | undefined): void {
  if (from && findSource(from) === null) throw new Error('`from` must be the object that a skill returned, not a part or a copy of it.');
}
