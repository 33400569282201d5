/** `dana` for `dana@harbour.example`, `HARBOUR\dana` and `Dana`. */
export function toAccountName(user: string): string {
  return (user.split('\\').at(-1) ?? user).split('@')[0]?.toLowerCase() ?? '';
}
