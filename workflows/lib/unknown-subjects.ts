import type { catalogue } from '../../connectors/catalogue.js';
import { type Category, findCategories } from '../../domain/alert/category.js';
import type { Entity, EntityKind } from '../../domain/entity/entity.js';
import type { AskStep, Plan } from '../../domain/playbook/playbook.js';
import { searchValues } from '../../domain/record/record.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import { FACT_RULES } from '../../domain/verdict/fact.js';
import type { PlaybookContext } from '../playbook.js';
import { type Asked, listTaken } from './plan-steps.js';
import { listPeople } from './playbook-helpers.js';

type Context = PlaybookContext<typeof catalogue>;
type Answers = ReadonlyMap<string, readonly Asked[]>;

/**
 * Says on the case which subject of the alert no third party knows. A clean address next to an unknown machine, or a reviewed record about
 * another person, then makes no alert harmless (see `verdict.ts`).
 */
export function weighUnknown(context: Context, plan: Plan, answers: Answers): void {
  weighMissingReferences(context);
  weighUnknownMachines(context, plan, answers);
  weighUnknownAccounts(context, plan, answers);
  weighFileWithoutDigest(context);
}

/** The forms that the ids of the connected third parties have. An id of any other product says nothing. */
const REFERENCES: Partial<Readonly<Record<EntityKind, RegExp>>> = {
  'incident-id': /^\d+$/,
  'investigation-id': /^(?:rrn:|[0-9a-f]{8}-)/i,
  'alert-id': /^(?:[a-z]{2}\d{17,19}_|task:|rrn:)/i,
};

function weighMissingReferences({ entities, evidence }: Context): void {
  const missing = new Set(evidence.entries.flatMap(({ fact }) => (fact?.name === 'not-found' ? (fact.about ?? []) : [])));
  for (const { kind, value } of entities) {
    const isMissing = REFERENCES[kind]?.test(value) === true && missing.has(value.toLowerCase());
    if (isMissing)
      evidence.fact(
        { name: 'missing-reference', about: [value.toLowerCase()] },
        `The ${kind.replace('-', ' ')} ${value} does not exist there`,
        'The alert is about a record that the third party does not have. Facts about the other names in the alert do not decide it.',
      );
  }
}

/** The kinds of things that third parties can know better than the machine: an alert with one of them is about it. */
const INDICATORS: readonly EntityKind[] = ['domain', 'url', 'hash'];
/** A firewall or a proxy reports what other machines do. Endpoint platforms do not know it. */
const REPORTER =
  /(?:^|[-_.\d])(?:fw|firewall|proxy|gw|gateway|ids|ips|waf|siem|sensor|collector|syslog|router|switch|sw|dns|mx|relay|lb|vpn)(?:[-_.\d]|$)/i;

/** Other ids, such as numbers of assets, are unknown to every platform. */
const MACHINE_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** An alert about a device that came to the network, whatever else it names. */
const NEW_DEVICE =
  /\b(?:unknown|new|rogue|unmanaged|unauthori[sz]ed|unregistered|foreign) (?:\w+ )?(?:device|machine|computer|endpoint|host|asset|mac address)|\bdevice (?:joined|connected to|appeared|seen for the first time)/i;

function weighUnknownMachines({ alert, entities, evidence }: Context, plan: Plan, answers: Answers): void {
  const isAboutDevice = NEW_DEVICE.test(`${alert.type} ${alert.ruleName ?? ''}`);
  if (entities.some(({ kind }) => INDICATORS.includes(kind)) && !isAboutDevice) return;
  const known = listKnown(plan, answers, 'machine');
  const isOwnDevice = entities.some((entity) => searchValues(entity).some((name) => known.has(name)));
  const isMachine = ({ kind, value }: Entity) => kind === 'host' || (kind === 'machine-id' && MACHINE_ID.test(value));
  if (isAboutDevice && !isOwnDevice) {
    const devices = entities.filter((entity) => entity.kind === 'machine-id' || isMachine(entity));
    noteUnknown(evidence, devices, 'machine');
    return;
  }
  const machines = entities.filter((entity) => isMachine(entity) && !REPORTER.test(entity.value));
  const asked = new Set([...listAsked(plan, answers, 'machine'), ...listNotFound(evidence)]);
  const unknown = machines.filter((machine) => {
    const spellings = searchValues(machine);
    return spellings.some((name) => asked.has(name)) && !spellings.some((name) => known.has(name));
  });
  noteUnknown(evidence, unknown, 'machine');
}

