import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Connection } from '../../../services/connections/wire.js';
import type { CreatedCredentialLink, CredentialLink } from '../../../services/credential-links/wire.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Dialog } from '../../components/dialog.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { OneTimeSecret } from '../../components/one-time-secret.js';
import { Time } from '../../components/time.js';
import { createCredentialLink, LINK_HOURS, revokeCredentialLink } from '../../queries/connections.js';

/** How long a link is valid. */
export const VALIDITY = field('valid_for', 'The link is valid for', {
  help: 'The customer opens the link without signing in and enters the credentials. You do not see them.',
  schema: { enum: Object.keys(LINK_HOURS) },
});
export const DEFAULT_VALIDITY = { valid_for: '72 hours' };

/** Creates a link for an existing connection. */
export function AskForCredentials({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const [link, setLink] = useState<CreatedCredentialLink | null>(null);
  if (link) return <CreatedLink link={link} onClose={onClose} />;
  return (
    <FieldsModal
      title={`Ask the customer for ${connection.instance_name} credentials`}
      size="lg"
      action="Create link"
      fields={[VALIDITY]}
      initial={DEFAULT_VALIDITY}
      change={createCredentialLink(connection.connection_id)}
      onDone={setLink}
      staysOpen
      onClose={onClose}
    >
      <Text size="sm">The new credentials replace the stored ones when the customer sends them.</Text>
    </FieldsModal>
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
          title={`Revoke the link for ${revoked.instance_name}`}
          action="Revoke"
          change={revokeCredentialLink}
          input={revoked.link_id}
          onClose={() => setRevoked(null)}
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
