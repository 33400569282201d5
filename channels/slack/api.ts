import { z } from 'zod';
import type { Http } from '../../connectors/kit/implement.js';
import type { DecisionKind } from '../../domain/notification/event.js';
import { toLine } from '../../domain/text.js';
import { DeliveryFailure, requireAccepted } from '../kit/deliver.js';

/** The buttons of our messages, by the ids of their actions. */
export const DECISION_BUTTONS = {
  'approve-proposal': { verb: 'approve', kind: 'proposal' },
  'refuse-proposal': { verb: 'refuse', kind: 'proposal' },
  'approve-run': { verb: 'approve', kind: 'run' },
  'refuse-run': { verb: 'refuse', kind: 'run' },
} as const satisfies Record<string, { readonly verb: DecisionVerb; readonly kind: DecisionKind }>;
export type DecisionVerb = 'approve' | 'refuse';

export function toButtonId(verb: DecisionVerb, kind: DecisionKind): keyof typeof DECISION_BUTTONS {
  return `${verb}-${kind}`;
}

const Reply = z.looseObject({ ok: z.boolean(), error: z.string().optional() });

/** Slack answered, but refused the call. */
export class SlackRefusal extends DeliveryFailure {
  readonly code: string;

  constructor(code: string) {
    super(`Slack answered: ${code}.`);
    this.code = code;
  }
}

export interface SlackApi {
  readonly http: Http;
  readonly apiUrl: string;
  readonly token: string;
}

/** Calls a method of Slack's Web API and returns its reply. A failure contains only the code of Slack. */
export async function callSlack({ http, apiUrl, token }: SlackApi, method: string, json: object = {}): Promise<unknown> {
  const reply = await http.request({
    method: 'POST',
    url: `${apiUrl.replace(/\/+$/, '')}/${method}`,
    headers: { authorization: `Bearer ${token}` },
    json,
  });
  requireAccepted(reply);
  const parsed = Reply.safeParse(reply.json());
  if (!parsed.success) throw new DeliveryFailure('Slack sent an unknown reply.');
  const { ok, error = '' } = parsed.data;
  if (!ok) throw new SlackRefusal(/^[a-z_]{1,50}$/.test(error) ? error : 'unknown error');
  return parsed.data;
}

/** Shows hostile text as it is. */
export function plainText(text: string) {
  return { type: 'plain_text', text: toLine(text), emoji: false } as const;
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
export function escapeText(text: string): string {
  return toLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
