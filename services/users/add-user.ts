import { insertUser, isLocalAddress, isNameOfUserOrService, lockNames } from '../../db/identity/users.js';
import { newUuid } from '../../db/ids.js';
import type { Inside, WorkContext } from '../context.js';

/** Ends the transaction of a new user. */
export class NameTaken extends Error {
  readonly field: 'name' | 'email';

  constructor(field: 'name' | 'email') {
    super(`The ${field} is taken.`);
    this.field = field;
  }
}

interface NewUser {
  readonly name: string;
  readonly email: string | null;
  readonly passwordHash: string | null;
  /** The organization that the user joins: only who has the name or the address there is in the way. null: everyone. */
  readonly organizationUuid: string | null;
  readonly provider: { readonly issuer: string; readonly subject: string } | null;
  /** The operator vouches for the person. */
  readonly isVouched?: boolean;
}

/** Throws NameTaken if another user or a service of the organization has the name, or another local user of it the address. */
export async function addUser({ db, now }: Inside<WorkContext>, given: NewUser): Promise<string> {
  const { name, email, passwordHash, provider, organizationUuid, isVouched = false } = given;
  await lockNames(db);
  if (provider === null && email !== null && (await isLocalAddress(db, email, organizationUuid))) throw new NameTaken('email');
  if (await isNameOfUserOrService(db, name, organizationUuid)) throw new NameTaken('name');
  const userUuid = newUuid();
  await insertUser(db, { userUuid, name, email, passwordHash, ...provider, createdAt: now(), vouchedAt: isVouched ? now() : null });
  return userUuid;
}
