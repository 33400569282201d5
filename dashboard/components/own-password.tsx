import { changePassword, verifySession } from '../queries/account.js';
import { FieldsModal, field } from './fields-modal.js';

const secret = { secret: true } as const;

/** Changes the own password. The other sessions of the user end. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const fields = [
    field('current_password', 'Current password', secret),
    field('new_password', 'New password', { ...secret, help: 'At least 12 characters. Your other sessions end.' }),
  ];
  return <FieldsModal title="Change password" action="Change password" fields={fields} change={changePassword} onClose={onClose} />;
}

/** New keys and credentials need a sign-in of the last hour. */
export function ConfirmIdentity({ hasCode, onClose }: { hasCode: boolean; onClose: () => void }) {
  const fields = hasCode
    ? [field('code', 'Code', { help: 'Six digits from your authenticator app.' })]
    : [field('password', 'Password', secret)];
  return <FieldsModal title="Confirm that it is you" action="Confirm" fields={fields} change={verifySession} onClose={onClose} />;
}
