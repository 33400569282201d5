import { Badge, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { PAGES } from '../../../domain/pages.js';
import type { Created, Item } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { useOrganizationCodes } from '../../components/lists.js';
import { OneTimeSecret } from '../../components/one-time-secret.js';
import { ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { deactivateUser, invitationsQuery, invite, revokeInvitation, usersQuery } from '../../queries/users.js';
import { useSession } from '../../session.js';
import { Belongings } from './belongings.js';
import { ClaimMappings } from './claim-mappings.js';
import { ListSection, RowButton } from './list-section.js';
import { UserSessions } from './user-sessions.js';

type User = Item<'/users'>;

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
    { key: 'name', title: 'Name', render: (row) => row.name },
    { key: 'email', title: 'Email', render: (row) => row.email },
    { key: 'roles', title: 'Roles', render: describeRoles },
    { key: 'is_vouched', title: 'Second approvals', render: (row) => (!row.is_local || row.is_vouched ? 'Count' : 'Do not count yet') },
    { key: 'last_sign_in_at', title: 'Last sign-in', render: (row) => <Time at={row.last_sign_in_at} /> },
    {
      key: 'actions',
      title: 'State',
      render: (row) =>
        row.deactivated_at !== null || row.user_uuid === ownUuid ? (
          <Badge variant="outline" color="gray" tt="none">
            {row.user_uuid === ownUuid ? 'You' : 'Deactivated'}
          </Badge>
        ) : (
          <RowButton isDanger label="Deactivate" name={`Deactivate ${row.name}`} onClick={() => onDeactivate(row)} />
        ),
    },
  ];
}

function canTakeOver({ user_uuid, deactivated_at, memberships }: User, leaving: User): boolean {
  return user_uuid !== leaving.user_uuid && deactivated_at === null && memberships.some(({ role }) => role === 'admin');
}

function People() {
  const list = useFullList(usersQuery);
  const session = useSession();
  const [leaving, setLeaving] = useState<User | null>(null);
  return (
    <ListSection
      title="People"
      purpose="People sign in with their own account. Approvals count people, not API keys."
      label="Users"
      list={list}
      columns={createUserColumns(session.user_uuid, setLeaving)}
      getKey={({ user_uuid }) => user_uuid}
      empty="No users yet"
    >
      {leaving && (
        <ConfirmDialog
          title={`Deactivate ${leaving.name}?`}
          action="Deactivate"
          change={deactivateUser}
          input={leaving.user_uuid}
          onClose={() => setLeaving(null)}
        >
          <Text size="sm">All access of the person ends at once. The history keeps the name. You cannot undo this.</Text>
          <Belongings userUuid={leaving.user_uuid} colleagues={(list.items ?? []).filter((each) => canTakeOver(each, leaving))} />
        </ConfirmDialog>
      )}
    </ListSection>
  );
}

function createInvitationColumns(onRevoke: (invitationUuid: string) => void): Column<Item<'/invitations'>>[] {
  return [
    { key: 'email', title: 'Email', render: (row) => row.email ?? 'Set-up link' },
    { key: 'role', title: 'Role', render: (row) => row.role },
    { key: 'organization_code', title: 'Organization', render: (row) => row.organization_code ?? 'All' },
    { key: 'invited_by', title: 'Invited by', render: (row) => row.invited_by },
    { key: 'expires_at', title: 'Expires', render: (row) => <Time at={row.expires_at} /> },
    {
      key: 'actions',
      title: '',
      render: ({ email, invitation_uuid: uuid }) => (
        <RowButton isDanger label="Revoke" name={`Revoke the invitation of ${email ?? 'the first admin'}`} onClick={() => onRevoke(uuid)} />
      ),
    },
  ];
}

function Invitations() {
  const list = useFullList(invitationsQuery);
  const codes = useOrganizationCodes();
  const isForAll = useSession().organization_code === null;
  const [isInviting, inviting] = useDisclosure(false);
  const [created, setCreated] = useState<Created<'/invitations'> | null>(null);
  const revoke = useMutation({
    ...revokeInvitation,
    onSuccess: (_, uuid) => created?.invitation_uuid === uuid && setCreated(null),
  });
  return (
    <ListSection
      title="Invitations"
      purpose="An invitation is a link with which one person creates an account. It ends after three days. Send it only to that person."
      label="Invitations"
      list={list}
      columns={createInvitationColumns(revoke.mutate)}
      getKey={({ invitation_uuid }) => invitation_uuid}
      empty="No open invitations"
      create={{ label: 'Invite person', onClick: inviting.open }}
    >
      {revoke.error && <ErrorState error={revoke.error} />}
      {created && (
        <OneTimeSecret name={`invitation of ${created.email ?? ''}`} value={`${window.location.origin}${PAGES.join}#${created.token}`} />
      )}
      {isInviting && (
        <FieldsModal
          title="Invite person"
          action="Invite"
          fields={[
            field('email', 'Email', { help: 'The person signs in with this address.' }),
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
          change={invite}
          onDone={setCreated}
          onClose={inviting.close}
        />
      )}
    </ListSection>
  );
}
