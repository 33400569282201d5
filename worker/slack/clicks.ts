import { readProposal } from '../../activities/notifications/decision-details.js';
import { callSlack, DECISION_BUTTONS, type DecisionVerb, escapeText, plainText, type SlackApi } from '../../channels/slack/api.js';
import type { ChangeAnnouncer } from '../../db/changes.js';
import type { Db, PgClient } from '../../db/client.js';
import { findSender } from '../../db/notifications/slack-channels.js';
import type { NamedChatAccount } from '../../domain/identity/chat-identity.js';
import { type DecisionKind, toCorrelationKey } from '../../domain/notification/event.js';
import { DECIDING_ROLES } from '../../domain/response/proposal.js';
import { describeResult, listUncounted } from '../../domain/response/proposal-result.js';
import { clip } from '../../domain/text.js';
import type { Logger } from '../../platform/log.js';
import { findChatPrincipal } from '../../services/chat-identities/find-principal.js';
import { linkChatAccount } from '../../services/chat-identities/link.js';
import { asService, type Context, readClock } from '../../services/context.js';
import { CommandError } from '../../services/errors.js';
import { approveProposal } from '../../services/proposals/approve.js';
import { refuseProposal } from '../../services/proposals/refuse.js';
import { type Click, CODE_BLOCK, LINK_VIEW, type Origin, Payload, type Submission } from './envelopes.js';

export interface ClickDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly runner: Context['runner'];
  readonly announcer: ChangeAnnouncer;
  readonly log: Logger;
  /** The operator's policies of the sign-in. */
  readonly policies: Parameters<typeof findChatPrincipal>[3];
}

/** An app in a workspace. Several channels of the service can use it. */
export interface SlackPlace {
  /** The channels with the tokens of the app, at this moment. */
  channelUuids(): readonly string[];
  /** The organization of one of these channels, for the audit log. */
  readonly organizationUuid: string;
  readonly api: SlackApi;
  readonly appId: string;
  readonly teamId: string;
}

/** Of a text in Slack. */
const MAX_TEXT = 3_000;
const NOT_LINKED = 'Your Slack account is not linked to a user of Alert Investigator. Nothing was changed. Link it, then choose again.';
const NOT_CONFIRMED =
  'You have not confirmed the link of this Slack account. Nothing was changed. In Alert Investigator, choose Link Slack in the account menu, confirm, then choose again.';
const LOCAL_USER =
  'Users with a password cannot sign in to Alert Investigator any more, so they cannot decide in Slack. Nothing was changed. Sign in with your identity provider, and link your Slack account there.';
const NEEDS_TWO_FACTOR =
  'Your organization requires two-factor authentication. Nothing was changed. In Alert Investigator, turn it on in the account menu, then choose again.';
const SIGNED_OUT =
  'Your identity provider must confirm your account again. Nothing was changed. Sign in to Alert Investigator, then choose again.';
const NOT_ALLOWED = 'Your user has no role in this organization that can decide about actions. Nothing was changed.';

/** Handles a click or a form, and returns the reply for its envelope. Every check of the API applies; Slack only names the user. */
export async function handlePayload(deps: ClickDeps, place: SlackPlace, given: unknown): Promise<object | null> {
  const parsed = Payload.safeParse(given);
  if (!parsed.success) return null;
  const payload = parsed.data;
  if (!isFrom(payload, place)) {
    deps.log.warn({ team: place.teamId }, 'a click came from another Slack app or workspace');
    return null;
  }
  if (payload.type === 'view_submission') return link(deps, place, payload);
  const [action] = payload.actions;
  if (action.action_id === LINK_BUTTON) await openLinkView(place, payload);
  const button = Object.entries(DECISION_BUTTONS).find(([id]) => id === action.action_id)?.[1];
  if (button) await decide(deps, place, payload, { ...button, id: action.value ?? '' });
  return null;
}

function isFrom({ api_app_id: appId, team, user }: Origin, place: SlackPlace): boolean {
  return appId === place.appId && team.id === place.teamId && user.team_id === place.teamId;
}

function toAccount({ team, user }: Origin, { api, appId, teamId }: SlackPlace): NamedChatAccount {
  return {
    kind: 'slack',
    workspace: `${new URL(api.apiUrl).host}/${teamId}`,
    workspaceName: clip(team.domain ?? '', 200),
    appId,
    chatUserId: user.id,
    chatUserName: clip(user.name ?? '', 200),
  };
}

interface Decision {
  readonly verb: DecisionVerb;
  readonly kind: DecisionKind;
  /** Of the proposal or the run. */
  readonly id: string;
}

