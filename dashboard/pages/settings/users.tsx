import { Badge, Button, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PAGES } from '../../../domain/pages.js';
import type { CreatedInvitation, Invitation } from '../../../services/invitations/wire.js';
import type { User } from '../../../services/users/wire.js';
import { api, toBody, unwrap } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { useOrganizations } from '../../components/lists.js';
import { OneTimeSecret } from '../../components/one-time-secret.js';
import { Time } from '../../components/time.js';
import { useSession } from '../../session.js';
import { ClaimMappings } from './claim-mappings.js';
import { ListSection } from './list-section.js';
import { UserSessions } from './user-sessions.js';

/** People, their invitations, their sessions, and the groups that give roles. */
export function Users() {
  const isForAll = useSession().organization_code === null;
  return (
    <Stack gap="xl">
      <People />
      <Invitations />
      <UserSessions />
      {isForAll && <ClaimMappings />}
    </Stack>
  );
}

function describeRoles({ memberships }: User): string {
  return memberships.map(({ organization_code: code, role }) => `${role}, ${code ?? 'all organizations'}`).join('; ');
}

function createUserColumns(ownUuid: string | null, onDeactivate: (user: User) => void): Column<User>[] {
  return [
    { header: 'Name', accessorKey: 'name' },
    { header: 'E-mail', accessorKey: 'email', cell: ({ row }) => row.original.email ?? '' },
    { id: 'roles', header: 'Roles', cell: ({ row }) => describeRoles(row.original) },
    { header: 'Last sign-in', accessorKey: 'last_sign_in_at', cell: ({ row }) => <Time at={row.original.last_sign_in_at} /> },
    {
      id: 'actions',
      header: 'State',
      cell: ({ row }) => <UserState user={row.original} isOwn={row.original.user_uuid === ownUuid} onDeactivate={onDeactivate} />,
    },
  ];
}

function UserState({ user, isOwn, onDeactivate }: { user: User; isOwn: boolean; onDeactivate: (user: User) => void }) {
  if (user.deactivated_at !== null || isOwn)
    return (
      <Badge variant="outline" color="gray" tt="none">
        {isOwn ? 'You' : 'Deactivated'}
      </Badge>
    );
  return (
    <Button size="compact-xs" variant="outline" color="red" onClick={() => onDeactivate(user)} aria-label={`Deactivate ${user.name}`}>
      Deactivate
    </Button>
  );
}

function People() {
  const list = useFullList(['settings', 'users'], (page) => unwrap(api.GET('/users', { params: { query: page } })));
  const queryClient = useQueryClient();
  const session = useSession();
  const [leaving, setLeaving] = useState<User | null>(null);
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        People
      </Title>
      <ListSection
        purpose="People sign in with their own account. Approvals count people, not API keys."
        label="Users"
        list={list}
        columns={createUserColumns(session.user_uuid, setLeaving)}
        getKey={({ user_uuid }) => user_uuid}
        empty="No users yet"
        create={null}
      >
        <ConfirmDialog
          opened={leaving !== null}
          title={`Deactivate ${leaving?.name ?? ''}?`}
          action="Deactivate"
          onConfirm={async () => {
            await unwrap(api.POST('/users/{user_id}/deactivate', { params: { path: { user_id: leaving?.user_uuid ?? '' } } }));
            await queryClient.invalidateQueries({ queryKey: ['settings'] });
          }}
          onClose={() => setLeaving(null)}
        >
          <Text size="sm">The sessions and API keys of this person end at once. The history keeps the name. You cannot undo this.</Text>
        </ConfirmDialog>
      </ListSection>
    </Stack>
  );
}

function createInvitationColumns(onRevoke: (invitation: Invitation) => void): Column<Invitation>[] {
  return [
    { header: 'E-mail', accessorKey: 'email', cell: ({ row }) => row.original.email ?? 'Set-up link' },
    { header: 'Role', accessorKey: 'role' },
    { header: 'Organization', accessorKey: 'organization_code', cell: ({ row }) => row.original.organization_code ?? 'All' },
    { header: 'Invited by', accessorKey: 'invited_by' },
    { header: 'Expires', accessorKey: 'expires_at', cell: ({ row }) => <Time at={row.original.expires_at} /> },
    {
      id: 'actions',
      header: '',
      cell: ({ row }) => (
        <Button
          size="compact-xs"
          variant="outline"
          color="red"
          onClick={() => onRevoke(row.original)}
          aria-label={`Revoke the invitation of ${row.original.email ?? 'the first admin'}`}
        >
          Revoke
        </Button>
      ),
    },
  ];
}

function Invitations() {
  const list = useFullList(['settings', 'invitations'], (page) => unwrap(api.GET('/invitations', { params: { query: page } })));
  const organizations = useOrganizations();
  const queryClient = useQueryClient();
  const isForAll = useSession().organization_code === null;
  const [isInviting, inviting] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const codes = (organizations.items ?? []).map(({ organization_code: code }) => code);
  const revoke = async ({ invitation_uuid }: Invitation) => {
    await unwrap(api.DELETE('/invitations/{invitation_id}', { params: { path: { invitation_id: invitation_uuid } } }));
    if (created?.invitation_uuid === invitation_uuid) setCreated(null);
    await refresh();
  };
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        Invitations
      </Title>
      <ListSection
        purpose="An invitation is a link with which one person creates an account. It ends after three days. Send it only to that person."
        label="Invitations"
        list={list}
        columns={createInvitationColumns((invitation) => void revoke(invitation))}
        getKey={({ invitation_uuid }) => invitation_uuid}
        empty="No open invitations"
        create={{ label: 'Invite person', onClick: inviting.open }}
      >
        {created && (
          <OneTimeSecret name={`invitation of ${created.email ?? ''}`} value={`${window.location.origin}${PAGES.join}#${created.token}`} />
        )}
        {isInviting && (
          <FieldsModal
            title="Invite person"
            action="Invite"
            fields={[
              field('email', 'E-mail', { help: 'The person signs in with this address.' }),
              field('role', 'Role', {
                help: 'Analyst: works on cases. Admin: also changes connections and settings.',
                schema: { enum: ['analyst', 'admin'] },
              }),
              field('organization_code', 'Organization', {
                help: isForAll ? 'Leave blank for all organizations.' : '',
                required: !isForAll,
                schema: { enum: codes },
              }),
            ]}
            onSave={(given) => unwrap(api.POST('/invitations', { body: toBody({ organization_code: null, ...given }) }))}
            onSaved={(invitation) => {
              inviting.close();
              setCreated(invitation);
              return refresh();
            }}
            onClose={inviting.close}
          />
        )}
      </ListSection>
    </Stack>
  );
}
