/** An account in a chat program, as its messages name it. */
export interface ChatAccount {
  readonly kind: 'slack';
  readonly workspace: string;
  /** The app that reported the account: a code that another app collected links nothing in this one. */
  readonly appId: string;
  readonly chatUserId: string;
}

/** The names for the person who confirms the account. */
export interface NamedChatAccount extends ChatAccount {
  readonly workspaceName: string;
  readonly chatUserName: string;
}

export function describeChatAccount({ kind, workspace, chatUserId }: Omit<ChatAccount, 'appId'>): string {
  return `${kind} ${workspace}/${chatUserId}`;
}
