import { pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { epochSeconds } from '../columns.js';
import { users } from './identity.js';

/** The account of a user in a chat program. Decisions from messages are those of the user. */
export const chatIdentities = pgTable(
  'chat_identities',
  {
    identityUuid: uuid().primaryKey(),
    kind: text().$type<'slack'>().notNull(),
    /** The host of the API and the id of the workspace there: another host can claim any id. */
    workspace: text().notNull(),
    /** null: linked before the service stored the app. Such an account decides nothing until it is linked again. */
    appId: text(),
    chatUserId: text().notNull(),
    /** As the chat program named them, for the person who confirms. */
    workspaceName: text().notNull().default(''),
    chatUserName: text().notNull().default(''),
    userUuid: uuid()
      .notNull()
      .references(() => users.userUuid),
    linkedAt: epochSeconds().notNull(),
    /** The user saw workspace, app and account in the dashboard. null: the account decides nothing yet. */
    confirmedAt: epochSeconds(),
  },
  (table) => [unique('chat_identities_key').on(table.kind, table.workspace, table.appId, table.chatUserId)],
);

/** The code with which a signed-in user links a chat account. The row is deleted when the code is used, so that it counts once. */
export const chatLinkCodes = pgTable('chat_link_codes', {
  userUuid: uuid()
    .primaryKey()
    .references(() => users.userUuid),
  codeHash: text().notNull().unique('chat_link_codes_key'),
  expiresAt: epochSeconds().notNull(),
});
