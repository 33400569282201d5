import { writeContracts } from '../../connectors/skill-index.js';
import { connectDatabase } from '../../db/client.js';
import { listUnverifiedAddresses } from '../../db/identity/users.js';
import { hasTwoPersonRules } from '../../db/response/rule-changes.js';
import { PAGES } from '../../domain/pages.js';
import { asService } from '../context.js';
import { createSecondPersonLink, createSetUpLink } from '../invitations/create-set-up-link.js';

const MAX_ADDRESSES = 20;

export interface SetUp {
  /** The path of the set-up page for the first admin; null once there is a user. Each start replaces the link of the start before. */
  readonly path: string | null;
  /** Only in the demo: the same for the person who gives second approvals. */
  readonly secondPath: string | null;
  /** The command for accounts whose approvals do not count, although writes need two people; null where there is nothing to do. */
  readonly vouchCommand: string | null;
}

export async function prepareSetUp(databaseUrl: string, { isDemo = false }: { isDemo?: boolean } = {}): Promise<SetUp> {
  const { db, close } = connectDatabase(databaseUrl, { poolSize: 1, name: 'alert-investigator bootstrap' });
  try {
    const toPath = (token: string | null) => (token === null ? null : `${PAGES.join}#${token}`);
    const path = toPath(await createSetUpLink(asService(db)));
    const secondPath = isDemo ? toPath(await createSecondPersonLink(asService(db))) : null;
    const addresses = (await hasTwoPersonRules(db, writeContracts.sensitiveKinds)) ? await listUnverifiedAddresses(db, MAX_ADDRESSES) : [];
    const vouchCommand = addresses.length === 0 ? null : `alert-investigator users vouch ${addresses.map(quote).join(' ')}`;
    return { path, secondPath, vouchCommand };
  } finally {
    await close();
  }
}

/** For a shell: an address may contain characters such as `'` and `$`. */
function quote(address: string): string {
  return /^[\w.@+-]+$/.test(address) ? address : `'${address.replaceAll("'", String.raw`'\''`)}'`;
}
