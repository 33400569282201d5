import { expect } from 'vitest';
import type { z } from 'zod';
import { catalogue } from '../../activities/connectors/catalogue.js';
import type { Catalogue, ConnectorContract, SkillContract } from '../../activities/connectors/kit/define.js';
import type { ThirdParties } from '../../activities/connectors/stand-ins.js';
import type { CaseDetail } from '../../domain/case/case.js';
import type { EvidenceDraft, EvidenceSource, Verdict } from '../../domain/case/evidence.js';
import type { SharedEntity } from '../../domain/investigation/investigation.js';
import { type Conclusion, concludeFrom } from '../../domain/investigation/verdict.js';
import type { KnowledgeEntry } from '../../domain/organization/knowledge.js';
import { listOwn } from '../../domain/organization/own-entities.js';
import type { RecordAnswer, RecordMatch } from '../../domain/record/record.js';
import { AnsweredEvidence, NO_RECORDS } from '../../workflows/lib/author-run.js';
import type { EvidenceLog } from '../../workflows/lib/evidence-log.js';
import { type Proposals, proposalNote } from '../../workflows/lib/propose.js';
import type { Skills } from '../../workflows/lib/skills.js';
import type { PlaybookContext, PlaybookWorkflow } from '../../workflows/playbook.js';
import { AwaitedCalls } from './awaited-calls.js';
import { sharedExtractor } from './entity-extractor.js';
import { runInSandbox, runOutside } from './sandbox-globals.js';
import type { TestService } from './service.js';

/** A fake may omit fields that the contract defaults. Parsing the answer finds other missing fields. */
type Loose<Value> = Value extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Loose<Value[Key]> | undefined }
    : Value;

/** The test's answers instead of third parties. A skill without a fake throws. null is a gap. */
type FakeSkills<Connectors extends Catalogue> = {
  readonly [Name in keyof Connectors]?: {
    readonly [Verb in keyof Connectors[Name]['skills']]?: (
      input: z.output<Connectors[Name]['skills'][Verb]['input']>,
    ) => Promise<Loose<z.output<Connectors[Name]['skills'][Verb]['output']>> | null>;
  };
};

/** A write that the playbook proposed. */
interface Proposed {
  readonly skill: string;
  readonly input: Record<string, unknown>;
  readonly reason: string;
  readonly releaseAfterHours: number | null;
}

interface Investigated {
  readonly evidence: readonly EvidenceDraft[];
  readonly conclusion: Pick<Conclusion, 'verdict' | 'score' | 'confidence' | 'summary'>;
}

type PlannedFollowUp = Parameters<PlaybookContext<typeof catalogue>['followUp']>[0];

interface GivenAlert {
  readonly type: string;
  readonly content: string;
  /** Epoch seconds. */
  readonly createdAt?: number;
}

/** Default creation time of a test alert. */
export const NOON = Date.parse('2026-01-15T12:00:00Z') / 1000;

/** Runs the author's function without Temporal or a database, with the real entity extractor and the test's answers. */
export async function investigateWith<const Connectors extends Catalogue = typeof catalogue>(
  playbook: PlaybookWorkflow<Connectors>,
  given: {
    alert: GivenAlert;
    skills?: FakeSkills<Connectors>;
    shared?: readonly SharedEntity[];
    records?: readonly RecordMatch[];
    knowledge?: readonly KnowledgeEntry[];
    /** Domains that machines or people of the organization use. */
    likelyOwn?: readonly string[];
  },
): Promise<Investigated & { readonly proposed: readonly Proposed[]; readonly followUps: readonly PlannedFollowUp[] }> {
  const { entities, incomplete } = await sharedExtractor().extract(given.alert.content);
  const sources = new WeakMap<object, EvidenceSource>();
  const evidence = new AnsweredEvidence(sources);
  if (incomplete !== null) evidence.leftOut('Entities may be missing', incomplete);
  const connectors: Catalogue = playbook.definition.connectors ?? catalogue;
  const calls = new AwaitedCalls();
  const proposed: Proposed[] = [];
  const followUps: PlannedFollowUp[] = [];
  const context: PlaybookContext<Connectors> = {
    alert: {
      id: 'TEST-1',
      type: given.alert.type,
      provider: 'test',
      organization: 'TEST',
      createdAt: given.alert.createdAt ?? NOON,
      createdAtSource: null,
      content: given.alert.content,
      contentTruncated: false,
    },
    entities,
    own: listOwn(entities, given.knowledge ?? []),
    skills: calls.watch('skills', fakeSkills<Connectors>(connectors, given.skills ?? {}, evidence, sources)),
    isConnected: () => true,
    evidence,
    correlate: async ({ by }) => (given.shared ?? []).filter(({ kind }) => by.includes(kind)),
    findLikelyOwn: async (domains) => domains.filter((domain) => given.likelyOwn?.includes(domain)),
    searchRecords: async (values) => searchFakes(given.records, values),
    propose: calls.watch('propose', fakeProposals<Connectors>(connectors, evidence, proposed)),
    followUp: async (planned) => void followUps.push(planned),
    plan: null,
  };
  await runInSandbox(() => playbook.author(context));
  calls.requireAwaited();
  return { evidence: evidence.entries, conclusion: concludeFrom(evidence.entries), proposed, followUps };
}

