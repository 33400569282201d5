/** An account in a chat program, as its messages name it. */
export interface ChatAccount {
  readonly kind: 'slack';
  readonly workspace: string;
  readonly chatUserId: string;
}

export function describeChatAccount({ kind, workspace, chatUserId }: ChatAccount): string {
  return `${kind} ${workspace}/${chatUserId}`;
}
