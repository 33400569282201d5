import { type CaseRow, lockCasesWithAlerts, moveAlerts, readCaseId } from '../../db/cases/case-rows.js';
import type { Transaction } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { spellOrganizationCode } from '../../db/identity/organizations.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, notFound } from '../errors.js';
import { changeCaseRow } from './change-case-row.js';
import { recomputeCaseVerdict } from './recompute-verdict.js';
import { addToTimeline } from './timeline.js';
import type { MergeCase } from './wire.js';

/** Moves the alerts of a case to another case. Returns the id of the case that has the alerts. */
export function mergeCase(context: Context, caseId: string, given: MergeCase): Promise<string> {
  const { reason } = given;
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const into = await spellCaseId(db, given.into);
    const found = await lockCasesWithAlerts(db, by.organizationUuid, [caseId, into]);
    const source = found.get(caseId);
    const target = found.get(into);
    if (!source) throw notFound('case with this id');
    if (!target) throw notFound('case with the id in `into`');
    await requireMergeable(db, source, target);
    const moved = await moveAlerts(db, source.caseUuid, target.caseUuid);
    await changeCaseRow(inside, source, {
      mergedInto: target.caseUuid,
      statusBeforeMerge: source.status,
      status: 'closed',
      closedAt: source.closedAt ?? now(),
      modifiedAt: now(),
    });
    const add = (caseUuid: string, text: string) => addToTimeline(inside, caseUuid, { kind: 'merge', by: by.name, text });
    await add(source.caseUuid, `Merged into ${into}: ${reason}`);
    await add(target.caseUuid, `${caseId} was merged into this case (${describeAlerts(moved)}): ${reason}`);
    await recomputeCaseVerdict(inside, target, { reopens: true });
    const { organizationUuid } = source;
    await recordAudit(db, { by, organizationUuid, action: 'case.merge', target: caseId, details: { into } });
    return into;
  });
}

async function requireMergeable(db: Transaction, source: CaseRow, target: CaseRow): Promise<void> {
  if (source.caseUuid === target.caseUuid) throw conflict('A case cannot be merged into itself.');
  if (source.organizationUuid !== target.organizationUuid) throw conflict('Cases of two organizations cannot be merged.');
  if (source.mergedInto !== null)
    throw conflict(`${source.caseId} is already merged into ${await readCaseId(db, source.mergedInto)}. Unmerge it first.`);
  if (target.mergedInto !== null)
    throw conflict(`${target.caseId} is itself merged into ${await readCaseId(db, target.mergedInto)}. Name that case instead.`);
}

const CASE_ID = /^(.+)-case-(\d+)$/i;

/** The id as it is stored: people type `demo-case-12` too. */
async function spellCaseId(db: Transaction, typed: string): Promise<string> {
  const [, code, number] = CASE_ID.exec(typed.trim()) ?? [];
  const stored = code === undefined ? null : await spellOrganizationCode(db, code);
  return stored === null ? typed : `${stored}-CASE-${number}`;
}

export function describeAlerts(count: number): string {
  return count === 1 ? '1 alert' : `${count} alerts`;
}
