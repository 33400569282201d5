import { Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { newTotpQuery, turnOffTotp, turnOnTotp } from '../queries/account.js';
import { useSession } from '../session.js';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';
import { FieldsModal, field } from './fields-modal.js';
import { QrCode } from './qr-code.js';
import { ErrorState, PageSkeleton } from './states.js';

const CODE = field('code', 'Code', { help: 'Six digits from your authenticator app.' });

/** Turns two-factor authentication of the own sign-in on or off. */
export function TwoFactor({ onClose }: { onClose: () => void }) {
  // The session changes before the dialog closes.
  const { has_second_step } = useSession();
  const [isOn] = useState(has_second_step);
  return isOn ? <TurnOff onClose={onClose} /> : <TurnOn onClose={onClose} />;
}

function TurnOff({ onClose }: { onClose: () => void }) {
  return (
    <FieldsModal
      title="Turn off two-factor authentication"
      action="Turn off"
      color="red"
      fields={[CODE]}
      change={turnOffTotp}
      onClose={onClose}
    />
  );
}

function TurnOn({ onClose }: { onClose: () => void }) {
  const { data, error } = useQuery(newTotpQuery);
  const title = 'Turn on two-factor authentication';
  if (!data)
    return (
      <Dialog onClose={onClose} title={title}>
        {error ? <ErrorState error={error} /> : <PageSkeleton />}
      </Dialog>
    );
  return (
    <FieldsModal title={title} action="Turn on" fields={[CODE]} change={turnOnTotp} onClose={onClose}>
      <Stack gap="xs">
        <Text size="sm">
          Scan this code with your authenticator app, or enter the secret there. Then enter the six digits that the app shows.
        </Text>
        <QrCode text={data.uri} label="QR code for the authenticator app" />
        <Group gap="xs">
          <Code className="breakable">{data.secret}</Code>
          <CopyButton value={data.secret} />
        </Group>
        <Text size="sm">
          <a href={data.uri}>Open this device's authenticator app</a>
        </Text>
      </Stack>
    </FieldsModal>
  );
}
