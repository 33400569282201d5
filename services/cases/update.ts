import { type CaseRow, lockCaseRow } from '../../db/cases/case-rows.js';
import { changeTags, readTags } from '../../db/cases/case-tags.js';
import { insertMentions } from '../../db/cases/timeline.js';
import { recordAudit } from '../../db/identity/audit.js';
import { findPerson, listPeople } from '../../db/identity/people.js';
import { lockUnsentOfCase } from '../../db/response/proposal-rows.js';
import type { TimelineEntry } from '../../domain/case/case.js';
import { CLASSIFICATION_LABELS, CLASSIFIED_VERDICTS } from '../../domain/case/classification.js';
import { findMentions } from '../../domain/case/mentions.js';
import { MAX_TAGS } from '../../domain/case/tags.js';
import { type Context, type Inside, inTransaction } from '../context.js';
import { conflict, invalid, notFound } from '../errors.js';
import { recordCaseEvent } from '../events/record-case-event.js';
import { withdrawProposalsOfCase } from '../proposals/withdraw-of-case.js';
import { changeCaseRow } from './change-case-row.js';
import { findUndo } from './find-undo.js';
import { addToTimeline } from './timeline.js';
import type { UndoUpdate, UpdateCase } from './wire.js';

const UNKNOWN_ASSIGNEE = {
  pointer: '#/assignee',
  detail:
    'No active key of an analyst or an admin has this name. Send a name of GET /platformapi/organizations/{organization_code}/people, or create a key for the person.',
};

/**
 * A merged case takes comments only, because another case has its alerts. Returns the update that restores the earlier values; null
 * where there is nothing to restore.
 */
export function updateCase(context: Context, caseId: string, update: UpdateCase): Promise<UndoUpdate | null> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const wanted = update.classification === undefined ? update.status : 'closed';
    // Proposals before their case, as a decision about a proposal locks them, so that no deadlock occurs.
    const unsent = wanted === 'closed' ? await lockUnsentOfCase(db, by.organizationUuid, caseId) : [];
    const found = await lockCaseRow(db, by.organizationUuid, caseId);
    if (found === null) throw notFound('case with this id');
    if (found.mergedInto !== null && Object.keys(update).some((field) => field !== 'comment'))
      throw conflict('This case is merged into another case. Update the other case, or unmerge this one first.');
    const before = { ...found, tags: await readTags(db, found.caseUuid) };
    const tags = update.add_tags === undefined ? update.tags : [...before.tags, ...update.add_tags];
    if (tags !== undefined && new Set(tags).size > MAX_TAGS) throw conflict(`A case has at most ${MAX_TAGS} tags. Remove tags first.`);
    const { title, assignee, comment, classification } = update;
    const person = typeof assignee === 'string' ? await findPerson(db, found.organizationUuid, assignee) : null;
    if (typeof assignee === 'string' && person === null) throw invalid([UNKNOWN_ASSIGNEE]);
    const verdict = readAnalystVerdict(update);
    // Closing a closed case keeps the first closing time.
    const status = wanted === found.status ? undefined : wanted;
    await changeCaseRow(inside, found, {
      modifiedAt: now(),
      ...(title === undefined ? {} : { title }),
      ...(status === undefined ? {} : { status, closedAt: status === 'closed' ? now() : null, classification: null }),
      ...(classification === undefined ? {} : { classification }),
      ...(assignee === undefined ? {} : { assignee, assigneeUuid: person?.userUuid ?? null }),
      ...(verdict === undefined ? {} : { analystVerdict: verdict?.verdict ?? null, analystVerdictReason: verdict?.reason ?? null }),
    });
    const add = (kind: TimelineEntry['kind'], text: string) => addToTimeline(inside, found.caseUuid, { kind, by: by.name, text });
    if (title !== undefined) await add('title', `Renamed: ${title}`);
    if (status !== undefined) await add('status', `${found.status} → ${status}`);
    if (assignee !== undefined) await add('assignee', assignee === null ? 'Unassigned' : `Assigned to ${assignee}`);
    if (comment !== undefined) await addComment(inside, found, comment);
    if (verdict !== undefined) await add('verdict', verdict === null ? 'Analyst verdict removed' : `${verdict.verdict}: ${verdict.reason}`);
    if (tags !== undefined) {
      const added = [...new Set(tags)].filter((tag) => !before.tags.includes(tag));
      const removed = before.tags.filter((tag) => !tags.includes(tag));
      await changeTags(db, found.caseUuid, { added, removed });
      const changes = [...added.map((tag) => `+${tag}`), ...removed.map((tag) => `−${tag}`)];
      if (changes.length > 0) await add('tags', changes.join(', '));
    }
    await recordAudit(db, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'case.update',
      target: caseId,
      details: { changed: Object.keys(update), ...(classification === undefined ? {} : { classification }) },
    });
    const isHarmless = (verdict === undefined ? found.analystVerdict : verdict?.verdict) === 'benign';
    if (wanted === 'closed' && isHarmless) await withdrawProposalsOfCase(inside, unsent, 'The case was closed as harmless.');
    return findUndo(before, update);
  });
}

function readAnalystVerdict({ analyst_verdict: verdict, classification, comment }: UpdateCase): UpdateCase['analyst_verdict'] {
  if (classification === undefined) return verdict;
  return { verdict: CLASSIFIED_VERDICTS[classification], reason: comment ?? `Closed as: ${CLASSIFICATION_LABELS[classification]}` };
}

async function addComment(inside: Inside<Context>, { caseUuid, organizationUuid }: CaseRow, text: string): Promise<void> {
  const { db, by } = inside;
  const entryNo = await addToTimeline(inside, caseUuid, { kind: 'comment', by: by.name, text });
  const mentions = text.includes('@') ? findMentions(text, await listPeople(db, organizationUuid)) : [];
  await insertMentions(db, { caseUuid, entryNo }, mentions);
  recordCaseEvent(inside, caseUuid, 'case.commented', { author: by.name, mentions });
}
