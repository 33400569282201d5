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
