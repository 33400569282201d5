/** The account behind an approval, as the two-person rules see it. */
export interface Approver {
  /** null: the key of a service, or ADMIN_API_KEY. */
  readonly userUuid: string | null;
  readonly email: string | null;
  /** By the identity provider, or by the operator. */
  readonly isVerified: boolean;
}

const VOUCH_COMMAND = 'alert-investigator users vouch <email>';

/**
 * For each approval of a two-person rule, the reason why it does not count; null where it counts. Two accounts are two people only if
 * each of them is verified and their addresses differ.
 */
export function judgeApprovers(approvers: readonly Approver[]): (string | null)[] {
  const counted = new Set<string>();
  return approvers.map((approver) => {
    const reason = explainUncounted(approver);
    if (reason !== null) return reason;
    const address = normalizeEmail(approver.email ?? '');
    if (counted.has(address)) return 'An account with the same email address approved it before.';
    counted.add(address);
    return null;
  });
}

/** Whether each of the approvals counts, so that they come from different people. */
export function arePeople(approvers: readonly Approver[]): boolean {
  return judgeApprovers(approvers).every((reason) => reason === null);
}

/** Why no approval of the account counts as one of two people; null where it can count. */
export function explainUncounted({ userUuid, email, isVerified }: Approver): string | null {
  if (userUuid === null) return 'The API key of a service never counts as one of two people. Approve it with the account of a person.';
  if (!isVerified)
    return `The operator has not confirmed that this account belongs to another person. Ask the operator to run \`${VOUCH_COMMAND}\` on the server.`;
  if (email === null) return 'The account has no email address, so that the service cannot compare it with the other one.';
  return null;
}

/** One spelling for the addresses of one mailbox: letter case, Unicode form, `+tag` and the last dot of the domain make no difference. */
export function normalizeEmail(email: string): string {
  const plain = email
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();
  const at = plain.lastIndexOf('@');
  const [local, domain] = [plain.slice(0, Math.max(at, 0)), plain.slice(at + 1)];
  return `${local.replace(/\+.*$/s, '')}@${domain.replace(/\.+$/, '')}`;
}
