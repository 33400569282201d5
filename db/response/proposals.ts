import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { CaseProposal, ManualFilter, Proposal, ProposalState } from '../../domain/response/proposal.js';
import { listCautionsOf, weighApprovals } from '../../domain/response/response-rules.js';
import type { NamedTargets } from '../../domain/response/write.js';
import type { Db, Transaction } from '../client.js';
import { secondPersonRule } from '../connections/second-person.js';
import { findOrganization } from '../identity/organizations.js';
import { currentName } from '../identity/people.js';
import { findApprovers } from '../identity/person.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { alerts, caseAlerts, cases, connections, organizations, proposalDecisions, proposals } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import { readProtection } from './protected-assets.js';
import { listAskedReleases } from './rule-changes.js';

const columns = {
  row: { ...getTableColumns(proposals), requestedBy: currentName(proposals.requestedByUserUuid, proposals.requestedBy) },
  organizationCode: organizations.organizationCode,
  organizationName: organizations.name,
  alertId: alerts.alertId,
  caseId: cases.caseId,
  kind: connections.connectorKind,
  instanceName: connections.instanceName,
  secondPersonRule,
};

function proposalQuery(db: Db | Transaction) {
  return db
    .select(columns)
    .from(proposals)
    .innerJoin(organizations, eq(organizations.organizationUuid, proposals.organizationUuid))
    .leftJoin(alerts, eq(alerts.alertUuid, proposals.alertUuid))
    .leftJoin(caseAlerts, eq(caseAlerts.alertUuid, proposals.alertUuid))
    .leftJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .leftJoin(connections, eq(connections.connectionUuid, proposals.connectionUuid))
    .$dynamic();
}

const isOfCase = isNotNull(cases.caseUuid);
const isManual = isNull(proposals.alertUuid);
const MANUAL_CONDITIONS = { true: or(isOfCase, isManual), false: isOfCase, only: isManual } satisfies Record<ManualFilter, unknown>;
type ProposalRow = Awaited<ReturnType<typeof proposalQuery>>[number];

type StoredWrite = Pick<typeof proposals.$inferSelect, 'connectorKey' | 'verb' | 'skillId' | 'input' | 'assets'>;

/** The caller knows the contracts; queries do not. */
export interface WriteContracts {
  /** Whether another write undoes this one. */
  canBeUndone(write: StoredWrite): boolean;
  /** The write as a sentence. */
  describe(write: StoredWrite, organization: string): string;
  /** Why it needs two people by default. */
  listSensitivities(write: StoredWrite): readonly string[];
  /** What its input names. */
  listTargets(write: StoredWrite): NamedTargets;
}

/** Adds the decisions and the current cautions. */
async function complete(db: Db | Transaction, rows: readonly ProposalRow[], contracts: WriteContracts): Promise<Proposal[]> {
  if (rows.length === 0) return [];
  const ids = rows.flatMap(({ row }) => [row.proposalUuid, ...(row.undoOf === null ? [] : [row.undoOf])]);
  const [protections, decided] = await Promise.all([
    readProtection(
      db,
      rows.map(({ row }) => row.organizationUuid),
    ),
    db
      .select({ ...getTableColumns(proposalDecisions), by: currentName(proposalDecisions.byUuid, proposalDecisions.by) })
      .from(proposalDecisions)
      .where(inArray(proposalDecisions.proposalUuid, ids))
      .orderBy(proposalDecisions.at, proposalDecisions.principalUuid),
  ]);
  const releases = await listAskedReleases(db, ids);
  const approverOf = await findApprovers(
    db,
    decided.map(({ principalUuid }) => principalUuid),
  );
  return rows.map(({ row, ...more }) => {
    const caution = listCautionsOf(row, protections.get(row.organizationUuid), contracts.listTargets(row), {
      secondPersonRule: more.secondPersonRule,
      sensitivities: contracts.listSensitivities(row),
    });
    const listApproversOf = (wanted: string | null) =>
      decided
        .filter(({ proposalUuid, decision }) => proposalUuid === wanted && decision === 'approve')
        .map(({ principalUuid }) => principalUuid);
    const approvers = listApproversOf(row.proposalUuid);
    const rules = { ...more, ofWrite: listApproversOf(row.undoOf).map(approverOf) };
    const { needed, given, uncounted, needsTwoPeople } = weighApprovals(rules, caution, approvers.map(approverOf));
    // A decided proposal keeps its approvals as they were: an account may lose its address later.
    const explain = (principalUuid: string) => (row.state === 'waiting' ? (uncounted[approvers.indexOf(principalUuid)] ?? null) : null);
    return {
      proposal_id: row.proposalUuid,
      organization_code: more.organizationCode,
      case_id: more.caseId,
      alert_id: more.alertId,
      requested_by: row.requestedBy,
      connection_id: row.connectionUuid,
      connection: more.instanceName ?? 'gone',
      connector: more.kind ?? row.connectorKey,
      skill_id: row.skillId,
      skill_key: row.skillKey,
      sentence: contracts.describe(row, more.organizationName),
      input: row.input,
      reason: row.reason,
      touches: row.assets,
      // The approvals of its write cover the cautions of an undo.
      caution: needed === 0 ? [] : caution,
      state: row.state,
      held_because: row.heldBecause,
      approvals_needed: needed,
      approvals_given: given,
      needs_two_people: needsTwoPeople,
      decisions: decided
        .filter(({ proposalUuid }) => proposalUuid === row.proposalUuid)
        .map(({ by, decision, reason, at, principalUuid }) => ({
          by,
          decision,
          reason,
          at,
          not_counted: decision === 'approve' ? explain(principalUuid) : null,
        })),
      release_after_hours: row.releaseAfterHours,
      undoable: contracts.canBeUndone(row),
      undo_of: row.undoOf,
      run_at: row.runAt,
      release_requested_by: releases.get(row.undoOf ?? row.proposalUuid) ?? null,
      proposed_at: row.proposedAt,
      expires_at: row.expiresAt,
      ended_at: row.endedAt,
      result_id: row.resultUuid,
      outcome: row.outcome,
    };
  });
}

