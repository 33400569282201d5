import type { Egress } from '../../connectors/kit/egress.js';
import type { Http } from '../../connectors/kit/implement.js';
import type { DecisionKind, NotificationEvent } from '../../domain/notification/event.js';

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

/** A channel with its decrypted secrets, for one attempt only. */
export interface OpenChannel {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: ReadonlyMap<string, string>;
}

export interface Attempt {
  readonly channel: OpenChannel;
  /** Of a digest: its first event. The id stays the same in each attempt. */
  readonly event: NotificationEvent;
  readonly message: Message;
  readonly http: Http;
  readonly egress: Pick<Egress, 'connectTls' | 'connectForStartTls'>;
  /** The reference of the message about the same matter, for a receiver that can update messages. */
  readonly sentMessage: { find(): Promise<unknown>; keep(reference: Record<string, unknown>): Promise<void> };
  readonly signal: AbortSignal;
}

/** Sends one event. Throws a DeliveryFailure, or a ThirdPartyError without a reply. */
export type Send = (attempt: Attempt) => Promise<void>;

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
