import { asc, eq, sql } from 'drizzle-orm';
import type { RetentionRule } from '../../domain/organization/retention.js';
import type { Db, Transaction } from '../client.js';
import { findOrganizationCode } from '../identity/organizations.js';
import { organizations, retentionRules } from '../schema/index.js';
import { findLegalHold } from './legal-holds.js';

export async function readRetention(db: Db | Transaction, organizationUuid: string) {
  return {
    organization_code: (await findOrganizationCode(db, organizationUuid)) ?? '',
    rules: await listRules(db, organizationUuid),
    legal_hold: await findLegalHold(db, organizationUuid, null),
  };
}

export async function listRules(db: Db | Transaction, organizationUuid: string): Promise<RetentionRule[]> {
  return db
    .select({ kind: retentionRules.kind, severity: retentionRules.severity, days: retentionRules.days })
    .from(retentionRules)
    .where(eq(retentionRules.organizationUuid, organizationUuid))
    .orderBy(asc(retentionRules.kind), sql`${retentionRules.severity} nulls first`);
}

export async function replaceRules(transaction: Transaction, organizationUuid: string, rules: readonly RetentionRule[]): Promise<void> {
  await transaction.delete(retentionRules).where(eq(retentionRules.organizationUuid, organizationUuid));
  if (rules.length > 0) await transaction.insert(retentionRules).values(rules.map((rule) => ({ ...rule, organizationUuid })));
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
      hold: await findLegalHold(db, each.organizationUuid, null),
    })),
  );
  return all.filter(({ hold }) => hold === null);
}
