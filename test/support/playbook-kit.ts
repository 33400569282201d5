import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { z } from 'zod';
import { extractEntities } from '../../activities/entities/extract-entities.js';
import * as extractionSteps from '../../activities/entities/extractor-thread.js';
import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue, SkillContract } from '../../connectors/kit/define.js';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import { exportName, PLAYBOOKS, playbookFiles } from '../../dev/build/playbook-list.js';
import type { CaseDetail } from '../../domain/case/case.js';
import type { SharedEntity } from '../../domain/investigation/investigation.js';
import type { KnowledgeEntry } from '../../domain/organization/knowledge.js';
import { listOwn } from '../../domain/organization/own-entities.js';
import type { RecordAnswer, RecordMatch, Spread } from '../../domain/record/record.js';
import { SkillKey } from '../../domain/skill-key.js';
import type { EvidenceDraft, Verdict } from '../../domain/verdict/evidence.js';
import type { Conclusion } from '../../domain/verdict/verdict.js';
import { NO_RECORDS } from '../../workflows/lib/author-run.js';
import type { PlaybookContext, PlaybookWorkflow } from '../../workflows/playbook.js';
import * as playbooks from '../../workflows/playbooks/index.js';
import { loadKitBundle } from './kit/kit-bundle.js';
import type { KitActivities, KitInput, KitOutput } from './kit/playbook-run.js';
import { openSandbox, runInSandbox } from './kit/workflow-sandbox.js';
import type { TestService } from './service.js';

/** A fake may omit fields that the contract defaults. Parsing the answer finds other missing fields. */
type Loose<Value> = Value extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Loose<Value[Key]> | undefined }
    : Value;

/** The test's answers instead of third parties. A skill without a fake throws. null is a gap; 'unknown': the third party has no such record. */
type FakeSkills<Connectors extends Catalogue> = {
  readonly [Name in keyof Connectors]?: {
    readonly [Verb in keyof Connectors[Name]['skills']]?: (
      input: z.output<Connectors[Name]['skills'][Verb]['input']>,
    ) => Promise<Loose<z.output<Connectors[Name]['skills'][Verb]['output']>> | null | 'unknown'>;
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

/** The search runs in this thread, because another one takes longer to start than a test takes. */
const NO_LIMIT_MS = Number.POSITIVE_INFINITY;

/** Runs the author's function in the sandbox of workflows, without servers, with the real entity extractor and the test's answers. */
export async function investigateWith<const Connectors extends Catalogue = typeof catalogue>(
  playbook: PlaybookWorkflow<Connectors>,
  given: {
    alert: GivenAlert;
    skills?: FakeSkills<Connectors>;
    shared?: readonly SharedEntity[];
    records?: readonly RecordMatch[];
    /** How many people and machines have records with a value. */
    spreads?: readonly Spread[];
    knowledge?: readonly KnowledgeEntry[];
    /** Domains that machines or people of the organization use. */
    likelyOwn?: readonly string[];
    /** The module of a playbook that is not in `workflows/playbooks`. */
    from?: URL;
  },
): Promise<Investigated & { readonly proposed: readonly Proposed[]; readonly followUps: readonly PlannedFollowUp[] }> {
  openSandbox();
  const { file, name } = await findModule(playbook, given.from);
  const [bundle, { entities, incomplete }] = await Promise.all([
    loadKitBundle(file),
    extractEntities(given.alert.content, extractionSteps, NO_LIMIT_MS),
  ]);
  const createdAt = given.alert.createdAt ?? NOON;
  const input: KitInput = {
    alert: {
      id: 'TEST-1',
      type: given.alert.type,
      provider: 'test',
      organization: 'TEST',
      createdAt,
      createdAtSource: null,
      content: given.alert.content,
      contentTruncated: false,
    },
    entities,
    entitiesIncomplete: incomplete,
    own: listOwn(entities, given.knowledge ?? []),
  };
  const proposed: Proposed[] = [];
  const followUps: PlannedFollowUp[] = [];
  const connectors: Catalogue = playbook.definition.connectors ?? catalogue;
  const activities: KitActivities = {
    ask: (call) => askFake(connectors, given.skills ?? {}, call),
    async propose({ connector, verb, input: asked, reason, releaseAfterHours }) {
      const write = requireContract(connectors, connector, verb).input.parse(asked);
      proposed.push({ skill: `${connector}.${verb}`, input: write, reason, releaseAfterHours });
    },
    correlate: async ({ by }) => (given.shared ?? []).filter(({ kind }) => by.includes(kind)),
    findLikelyOwn: async (domains) => domains.filter((domain) => given.likelyOwn?.includes(domain)),
    searchRecords: async (values) => ({ ...searchFakes(given.records, values), spreads: given.spreads ?? [] }),
    followUp: async (planned) => void followUps.push(planned),
  };
  const perform = (activity: string, asked: unknown): Promise<unknown> => Reflect.get(activities, activity)(asked);
  const output = await runInSandbox({ bundle, workflowType: name, startedMs: createdAt * 1000, input, perform });
  return { ...(output as KitOutput), proposed, followUps };
}

/** The sandbox loads the playbook from its own bundle, so it needs the module and the name of the export. */
async function findModule(playbook: unknown, from: URL | undefined): Promise<{ file: string; name: string }> {
  const findExport = (module: object) => Object.entries(module).find(([, value]) => value === playbook)?.[0];
  if (from) {
    const file = fileURLToPath(from);
    const name = findExport(await import(file));
    if (name !== undefined) return { file, name };
  }
  const name = findExport(playbooks);
  const found = playbookFiles().find((file) => exportName(file) === name);
  if (name === undefined || found === undefined)
    throw new Error(
      'The playbook is in no file of workflows/playbooks. Pass the module that exports it: from: new URL(…, import.meta.url).',
    );
  return { file: path.join(PLAYBOOKS, `${found}.ts`), name };
}

/** Without records, no third party has a copy to search. */
function searchFakes(records: readonly RecordMatch[] | undefined, values: readonly string[]): RecordAnswer {
  if (records === undefined) return NO_RECORDS;
  const matches = records.filter(({ shared }) => shared.some((value) => values.includes(value)));
  return { matches, searched: [{ connector: 'endpoint-detection', connection: 'fake', kind: 'alert' }], problems: [] };
}

type Fake = (input: unknown) => Promise<unknown>;

/** The real contract checks each question and answer, so a fake cannot have the wrong shape. */
async function askFake(
  connectors: Catalogue,
  fakes: object,
  { connector, verb, input }: Parameters<KitActivities['ask']>[0],
): ReturnType<KitActivities['ask']> {
  const fake: Fake | undefined = Reflect.get(Reflect.get(fakes, connector) ?? {}, verb);
  if (!fake) throw new Error(`not faked: ${connector}.${verb}`);
  const contract = requireContract(connectors, connector, verb);
  const question = contract.input.safeParse(input);
  if (!question.success) return { gap: `The question does not fit: ${question.error.message}` };
  const answer = await fake(question.data);
  if (answer === 'unknown') return { isUnknown: true };
  return answer === null ? { gap: 'The fake has no answer.' } : { answer: contract.output.parse(answer) };
}

function requireContract(connectors: Catalogue, connector: string, verb: string): SkillContract {
  const contract = connectors[connector]?.skills[verb];
  if (!contract) throw new Error(`unknown skill: ${connector}.${verb}`);
  return contract;
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
    skillKey: SkillKey.parse('endpointDetection.listAlerts'),
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
