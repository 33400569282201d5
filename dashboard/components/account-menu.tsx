import { ActionIcon, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { PAGES } from '../../domain/pages.js';
import { selectOrganization, signOut } from '../queries/account.js';
import { redirectTo, useSession } from '../session.js';
import { PreferencesDialog } from './inbox/preferences-dialog.js';
import { LinkSlack } from './link-slack.js';
import { ChangePassword, ConfirmIdentity } from './own-password.js';
import { TwoFactor } from './two-factor.js';

/** Opens at once: the click that loaded it asked for it. */
export function AccountMenu() {
  const { name, role, organization_code, memberships, has_second_step, user_uuid, key_uuid } = useSession();
  const [isChanging, changing] = useDisclosure(false);
  const [isChangingPassword, changingPassword] = useDisclosure(false);
  const [isConfirming, confirming] = useDisclosure(false);
  const [isLinking, linking] = useDisclosure(false);
  const [isChoosing, choosing] = useDisclosure(false);
  const [isOpen, { open, close }] = useDisclosure(false);
  const button = useRef<HTMLButtonElement>(null);
  // The pressed button had the focus, to which the menu returns it.
  useEffect(() => {
    button.current?.focus();
    open();
  }, [open]);
  const others = memberships.filter((each) => each.organization_code !== organization_code);
  const select = useMutation({ ...selectOrganization, onSuccess: () => redirectTo(PAGES.overview) });
  const leave = useMutation({ ...signOut, onSuccess: () => redirectTo(PAGES.signIn) });
  return (
    <>
      <Menu position="bottom-end" opened={isOpen} onChange={(opened) => (opened ? open() : close())}>
        <Menu.Target>
          <ActionIcon ref={button} variant="subtle" color="gray" aria-label={`Signed in as ${name}`}>
            <IconUserCircle size={20} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" c="bright">
              {name}
            </Text>
            {role}, {organization_code ?? 'all organizations'}
          </Menu.Label>
          {others.map((other) => (
            <Menu.Item key={other.organization_code ?? ''} onClick={() => select.mutate(other.organization_code)}>
              Switch to {other.organization_code ?? 'all organizations'}
            </Menu.Item>
          ))}
          {has_second_step !== null && (
            <Menu.Item onClick={changing.open}>Two-factor authentication: {has_second_step ? 'on' : 'off'}</Menu.Item>
          )}
          {has_second_step !== null && <Menu.Item onClick={changingPassword.open}>Change password</Menu.Item>}
          {has_second_step !== null && <Menu.Item onClick={confirming.open}>Confirm that it is you</Menu.Item>}
          {user_uuid !== null && <Menu.Item onClick={choosing.open}>Notifications</Menu.Item>}
          {key_uuid === null && <Menu.Item onClick={linking.open}>Link Slack</Menu.Item>}
          <Menu.Item component="a" href="/docs" target="_blank">
            API documentation
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => leave.mutate()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isLinking && <LinkSlack onClose={linking.close} />}
      {isChoosing && <PreferencesDialog onClose={choosing.close} />}
      {isChangingPassword && <ChangePassword onClose={changingPassword.close} />}
      {isConfirming && <ConfirmIdentity hasCode={has_second_step === true} onClose={confirming.close} />}
      {isChanging && <TwoFactor onClose={changing.close} />}
    </>
  );
}
