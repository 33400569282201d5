import { writeContracts } from '../../connectors/skill-index.js';
import { connectDatabase } from '../../db/client.js';
import { countUsers, listUnverifiedAddresses } from '../../db/identity/users.js';
import { hasTwoPersonRules } from '../../db/response/rule-changes.js';
import { PAGES } from '../../domain/pages.js';
import { asService } from '../context.js';
import { createSecondPersonLink, createSetUpLink } from '../invitations/create-set-up-link.js';

const MAX_ADDRESSES = 20;

export interface SetUp {
  /** There is no user yet. */
  readonly needsFirstUser: boolean;
  /** The path of the set-up page for the first admin; null once there is a user. Each start replaces the link of the start before. */
  readonly path: string | null;
  /** Only in the demo: the same for the person who gives second approvals. */
  readonly secondPath: string | null;
  /** The command for accounts whose approvals do not count, although writes need two people; null where there is nothing to do. */
  readonly vouchCommand: string | null;
}

interface Start {
  readonly isDemo?: boolean;
  /** A person sees the output. A log must not contain a link that makes its reader an admin. */
  readonly showsLinks: boolean;
}

export async function prepareSetUp(databaseUrl: string, { isDemo = false, showsLinks }: Start): Promise<SetUp> {
  const { db, close } = connectDatabase(databaseUrl, { poolSize: 1, name: 'alert-investigator bootstrap' });
  try {
    const path = showsLinks ? toSetUpPath(await createSetUpLink(asService(db))) : null;
    const secondPath = showsLinks && isDemo ? toSetUpPath(await createSecondPersonLink(asService(db))) : null;
    const needsFirstUser = (await countUsers(db)) === 0;
    const addresses = (await hasTwoPersonRules(db, writeContracts.sensitiveKinds)) ? await listUnverifiedAddresses(db, MAX_ADDRESSES) : [];
    const vouchCommand = addresses.length === 0 ? null : `alert-investigator users vouch ${addresses.map(quote).join(' ')}`;
    return { needsFirstUser, path, secondPath, vouchCommand };
  } finally {
    await close();
  }
}

export function toSetUpPath(token: string | null): string | null {
  return token === null ? null : `${PAGES.join}#${token}`;
}

/** For a shell: an address may contain characters such as `'` and `$`. */
function quote(address: string): string {
  return /^[\w.@+-]+$/.test(address) ? address : `'${address.replaceAll("'", String.raw`'\''`)}'`;
}
