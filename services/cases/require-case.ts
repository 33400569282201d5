import { type FoundCase, findCaseUuid, touchCase } from '../../db/cases/case-scope.js';
import type { Db, Transaction } from '../../db/client.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Context, Inside } from '../context.js';
import { notFound } from '../errors.js';

export async function requireCase(db: Db | Transaction, by: Principal, caseId: string): Promise<FoundCase> {
  const found = await findCaseUuid(db, by.organizationUuid, caseId);
  if (found === null) throw notFound('case with this id');
  return found;
}

/** Locks the case until the commit. `wanted`: the part of the case that the command names. */
export async function lockCase({ db, by, now }: Inside<Context>, caseId: string, wanted = 'case with this id'): Promise<FoundCase> {
  const found = await touchCase(db, by.organizationUuid, caseId, now());
  if (found === null) throw notFound(wanted);
  return found;
}
