import { markEntryRead, markReadThrough } from '../../db/notifications/inbox.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { requireInbox } from './require-inbox.js';

/** `entryUuid`: this entry. `through`: this one and older ones; null: all. */
export async function markRead({ db, by, now }: Context, which: { entryUuid: string } | { through: string | null }): Promise<void> {
  const inbox = requireInbox(by);
  if ('through' in which) return markReadThrough(db, inbox, which.through, now());
  if (!(await markEntryRead(db, inbox, which.entryUuid))) throw notFound('inbox entry with this id');
}
