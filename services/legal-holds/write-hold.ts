import { recordAudit } from '../../db/identity/audit.js';
import { deleteHold, insertHold } from '../../db/lifecycle/legal-holds.js';
import type { Context, Inside } from '../context.js';

interface HeldPlace {
  readonly organizationUuid: string;
  /** null: the whole organization. */
  readonly caseUuid: string | null;
  /** The id of the case, or the code of the organization, for the audit log. */
  readonly target: string;
}

/** False where the place has a hold already. */
export async function placeHold({ db, by, now }: Inside<Context>, place: HeldPlace, reason: string): Promise<boolean> {
  const { organizationUuid, caseUuid, target } = place;
  if (!(await insertHold(db, { organizationUuid, caseUuid, reason, placedBy: by.name, placedByUuid: by.userUuid, placedAt: now() })))
    return false;
  await recordAudit(db, { by, organizationUuid, action: 'legal-hold.place', target, details: { reason } });
  return true;
}

/** False where the place has no hold. */
export async function releaseHold({ db, by }: Inside<Context>, place: HeldPlace, reason: string): Promise<boolean> {
  const { organizationUuid, caseUuid, target } = place;
  if (!(await deleteHold(db, organizationUuid, caseUuid))) return false;
  await recordAudit(db, { by, organizationUuid, action: 'legal-hold.release', target, details: { reason } });
  return true;
}
