import { connectDatabase } from '../../db/client.js';
import { PAGES } from '../../domain/pages.js';
import { asService } from '../context.js';
import { createSetUpLink } from '../invitations/create-set-up-link.js';

/** The path of the set-up page for the first admin; null once there is a user. Each start replaces the link of the start before. */
export async function prepareSetUp(databaseUrl: string): Promise<string | null> {
  const { db, close } = connectDatabase(databaseUrl, { poolSize: 1, name: 'alert-investigator bootstrap' });
  try {
    const token = await createSetUpLink(asService(db));
    return token === null ? null : `${PAGES.join}#${token}`;
  } finally {
    await close();
  }
}