/** For these alerts the account is the subject. */
const ABOUT_ACCOUNTS: readonly Category[] = ['sign-in', 'insider', 'leaked-credential'];

function weighUnknownAccounts({ alert, entities, evidence }: Context, plan: Plan, answers: Answers): void {
  if (!findCategories(alert.type).some((category) => ABOUT_ACCOUNTS.includes(category))) return;
  const people = listPeople(entities);
  const known = listKnown(plan, answers, 'account');
  const asked = listAsked(plan, answers, 'account');
  const isKnown = people.some((person) => searchValues(person).some((name) => known.has(name)));
  // A person with a booked trip is known.
  if (isKnown || evidence.entries.some(({ fact }) => fact?.name === 'trip-explains')) return;
  noteUnknown(
    evidence,
    // Service accounts do not travel, so the directory of travellers has only people.
    people.filter(({ value }) => value.includes('@') && asked.has(value.toLowerCase())),
    'account',
  );
}

/** A person looked at what happened, and saw the file. */
function isAboutActivity({ fact }: EvidenceDraft): boolean {
  return fact !== undefined && FACT_RULES[fact.name].group === 'conclusion' && fact.covers !== undefined && fact.covers !== 'entity';
}

const FILE_NAME =
  /[^\s"'`\\/:*?<>|=]{1,100}\.(?:exe|dll|scr|js|jse|vbs|ps1|bat|cmd|lnk|iso|img|docm|xlsm|hta|msi|jar|apk|dmg|zip|rar|7z)\b/i;
const ABOUT_FILES: readonly Category[] = ['malware', 'ransomware'];

/** Third parties know files by their digests. */
function weighFileWithoutDigest({ alert, entities, evidence }: Context): void {
  if (!findCategories(alert.type).some((category) => ABOUT_FILES.includes(category))) return;
  const name = FILE_NAME.exec(alert.content)?.[0];
  if (name === undefined || entities.some(({ kind }) => kind === 'hash') || evidence.entries.some(isAboutActivity)) return;
  evidence.fact(
    { name: 'unknown-subject', about: [name.toLowerCase()] },
    `Known only by its name: ${name}`,
    'The alert has no digest of the file, so no third party can know it.',
  );
}

function noteUnknown(evidence: Context['evidence'], unknown: readonly Entity[], what: string): void {
  for (const value of new Set(unknown.map((entity) => entity.value.toLowerCase())))
    evidence.fact(
      { name: 'unknown-subject', about: [value] },
      `Unknown ${what}: ${value}`,
      'The third parties that know the machines and accounts of the organization do not know it. Facts about the other names in the alert do not clear it.',
    );
}

type IdentifyingStep = AskStep & { readonly identifies: NonNullable<AskStep['identifies']> };

function listIdentifying({ steps }: Plan, asset: 'machine' | 'account'): IdentifyingStep[] {
  return steps.flatMap((step) =>
    step.do === 'ask' && step.each.of === 'entity' && step.identifies?.asset === asset ? [{ ...step, identifies: step.identifies }] : [],
  );
}

function listAsked(plan: Plan, answers: Answers, asset: 'machine' | 'account'): Set<string> {
  return new Set(listIdentifying(plan, asset).flatMap(({ id }) => (answers.get(id) ?? []).map(({ about }) => about.toLowerCase())));
}

/** Every spelling of what an answer identified. */
function listKnown(plan: Plan, answers: Answers, asset: 'machine' | 'account'): Set<string> {
  return new Set(
    listIdentifying(plan, asset).flatMap(({ id, identifies, each }) =>
      (answers.get(id) ?? [])
        .filter((asked) => listTaken([asked], { path: identifies.path }).length > 0)
        .flatMap(({ about }) => searchValues({ kind: each.of === 'entity' ? each.kind : 'host', value: about })),
    ),
  );
}

function listNotFound(evidence: Context['evidence']): string[] {
  return evidence.entries.flatMap(({ fact }) => (fact?.name === 'not-found' ? (fact.about ?? []) : []));
}
