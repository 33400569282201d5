import { z } from 'zod';

/** https://docs.slack.dev/apis/events-api/using-socket-mode. Everything in an envelope is hostile text. */
const Id = z.string().regex(/^[A-Z0-9]{1,30}$/);

export const Frame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), connection_info: z.object({ app_id: Id }) }),
  z.object({ type: z.literal('disconnect') }),
  z.object({ type: z.literal('interactive'), envelope_id: z.string().max(100), payload: z.unknown() }),
  // Apps can subscribe to more than this service needs.
  z.object({ type: z.enum(['events_api', 'slash_commands']), envelope_id: z.string().max(100) }),
]);

/** The workspace, app and user of a payload. */
const Origin = z.object({
  api_app_id: Id,
  team: z.object({ id: Id, domain: z.string().max(200).optional() }),
  /** A guest of a shared channel belongs to another workspace. */
  user: z.object({ id: Id, team_id: Id, name: z.string().max(200).optional() }),
});
export type Origin = z.infer<typeof Origin>;

const Click = Origin.extend({
  type: z.literal('block_actions'),
  trigger_id: z.string().max(200),
  container: z.object({ type: z.literal('message'), channel_id: Id, message_ts: z.string().max(50) }),
  actions: z.tuple([z.object({ action_id: z.string().max(255), value: z.string().max(2000).optional() })]),
});
export type Click = z.infer<typeof Click>;

/** The names of the modal's input, in which a user enters a code. */
export const LINK_VIEW = 'link-account';
export const CODE_BLOCK = 'code';

const Submission = Origin.extend({
  type: z.literal('view_submission'),
  view: z.object({
    callback_id: z.literal(LINK_VIEW),
    state: z.object({ values: z.object({ [CODE_BLOCK]: z.object({ [CODE_BLOCK]: z.object({ value: z.string().max(3000) }) }) }) }),
  }),
});
export type Submission = z.infer<typeof Submission>;

export const Payload = z.discriminatedUnion('type', [Click, Submission]);
