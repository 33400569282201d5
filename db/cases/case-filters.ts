import { and, eq, gte, inArray, isNotNull, isNull, lt, ne, or, type SQL } from 'drizzle-orm';
import type { CaseStatus } from '../../domain/case/case.js';
import type { SlaFilter } from '../../domain/sla/clock.js';
import type { Severity, Verdict } from '../../domain/verdict/evidence.js';
import { matchWords } from '../alerts/alert-search.js';
import type { Db } from '../client.js';
import { findOrganization } from '../identity/organizations.js';
import { uuidFloor } from '../ids.js';
import { cases, caseTags, users } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import { hasClock } from '../sla/case-clocks.js';

export interface CaseFilters {
  readonly status?: CaseStatus | undefined;
  readonly severity?: Severity | undefined;
  readonly verdict?: Verdict | undefined;
  readonly assignee?: string | undefined;
  readonly unassigned?: boolean | undefined;
  readonly organizationCode?: string | undefined;
  /** Words of the alert that opened the case, or the id of a case. */
  readonly text?: string | undefined;
  /** Whether the analyst's verdict differs from the service's, where both exist. */
  readonly disagrees?: boolean | undefined;
  readonly tag?: string | undefined;
  /** Epoch seconds; `from` is inclusive, `before` exclusive. */
  readonly openedFrom?: number | undefined;
  readonly openedBefore?: number | undefined;
  readonly changedFrom?: number | undefined;
  readonly sla?: SlaFilter | undefined;
}

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/** Organization codes become ids first, so that each filter is an indexed column. null: no case can match. */
export async function matchCases(db: Db, scope: string | null, filters: CaseFilters): Promise<{ condition: SQL | undefined } | null> {
  const organization = filters.organizationCode === undefined ? undefined : await findOrganization(db, filters.organizationCode);
  if (organization === null) return null;
  const { tag, changedFrom } = filters;
  const condition = and(
    inOrganization(cases.organizationUuid, scope),
    organization === undefined ? undefined : eq(cases.organizationUuid, organization.organization_uuid),
    filters.status === undefined ? undefined : eq(cases.status, filters.status),
    filters.severity === undefined ? undefined : eq(cases.severity, filters.severity),
    filters.verdict === undefined ? undefined : eq(cases.verdict, filters.verdict),
    filters.assignee === undefined ? undefined : await matchAssignee(db, filters.assignee),
    filters.text === undefined ? undefined : await matchText(db, filters.text, organization?.organization_uuid ?? scope),
    filters.unassigned ? and(isNull(cases.assignee), isNull(cases.assigneeUuid)) : undefined,
    filters.disagrees === undefined ? undefined : isNotNull(cases.analystVerdict),
    filters.disagrees === undefined ? undefined : (filters.disagrees ? ne : eq)(cases.analystVerdict, cases.verdict),
    tag === undefined
      ? undefined
      : inArray(cases.caseUuid, db.select({ caseUuid: caseTags.caseUuid }).from(caseTags).where(eq(caseTags.tag, tag))),
    filters.openedFrom === undefined ? undefined : gte(cases.caseUuid, uuidFloor(filters.openedFrom)),
    filters.openedBefore === undefined ? undefined : lt(cases.caseUuid, uuidFloor(filters.openedBefore)),
    filters.sla === undefined ? undefined : hasClock(filters.sla),
    changedFrom === undefined ? undefined : gte(cases.modifiedAt, Math.min(changedFrom, LAST_SECOND)),
  );
  return { condition };
}

/** A name becomes user ids first, so that the filter is one indexed column, except for a name that a user and the key of a service have. */
async function matchAssignee(db: Db, name: string): Promise<SQL | undefined> {
  const byName = and(isNull(cases.assigneeUuid), eq(cases.assignee, name));
  const named = await db.select({ userUuid: users.userUuid }).from(users).where(eq(users.name, name));
  if (named.length === 0) return byName;
  const byUser = or(...named.map(({ userUuid }) => eq(cases.assigneeUuid, userUuid)));
  const unlinked = await db.select({ caseUuid: cases.caseUuid }).from(cases).where(byName).limit(1);
  return unlinked.length === 0 ? byUser : or(byUser, byName);
}

const CASE_ID = /^.+-CASE-\d+$/i;

async function matchText(db: Db, text: string, organizationUuid: string | null): Promise<SQL> {
  return CASE_ID.test(text) ? eq(cases.caseId, text.toUpperCase()) : matchWords(db, cases.alertUuid, { search: text, organizationUuid });
}