/** Without records, no third party has a copy to search. */
function searchFakes(records: readonly RecordMatch[] | undefined, values: readonly string[]): RecordAnswer {
  if (records === undefined) return NO_RECORDS;
  const matches = records.filter(({ shared }) => shared.some((value) => values.includes(value)));
  return { matches, searched: [{ connector: 'endpoint-detection', connection: 'fake', kind: 'alert' }], problems: [] };
}

type Fake = (input: unknown) => Promise<unknown>;

/** The real contract checks each question and answer, so a fake cannot have the wrong shape. */
function fakeSkills<Connectors extends Catalogue>(
  connectors: Catalogue,
  fakes: FakeSkills<Connectors>,
  evidence: EvidenceLog,
  sources: WeakMap<object, EvidenceSource>,
): Skills<Connectors> {
  const proxies = Object.entries(connectors).map(([name, connector]) => [
    name,
    Object.fromEntries(
      skillsWith('read', connector).map(([verb, contract]) => [
        verb,
        async (input: unknown): Promise<unknown> => {
          const fake: Fake | undefined = Reflect.get(Reflect.get(fakes, name) ?? {}, verb);
          if (!fake) throw new Error(`not faked: ${name}.${verb}`);
          const source = { connector: connector.kind, connection: 'fake', skill_id: contract.title };
          const question = contract.input.safeParse(input);
          const answer = question.success ? await runOutside(() => fake(question.data)) : null;
          if (answer === null) {
            const reason = question.success ? 'The fake has no answer.' : `The question does not fit: ${question.error.message}`;
            evidence.gap(`${contract.title}: no answer`, reason, { source });
            return null;
          }
          const output = contract.output.parse(answer);
          sources.set(output, source);
          return output;
        },
      ]),
    ),
  ]);
  return Object.fromEntries(proxies);
}

function skillsWith(effect: SkillContract['effect'], { skills }: ConnectorContract): [verb: string, contract: SkillContract][] {
  return Object.entries(skills).filter(([, contract]) => contract.effect === effect);
}

/** Records each proposal, checked by the real contract, and adds the same note as the real one. */
function fakeProposals<Connectors extends Catalogue>(
  connectors: Catalogue,
  evidence: EvidenceLog,
  proposed: Proposed[],
): Proposals<Connectors> {
  const proxies = Object.entries(connectors).map(([name, connector]) => [
    name,
    Object.fromEntries(
      skillsWith('write', connector).map(([verb, contract]) => [
        verb,
        async (given: unknown, { reason, releaseAfterHours }: { reason: string; releaseAfterHours?: number }): Promise<void> => {
          const input = contract.input.parse(given);
          proposed.push({ skill: `${name}.${verb}`, input, reason, releaseAfterHours: releaseAfterHours ?? null });
          const note = proposalNote(contract, null, { reason, state: 'waiting', caution: [], standsIn: null });
          evidence.note(note.title, note.reason);
        },
      ]),
    ),
  ]);
  return Object.fromEntries(proxies);
}

/** Every skill, without an answer. */
export const nothingAnswers: FakeSkills<typeof catalogue> = Object.fromEntries(
  Object.entries(catalogue).map(([name, connector]) => [
    name,
    Object.fromEntries(Object.keys(connector.skills).map((verb) => [verb, async () => null])),
  ]),
);

