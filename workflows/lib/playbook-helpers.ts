import type { catalogue } from '../../activities/connectors/catalogue.js';
import type { SkillOutput } from '../../activities/connectors/kit/define.js';
import type { Entity, EntityKind } from '../../domain/alert/entity.js';
import type { PlaybookContext } from '../playbook.js';
import type { EvidenceLog } from './evidence-log.js';

/** What several playbooks ask and how they weigh it, so that the same fact counts the same in each. */
type Context = PlaybookContext<typeof catalogue>;
type Enrichment = SkillOutput<typeof catalogue.threatIntelligence.skills.getEnrichment>;
type Machine = SkillOutput<typeof catalogue.endpointDetection.skills.getMachine>;

/** An alert with more of a kind is not helped by looking at each. */
const ASKED_AT_MOST = 10;

export function listValues(entities: readonly Entity[], kind: EntityKind): string[] {
  return entities.filter((entity) => entity.kind === kind).map((entity) => entity.value);
}

/** Addresses of networks of one's own are known to nobody outside, and none of their business. */
const OWN_NETWORK = /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:|fe80:)/;

export function isPublicAddress(ip: string): boolean {
  return !OWN_NETWORK.test(ip);
}

/** The entities that a step of a plan speaks of. */
export function selectEntities(entities: readonly Entity[], { kind, only }: { kind: EntityKind; only?: 'public' | undefined }): string[] {
  const values = listValues(entities, kind);
  return only === 'public' ? values.filter(isPublicAddress) : values;
}

/** As many as are worth asking about, each once; a gap says what was left out. */
export function limitItems<Item>(evidence: EvidenceLog, what: string, items: readonly Item[], most = ASKED_AT_MOST): Item[] {
  const each = [...new Set(items)];
  if (each.length > most) evidence.leftOut(`Not every ${what} was asked about`, `${most} of ${each.length}; the rest was left out.`);
  return each.slice(0, most);
}

export function enrich(
  { skills }: Pick<Context, 'skills'>,
  kind: 'ip' | 'domain' | 'url' | 'hash' | 'vulnerability',
  values: readonly string[],
): Promise<(Enrichment | null)[]> {
  return Promise.all(values.map((value) => skills.threatIntelligence.getEnrichment({ kind, value })));
}

/** The third party's own bands: from 65 malicious, from 25 suspicious. */
const BAD_FROM = 65;
const DOUBTFUL_FROM = 25;

/**
 * One finding for all of them, however many there are: ten bad addresses of one alert are one fact. Good counts only where
 * every one was answered for, is known and is good; what nobody knows, or nobody answered, says nothing.
 */
export function weighReputation(
  evidence: EvidenceLog,
  answers: readonly (Enrichment | null)[],
  weights: { what: string; bad: number; doubtful: number; good: number; techniques?: readonly string[] },
): 'bad' | 'doubtful' | 'good' | 'unknown' {
  const { what, techniques = [] } = weights;
  const known = answers.filter((answer) => answer !== null && answer.score !== null).sort((a, b) => readScore(b) - readScore(a));
  const [worst] = known;
  if (!worst) return 'unknown';
  const scores = known.map((answer) => `${answer?.value} scores ${answer?.score}${because(answer)}`).join('; ');
  if (readScore(worst) >= BAD_FROM) {
    evidence.finding(weights.bad, `A known malicious ${what}`, scores, { from: worst, techniques });
    return 'bad';
  }
  if (readScore(worst) >= DOUBTFUL_FROM) {
    evidence.finding(weights.doubtful, `A ${what} of doubtful repute`, scores, { from: worst, techniques });
    return 'doubtful';
  }
  if (known.length < answers.length) return 'unknown';
  evidence.finding(weights.good, `Nothing speaks against the ${what}`, scores, { from: worst });
  return 'good';
}

function readScore(answer: Enrichment | null): number {
  return answer?.score ?? 0;
}

function because(answer: Enrichment | null): string {
  return answer && answer.rules.length > 0 ? ` (${answer.rules.slice(0, 3).join(', ')})` : '';
}

const MACHINE_ID = /^[0-9a-f]{40}$/;

/** The machines that the alert names, with the answer that each came from. */
export async function findMachines({ entities, skills, evidence }: Context): Promise<{ machine: Machine; from: object }[]> {
  const hosts = limitItems(evidence, 'host', listValues(entities, 'host'));
  const ids = limitItems(
    evidence,
    'machine id',
    listValues(entities, 'machine-id').filter((id) => MACHINE_ID.test(id)),
  );
  const [byName, byId] = await Promise.all([
    Promise.all(hosts.map((host) => skills.endpointDetection.listMachines({ computer_dns_name: host, max_items: 1 }))),
    Promise.all(ids.map((id) => skills.endpointDetection.getMachine({ machine_id: id }))),
  ]);
  for (const [index, answer] of byName.entries()) {
    const isUnknown = answer !== null && answer.items.length === 0;
    if (isUnknown)
      evidence.note(`${hosts[index]} is unknown to the endpoint platform`, 'It has no machine of this name.', { from: answer });
  }
  const found = [
    ...byName.flatMap((answer) => (answer?.items ?? []).map((machine) => ({ machine, from: answer ?? machine }))),
    ...byId.flatMap((machine) => (machine ? [{ machine, from: machine }] : [])),
  ];
  return [...new Map(found.map((each) => [each.machine.id, each])).values()];
}

export function machineName(machine: Machine): string {
  return machine.computerDnsName ?? machine.id;
}

/** The account's name alone: of `dana@harbour.example`, `HARBOUR\dana` and `dana`, in lower case. */
export function toAccountName(user: string): string {
  return (user.split('\\').at(-1) ?? user).split('@')[0]?.toLowerCase() ?? '';
}

/** `hr-ws-014` of `hr-ws-014.harbour-reed.example`. */
export function toShortHostName(host: string): string {
  return host.split('.')[0] ?? host;
}

/** When it happened, as far as anybody says, in epoch seconds. */
export function alertTime({ createdAt, createdAtSource }: Context['alert']): number {
  return createdAtSource ?? createdAt;
}

export function toIsoString(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}

const DAY_SECONDS = 86_400;
export function daysBefore(epochSeconds: number, days: number): number {
  return Math.max(0, epochSeconds - days * DAY_SECONDS);
}