async function decide(deps: ClickDeps, place: SlackPlace, click: Click, decision: Decision): Promise<void> {
  const { channel_id: channel, message_ts: ts } = click.container;
  const correlationKey = toCorrelationKey(decision.kind, decision.id);
  // Only the message that a channel of this app sent about this decision has its buttons.
  const organizationUuid = await findSender(deps.pg, { channelUuids: place.channelUuids(), correlationKey, channel, ts });
  if (organizationUuid === null) {
    deps.log.warn({ team: place.teamId }, 'a click came from a message that the service did not send');
    return;
  }
  const principal = await findChatPrincipal(deps.db, toAccount(click, place), organizationUuid, deps.policies);
  if (principal === 'unlinked') return reply(place, click, NOT_LINKED, [linkButton()]);
  if (principal === 'unconfirmed') return reply(place, click, NOT_CONFIRMED);
  if (principal === 'local-user') return reply(place, click, LOCAL_USER);
  if (principal === 'needs-two-factor') return reply(place, click, NEEDS_TWO_FACTOR);
  if (principal === 'signed-out') return reply(place, click, SIGNED_OUT);
  const isAllowed = principal !== 'no-role' && DECIDING_ROLES.some((role) => role === principal.role);
  if (!isAllowed) return reply(place, click, NOT_ALLOWED);
  const context = { by: principal, db: deps.db, runner: deps.runner, now: readClock };
  const { text, isDecided } = await decideOnProposal(context, organizationUuid, decision);
  if (isDecided) deps.announcer.mark(['proposals', 'cases', 'settings'], [decision.id]);
  await reply(place, click, text);
}

/** The explanation for the person. */
interface Answer {
  readonly text: string;
  readonly isDecided: boolean;
}

async function decideOnProposal(context: Context, organizationUuid: string, { verb, id }: Decision): Promise<Answer> {
  const refusal = await findRefusal(() =>
    verb === 'approve' ? approveProposal(context, id, {}) : refuseProposal(context, id, 'Refused in Slack.'),
  );
  const proposal = await readProposal(context.db, organizationUuid, id);
  if (proposal === null) return { text: 'This proposal does not exist any more. Nothing was changed.', isDecided: false };
  const result = describeResult(proposal) ?? '';
  if (refusal !== null) return { text: `${refusal} ${result}`.trim(), isDecided: false };
  const { approvals_given: given, approvals_needed: needed } = proposal;
  const progress = [`${given} of ${needed} approvals.`, ...listUncounted(proposal), 'Another person must approve it too.'].join(' ');
  return { text: result === '' ? `You approved: ${proposal.sentence}. ${progress}` : `${proposal.sentence}: ${result}`, isDecided: true };
}

/** The reason for which the command refuses; null where it succeeded. */
async function findRefusal(command: () => Promise<unknown>): Promise<string | null> {
  try {
    await command();
    return null;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

/** Only the person who clicked sees it. https://docs.slack.dev/reference/methods/chat.postEphemeral */
async function reply({ api }: SlackPlace, { user, container }: Click, text: string, buttons: object[] = []): Promise<void> {
  const actions = buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
  const blocks = [{ type: 'section', text: plainText(clip(text, MAX_TEXT)) }, ...actions];
  await callSlack(api, 'chat.postEphemeral', { channel: container.channel_id, user: user.id, text: escapeText(text), blocks });
}

/** The id of the action. */
const LINK_BUTTON = 'link-account';

function linkButton(): object {
  return { type: 'button', action_id: LINK_BUTTON, text: plainText('Link my account') };
}

/** https://docs.slack.dev/reference/methods/views.open */
async function openLinkView({ api }: SlackPlace, { trigger_id: triggerId }: Click): Promise<void> {
  const code = { type: 'plain_text_input', action_id: CODE_BLOCK, placeholder: plainText('link_…') };
  const hint = plainText('In Alert Investigator, open the account menu, and choose Link Slack. Use the code once, within 10 minutes.');
  const blocks = [{ type: 'input', block_id: CODE_BLOCK, label: plainText('Code'), hint, element: code }];
  await callSlack(api, 'views.open', { trigger_id: triggerId, view: { ...toView('Link my account', blocks), submit: plainText('Link') } });
}

function toView(title: string, blocks: readonly object[]) {
  return { type: 'modal', callback_id: LINK_VIEW, title: plainText(title), close: plainText('Close'), blocks };
}

async function link({ db }: ClickDeps, place: SlackPlace, submission: Submission): Promise<object> {
  const code = submission.view.state.values[CODE_BLOCK][CODE_BLOCK].value.trim();
  try {
    const { name } = await linkChatAccount(asService(db), toAccount(submission, place), code, place.organizationUuid);
    const text = `Now confirm this Slack account as ${name} in Alert Investigator: choose Link Slack in the account menu, then Confirm. After that, close this window and choose again.`;
    return { response_action: 'update', view: toView('Confirm the link', [{ type: 'section', text: plainText(text) }]) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return refuseCode(error.message);
  }
}

/** https://docs.slack.dev/surfaces/modals#displaying_errors */
function refuseCode(reason: string): object {
  return { response_action: 'errors', errors: { [CODE_BLOCK]: reason } };
}
