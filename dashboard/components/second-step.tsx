import { Code, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../api.js';
import { sessionQuery, useSession } from '../session.js';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';
import { FieldsModal, field } from './fields-modal.js';
import { QrCode } from './qr-code.js';
import { ErrorState, PageSkeleton } from './states.js';

const CODE = field('code', 'Code', { help: 'Six digits from your authenticator app.' });

/** Turns the second step of the own sign-in on or off. */
export function SecondStep({ onClose }: { onClose: () => void }) {
  const { has_second_step: isOn } = useSession();
  const queryClient = useQueryClient();
  const done = async () => {
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    onClose();
  };
  return isOn ? <TurnOff onDone={done} onClose={onClose} /> : <TurnOn onDone={done} onClose={onClose} />;
}

interface StepProps {
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function TurnOff({ onDone, onClose }: StepProps) {
  return (
    <FieldsModal
      title="Turn off two-step sign-in"
      action="Turn off"
      color="red"
      fields={[CODE]}
      onSave={({ code }) => unwrap(api.POST('/session/totp/remove', { body: { code: String(code) } }))}
      onSaved={onDone}
      onClose={onClose}
    />
  );
}

function TurnOn({ onDone, onClose }: StepProps) {
  const { data, error } = useQuery({
    queryKey: ['second step'],
    queryFn: () => unwrap(api.POST('/session/totp')),
    // Each request creates another secret.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const title = 'Turn on two-step sign-in';
  if (!data)
    return (
      <Dialog onClose={onClose} title={title}>
        {error ? <ErrorState error={error} /> : <PageSkeleton />}
      </Dialog>
    );
  return (
    <FieldsModal
      title={title}
      action="Turn on"
      fields={[CODE]}
      onSave={({ code }) => unwrap(api.PUT('/session/totp', { body: { code: String(code) } }))}
      onSaved={onDone}
      onClose={onClose}
    >
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
          <a href={data.uri}>Open the authenticator app of this device</a>
        </Text>
      </Stack>
    </FieldsModal>
  );
}
