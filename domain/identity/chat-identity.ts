/** A code that links a chat account counts for this time. */
export const CHAT_LINK_SECONDS = 600;

/** An account in a chat program, as its messages name it. */
export interface ChatAccount {
  readonly kind: 'slack';
  readonly workspace: string;
  readonly chatUserId: string;
}

export function describeChatAccount({ kind, workspace, chatUserId }: ChatAccount): string {
  return `${kind} ${workspace}/${chatUserId}`;
}

/** A linked account in the list of its user. */
export interface ChatIdentity {
  readonly identity_id: string;
  readonly kind: 'slack';
  readonly workspace: string;
  readonly chat_user_id: string;
  readonly linked_at: number;
}

/** Shown once: the service stores only a hash. */
export interface ChatLinkCode {
  readonly code: string;
  readonly expires_at: number;
}
