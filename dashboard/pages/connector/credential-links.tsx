import { Button, Card, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../services/connections/wire.js';
import type { CreatedCredentialLink, CredentialLink } from '../../../services/credential-links/wire.js';
import { api, unwrap } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Dialog } from '../../components/dialog.js';
import { OneTimeSecret } from '../../components/one-time-secret.js';
import { FormButtons } from '../../components/schema-form.js';
import { ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';

const VALIDITIES = [
  { value: '24', label: '24 hours' },
  { value: '72', label: '72 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];
export const DEFAULT_VALIDITY = '72';

export function ValidityInput({ value, onChange }: { value: string; onChange: (hours: string) => void }) {
  return (
    <Select
      label="The link is valid for"
      description="The customer opens the link without signing in and enters the credentials. You do not see them."
      data={VALIDITIES}
      value={value}
      onChange={(hours) => onChange(hours ?? DEFAULT_VALIDITY)}
      allowDeselect={false}
    />
  );
}

/** Creates a link for an existing connection. */
export function AskForCredentials({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const [hours, setHours] = useState(DEFAULT_VALIDITY);
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/connections/{connection_id}/credential-links', {
          params: { path: { connection_id: connection.connection_id } },
          body: { valid_hours: Number(hours) },
        }),
      ),
  });
  if (create.data) return <CreatedLink link={create.data} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={`Ask the customer for credentials of ${connection.instance_name}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack>
          <Text size="sm">The new credentials replace the stored ones when the customer sends them.</Text>
          <ValidityInput value={hours} onChange={setHours} />
          {create.error && <ErrorState error={create.error} />}
          <FormButtons action="Create link" isBusy={create.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

export function CreatedLink({ link, onClose }: { link: CreatedCredentialLink; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={`Link for ${link.instance_name}`} size="lg">
      <Stack>
        <OneTimeSecret name="link" value={`${window.location.origin}${link.path}`}>
          <Text size="sm">
            Send it to the customer only. It works once, until <Time at={link.expires_at} />.
          </Text>
        </OneTimeSecret>
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The links that a customer can still use. */
export function OpenLinks({ links, isAdmin }: { links: readonly CredentialLink[]; isAdmin: boolean }) {
  const queryClient = useQueryClient();
  const [revoked, setRevoked] = useState<CredentialLink | null>(null);
  return (
    <Stack gap={4}>
      {links.map((link) => (
        <Group key={link.link_id} gap="xs">
          <Text size="sm" component="div" className="breakable">
            Waiting for credentials from the customer. {link.created_by} created the link on <Time at={link.created_at} />. It expires on{' '}
            <Time at={link.expires_at} />.
          </Text>
          {isAdmin && (
            <Button size="compact-xs" variant="outline" color="red" onClick={() => setRevoked(link)}>
              Revoke link
            </Button>
          )}
        </Group>
      ))}
      {revoked && (
        <ConfirmDialog
          opened
          title={`Revoke the link for ${revoked.instance_name}`}
          action="Revoke"
          onConfirm={() => unwrap(api.DELETE('/credential-links/{link_id}', { params: { path: { link_id: revoked.link_id } } }))}
          onClose={() => {
            setRevoked(null);
            return queryClient.invalidateQueries({ queryKey: ['connections'] });
          }}
        >
          <Text size="sm">The customer cannot use the link any more. The stored credentials stay as they are.</Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** A connection that does not exist before the customer sends its credentials. */
export function PromisedConnection({ link, isAdmin }: { link: CredentialLink; isAdmin: boolean }) {
  return (
    <Card withBorder component="article" aria-label={link.instance_name}>
      <Stack gap="xs">
        <Text fw={600} className="breakable">
          {link.instance_name} ({link.organization_code})
        </Text>
        <OpenLinks links={[link]} isAdmin={isAdmin} />
      </Stack>
    </Card>
  );
}