/** Newest first. */
export async function listProposals(
  db: Db,
  scope: string | null,
  filters: {
    state?: ProposalState | undefined;
    organizationCode?: string | undefined;
    connectorKind?: string | undefined;
    manual: ManualFilter;
  },
  page: PageRequest,
  contracts: WriteContracts,
): Promise<Page<Proposal>> {
  const organization = filters.organizationCode === undefined ? undefined : await findOrganization(db, filters.organizationCode);
  if (organization === null) return { items: [], next: null };
  const rows = await proposalQuery(db)
    .where(
      and(
        inOrganization(proposals.organizationUuid, scope),
        MANUAL_CONDITIONS[filters.manual],
        filters.connectorKind === undefined ? undefined : eq(connections.connectorKind, filters.connectorKind),
        organization === undefined ? undefined : eq(proposals.organizationUuid, organization.organization_uuid),
        filters.state === undefined ? undefined : eq(proposals.state, filters.state),
        page.after === null ? undefined : lt(proposals.proposalUuid, page.after),
      ),
    )
    .orderBy(desc(proposals.proposalUuid))
    .limit(page.limit + 1);
  const { items, next } = toPage(rows, page, ({ row }) => row.proposalUuid);
  return { items: await complete(db, items, contracts), next };
}

export async function findProposal(
  db: Db | Transaction,
  scope: string | null,
  proposalUuid: string,
  contracts: WriteContracts,
): Promise<Proposal | null> {
  const rows = await proposalQuery(db).where(
    and(eq(proposals.proposalUuid, proposalUuid), inOrganization(proposals.organizationUuid, scope), or(isOfCase, isManual)),
  );
  const [found] = await complete(db, rows, contracts);
  return found ?? null;
}

/** All proposals of these alerts, oldest first. */
export async function listProposalsForAlerts(
  db: Db | Transaction,
  alertUuids: readonly string[],
  contracts: WriteContracts,
): Promise<CaseProposal[]> {
  if (alertUuids.length === 0) return [];
  const rows = await proposalQuery(db)
    .where(inArray(proposals.alertUuid, [...alertUuids]))
    .orderBy(proposals.proposalUuid);
  const found = await complete(db, rows, contracts);
  return found.flatMap(({ case_id, alert_id, ...proposal }) =>
    case_id === null || alert_id === null ? [] : [{ ...proposal, case_id, alert_id }],
  );
}

/** null: the alert has no case yet. */
export async function findCaseOfAlert(
  transaction: Transaction,
  alertUuid: string,
): Promise<{ readonly caseUuid: string; readonly alertId: string } | null> {
  const [found] = await transaction
    .select({ caseUuid: caseAlerts.caseUuid, alertId: alerts.alertId })
    .from(caseAlerts)
    .innerJoin(alerts, eq(alerts.alertUuid, caseAlerts.alertUuid))
    .where(eq(caseAlerts.alertUuid, alertUuid));
  return found ?? null;
}
