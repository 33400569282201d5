import { recordAudit } from '../../db/identity/audit.js';
import type { ProposalRow } from '../../db/response/proposal-rows.js';
import { addToTimelineOfAlert } from '../cases/timeline.js';
import type { Inside, ServiceContext } from '../context.js';

/** Writes the decision to the timeline and the audit log, where a manual write has the names of a skill run. */
export async function noteDecision(
  inside: Inside<ServiceContext>,
  row: ProposalRow,
  verb: 'approve' | 'refuse' | 'reconfirm' | 'release' | 'withdraw',
  text: string,
  details: { reason: string | null; [name: string]: unknown },
): Promise<void> {
  const { db, by } = inside;
  await addToTimelineOfAlert(inside, row.alertUuid, {
    kind: 'decided',
    by: by?.name ?? null,
    text: details.reason === null ? text : `${text}: ${details.reason}`,
  });
  await recordAudit(db, {
    by,
    organizationUuid: row.organizationUuid,
    action: `${row.alertUuid === null ? 'skill' : 'proposal'}.${verb}`,
    target: row.proposalUuid,
    details: {
      skill_id: row.skillId,
      skill_key: row.skillKey,
      ...(row.alertUuid === null ? { connection_id: row.connectionUuid } : {}),
      ...details,
    },
  });
}