/** Third parties that answer every question, but know nothing, with the answers of a test instead. */
export function answersWith(given: FakeSkills<typeof catalogue> = {}): FakeSkills<typeof catalogue> {
  const nothing = async () => whole();
  return {
    incidentSource: { ...nothingAnswers.incidentSource, ...given.incidentSource },
    endpointDetection: {
      ...nothingAnswers.endpointDetection,
      listMachines: nothing,
      listMachineLogonUsers: nothing,
      runAdvancedQuery: async () => ({ ...whole(), schema: [] }),
      listVulnerabilities: nothing,
      listMachinesVulnerabilities: nothing,
      listRecommendations: nothing,
      ...given.endpointDetection,
    },
    malwareProtection: {
      ...nothingAnswers.malwareProtection,
      listComputers: nothing,
      retrieveEvents: async () => ({ ...whole(), source: 'api' }),
      ...given.malwareProtection,
    },
    vulnerabilityInvestigation: {
      ...nothingAnswers.vulnerabilityInvestigation,
      searchVulnerabilitiesOfAsset: async () => ({ ...whole(), assets: [] }),
      ...given.vulnerabilityInvestigation,
    },
    travelBooking: {
      ...nothingAnswers.travelBooking,
      getUsers: nothing,
      searchUserTravel: async () => ({ from: 0, to: 0, trips: [], cut: null }),
      ...given.travelBooking,
    },
    threatIntelligence: {
      ...nothingAnswers.threatIntelligence,
      getEnrichment: async (question) => enrichment(question, null),
      getPlaybookAlerts: nothing,
      ...given.threatIntelligence,
    },
  };
}

/** An alert of the endpoint platform at the time of the test alert. `shared` are the values that it contains. */
export function record(given: Partial<RecordMatch> & Pick<RecordMatch, 'shared'>): RecordMatch {
  return {
    kind: 'alert',
    connector: 'endpoint-detection',
    connection: 'fake',
    skillId: 'List alerts',
    recordId: 'r-1',
    title: 'A record',
    severity: 'medium',
    isOpen: true,
    conclusion: null,
    state: 'New',
    happenedAt: NOON,
    updatedAt: NOON,
    mergedInto: null,
    alsoKnownAs: [],
    techniques: [],
    ...given,
  };
}

/** Fails with a list of the evidence, which shows the missing or surplus finding. */
export function expectVerdict(result: Investigated, verdict: Verdict, more: { score?: number; because?: RegExp } = {}): void {
  const { conclusion, evidence } = result;
  const lines = evidence.map(({ kind, points, title, reason }) => `  ${kind} ${points} ${title}: ${reason}`);
  const message = [`${conclusion.verdict}, score ${conclusion.score}, from this evidence:`, ...lines].join('\n');
  expect(conclusion.verdict, message).toBe(verdict);
  if (more.score !== undefined) expect(conclusion.score, message).toBe(more.score);
  if (more.because) {
    const because = more.because;
    const isSaid = evidence.some(({ kind, title, reason }) => kind !== 'gap' && because.test(`${title}: ${reason}`));
    expect(isSaid, `nothing says ${because}\n${message}`).toBe(true);
  }
}

/** The intelligence platform's answer about an indicator. Score null: it does not know the indicator. */
export function enrichment(question: { kind: string; value: string }, score: number | null, ...rules: string[]) {
  return {
    ...question,
    found: score !== null,
    entity: null,
    score,
    criticality: null,
    criticality_label: null,
    summary: null,
    rules,
    evidence: [],
    first_seen: null,
    last_seen: null,
    cvss_score: null,
    description: null,
  };
}

/** A user of the travel platform: the organization knows the account. */
export function traveller(email: string) {
  return { user_id: 'u', user_name: email, email, given_name: null, family_name: null, active: true, manager_email: null };
}

/** A complete list of the third party. */
export function whole<Item = never>(...items: Item[]) {
  return { items, total: items.length, cut: null };
}

export interface RealWorker {
  readonly service: TestService;
  readonly thirdParties: ThirdParties;
  /** Sends the alert, waits for the end of its investigation and reads its case. */
  investigate(alert: GivenAlert): Promise<Investigated & { readonly opened: CaseDetail }>;
  stop(): Promise<void>;
}

/** Starts the whole service with a real worker and a connection to a stand-in of each third party. */
export async function onRealWorker(): Promise<RealWorker> {
  // Imported here, because tests without a service do not need it.
  const { createConnection, startWithThirdParties } = await import('./with-third-parties.js');
  const { service, thirdParties, stop } = await startWithThirdParties();
  for (const fields of Object.values(thirdParties.connections))
    await createConnection(service, { instance_name: `main ${fields.connector}`, ...fields });
  return {
    service,
    thirdParties,
    async investigate({ type, content, createdAt }) {
      const at = createdAt === undefined ? {} : { created_at_source: createdAt };
      const { alert_id: alertId } = await service.sendAlert({ alert_type: type, alert_content: content, ...at });
      const done = await service.waitForStatus(alertId, 15, 20);
      const opened = await service.readCase(alertId);
      expect(done.investigation_status, opened.summary).toBe(15);
      const { verdict, score, confidence, summary, evidence } = opened;
      return {
        opened,
        evidence,
        conclusion: { verdict: verdict ?? 'inconclusive', score: score ?? 0, confidence: confidence ?? 0, summary },
      };
    },
    stop,
  };
}
