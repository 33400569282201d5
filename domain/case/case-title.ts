import type { Entity, EntityKind } from '../entity/entity.js';
import { clip } from '../text.js';

export const CASE_TITLE_LENGTH = 200;
/** A host name, an account or an address can be long. The list of cases shows several of them in one line. */
const SUBJECT_LENGTH = 60;
/** The kinds that name a case without host and account, the most telling first. */
const OTHER_SUBJECTS: readonly EntityKind[] = ['email', 'cve', 'ip', 'domain', 'url', 'hash', 'incident-id'];
/** The name of the machine replaces these words of an alert type. */
const ON_SOME_MACHINE = /\s+on\s+(?:an?\s+|the\s+)?(?:host|machine|endpoint|device|computer)\.?$/i;

/** `Malware on hr-ws-014 · dana.vries`, from the type of the alert and the entities in it. */
export function writeCaseTitle(alertType: string, entities: readonly Entity[]): string {
  const host = findSubject(entities, 'host');
  const user = findSubject(entities, 'user');
  const other = OTHER_SUBJECTS.flatMap((kind) => findSubject(entities, kind) ?? [])[0];
  const about = host === undefined ? alertType : `${alertType.replace(ON_SOME_MACHINE, '')} on ${toShortName(host)}`;
  const subjects = host === undefined && user === undefined ? [other] : [user && toShortAccount(user)];
  return clip([about, ...subjects.filter((subject) => subject !== undefined)].join(' · '), CASE_TITLE_LENGTH);
}

/** The victim, if the alert names one, or else the first. */
function findSubject(entities: readonly Entity[], kind: EntityKind): string | undefined {
  const found = entities.filter((entity) => entity.kind === kind);
  const subject = found.find(({ role }) => role === 'victim') ?? found[0];
  return subject && clip(subject.value, SUBJECT_LENGTH);
}

/** `hr-ws-014.harbour.example` → `hr-ws-014` */
function toShortName(host: string): string {
  return host.split('.')[0] || host;
}

/** `HARBOUR\\dana.vries` and `dana.vries@harbour.example` → `dana.vries` */
function toShortAccount(user: string): string {
  return user.split('@')[0]?.split('\\').at(-1) || user;
}
