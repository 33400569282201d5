import type { z } from 'zod';
import type { Egress } from '../../connectors/kit/egress.js';
import type { Http } from '../../connectors/kit/implement.js';
import type { DecisionKind, NotificationEvent } from '../../domain/notification/event.js';
import type { ChannelContract } from './define.js';

interface Headline {
  readonly title: string;
  readonly link: string;
}

/** A message for people: a headline and a link. It has no content of alerts, except in the details of a decision. */
export interface Message extends Headline {
  /** The events of a digest. Empty for a single event. */
  readonly items: readonly Headline[];
  /** null: a digest, not about a decision, or the channel does not want details. */
  readonly decision: DecisionDetails | null;
}

/** A write that waits for a person's decision, or has its result. */
export interface DecisionDetails {
  readonly kind: DecisionKind;
  /** Of the proposal or the run. */
  readonly id: string;
  /** Facts for the person who decides. Their text is hostile: a channel shows it without formatting. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** Whether a person can still decide. */
  readonly isWaiting: boolean;
}

/** A message for a channel with its decrypted secrets, for one attempt only. */
export interface Attempt<Contract extends ChannelContract = ChannelContract> {
  readonly settings: z.output<Contract['settings']>;
  readonly secrets: z.output<Contract['secrets']>;
  /** Of a signed channel: the current secret, and the previous one during a rotation. */
  readonly signingSecrets: readonly string[];
  /** Of a digest: its first event. The id stays the same in each attempt. */
  readonly event: NotificationEvent;
  readonly message: Message;
  readonly http: Http;
  readonly egress: Pick<Egress, 'connectTls' | 'connectForStartTls'>;
  /** The place of the earlier message with the same correlation key, for a channel that updates messages. */
  readonly sentPlace: unknown;
  readonly signal: AbortSignal;
}

/** The place of a sent message at the receiver. null: the message is not updated, or is at its earlier place. */
export type SentPlace = Record<string, unknown> | null;

/** Sends one message. Throws a DeliveryFailure, or a ThirdPartyError without a reply. A method, so that a list can hold all channels. */
export type Deliver<Contract extends ChannelContract = ChannelContract> = {
  deliver(attempt: Attempt<Contract>): Promise<SentPlace>;
}['deliver'];

/** The message never contains a secret or a part of the reply. */
export class DeliveryFailure extends Error {
  /** The receiver asked for a pause of the whole channel. */
  readonly pauseSeconds: number | null;

  constructor(message: string, pauseSeconds: number | null = null) {
    super(message);
    this.pauseSeconds = pauseSeconds;
  }
}

const MAX_PAUSE_SECONDS = 3_600;
const DEFAULT_PAUSE_SECONDS = 30;

/** A receiver that throttles pauses the channel; other failures concern this delivery only. */
export function requireAccepted({ status, headers }: { status: number; headers: Readonly<Record<string, string>> }): void {
  if (status >= 200 && status < 300) return;
  const given = Number(headers['retry-after']);
  const pause = Number.isFinite(given) && given > 0 ? Math.min(given, MAX_PAUSE_SECONDS) : DEFAULT_PAUSE_SECONDS;
  throw new DeliveryFailure(`The receiver answered with HTTP ${status}.`, status === 429 ? pause : null);
}
