import { asc, eq, sql } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { Retention, RetentionRule } from '../../domain/organization/retention.js';
import type { Db } from '../client.js';
import { recordAudit } from '../identity/audit.js';
import { organizations, retentionRules } from '../schema/index.js';
import { findHold } from './legal-holds.js';

export async function readRetention(db: Db, organizationUuid: string): Promise<Retention> {
  const [organization] = await db
    .select({ code: organizations.organizationCode })
    .from(organizations)
    .where(eq(organizations.organizationUuid, organizationUuid));
  return {
    organization_code: organization?.code ?? '',
    rules: await listRules(db, organizationUuid),
    legal_hold: await findHold(db, organizationUuid, null),
  };
}

export async function listRules(db: Db, organizationUuid: string): Promise<RetentionRule[]> {
  return db
    .select({ kind: retentionRules.kind, severity: retentionRules.severity, days: retentionRules.days })
    .from(retentionRules)
    .where(eq(retentionRules.organizationUuid, organizationUuid))
    .orderBy(asc(retentionRules.kind), sql`${retentionRules.severity} nulls first`);
}

/** Replaces all rules of the organization. */
export async function saveRules(db: Db, by: Principal, organizationUuid: string, rules: readonly RetentionRule[]): Promise<void> {
  await db.transaction(async (transaction) => {
    const [organization] = await transaction
      .select({ code: organizations.organizationCode })
      .from(organizations)
      .where(eq(organizations.organizationUuid, organizationUuid))
      .for('no key update');
    await transaction.delete(retentionRules).where(eq(retentionRules.organizationUuid, organizationUuid));
    if (rules.length > 0) await transaction.insert(retentionRules).values(rules.map((rule) => ({ ...rule, organizationUuid })));
    await recordAudit(transaction, {
      by,
      organizationUuid,
      action: 'retention.update',
      target: organization?.code ?? '',
      details: { rules },
    });
  });
}

export interface OrganizationRules {
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly rules: readonly RetentionRule[];
}

/** Every organization with rules and without a legal hold on all of its data. */
export async function listApplicableRules(db: Db): Promise<OrganizationRules[]> {
  const found = await db
    .selectDistinct({ organizationUuid: organizations.organizationUuid, organizationCode: organizations.organizationCode })
    .from(retentionRules)
    .innerJoin(organizations, eq(organizations.organizationUuid, retentionRules.organizationUuid));
  const all = await Promise.all(
    found.map(async (each) => ({
      ...each,
      rules: await listRules(db, each.organizationUuid),
      hold: await findHold(db, each.organizationUuid, null),
    })),
  );
  return all.filter(({ hold }) => hold === null);
}
