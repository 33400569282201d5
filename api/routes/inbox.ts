import { z } from 'zod';
import { ofUser } from '../../db/changes.js';
import { countUnread, listEntries, readPreferences } from '../../db/notifications/inbox.js';
import { InboxPreferences, SaveInboxPreferences } from '../../domain/notification/inbox.js';
import { markRead } from '../../services/notifications/mark-read.js';
import { requireInbox } from '../../services/notifications/require-inbox.js';
import { saveInboxPreferences } from '../../services/notifications/save-inbox-preferences.js';
import { InboxEntry, MarkRead, UnreadCount } from '../../services/notifications/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['inbox'];
const INBOX = '/platformapi/inbox';
const OnlyUnread = z
  .stringbool({ truthy: ['true'], falsy: [] })
  .meta({ override: { type: 'boolean', enum: [true] } })
  .optional()
  .describe('Only unread entries.');
const EXAMPLE = { groups: { cases: { wanted: 'all', min_severity: 'critical' } }, browser_notifications: true } as const;
const read = { access: ['analyst', 'admin'] } as const;
const write = { access: ['analyst', 'admin'], changes: ['inbox'] } as const;

/** The events for one user. Each user sees only the own entries, and only those of the active organization. */
export function inboxRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    INBOX,
    {
      config: read,
      schema: {
        operationId: 'getInboxAPI',
        tags,
        summary: 'List your inbox, newest first',
        querystring: PageQuery.extend({ unread: OnlyUnread }),
        response: { 200: pageSchema(InboxEntry), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const page = { ...pageRequest(query), unreadOnly: query.unread ?? false };
      return toListReply(await listEntries(db, requireInbox(principal), page));
    },
  );

  app.get(
    `${INBOX}/unread-count`,
    {
      config: read,
      schema: {
        operationId: 'getUnreadCountAPI',
        tags,
        summary: 'Count your unread entries',
        response: { 200: UnreadCount, ...problems() },
      },
    },
    async ({ principal }) => ({ unread: await countUnread(db, requireInbox(principal)) }),
  );

  app.post(
    `${INBOX}/read`,
    {
      config: write,
      schema: {
        operationId: 'markInboxReadAPI',
        tags,
        summary: 'Mark all your entries as read',
        body: MarkRead.meta({ examples: [{}] }),
        response: { 204: z.null(), ...problems(413, 415) },
      },
    },
    async (request, reply) => {
      request.changedIn = ofUser(requireInbox(request.principal).userUuid);
      await markRead(request.context, { through: request.body.through ?? null });
      return reply.status(204).send(null);
    },
  );

  app.post(
    `${INBOX}/:entry_id/read`,
    {
      config: write,
      schema: {
        operationId: 'markInboxEntryReadAPI',
        tags,
        summary: 'Mark one of your entries as read',
        params: z.object({ entry_id: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async (request, reply) => {
      request.changedIn = ofUser(requireInbox(request.principal).userUuid);
      await markRead(request.context, { entryUuid: request.params.entry_id });
      return reply.status(204).send(null);
    },
  );

  app.get(
    `${INBOX}/preferences`,
    {
      config: read,
      schema: {
        operationId: 'getInboxPreferencesAPI',
        tags,
        summary: 'Read which events reach your inbox',
        response: { 200: InboxPreferences, ...problems() },
      },
    },
    ({ principal }) => readPreferences(db, requireInbox(principal).userUuid),
  );

  app.put(
    `${INBOX}/preferences`,
    {
      config: write,
      schema: {
        operationId: 'saveInboxPreferencesAPI',
        tags,
        summary: 'Choose which events reach your inbox',
        description: 'The preferences apply to later events, in all your organizations.',
        body: SaveInboxPreferences.meta({ examples: [EXAMPLE] }),
        response: { 200: InboxPreferences, ...problems(413, 415) },
      },
    },
    async (request) => {
      request.changedIn = ofUser(requireInbox(request.principal).userUuid);
      return saveInboxPreferences(request.context, request.body);
    },
  );
}
