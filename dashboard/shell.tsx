import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Menu,
  NavLink,
  Text,
  Title,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBell,
  IconBriefcase,
  IconFileSearch,
  IconLayoutDashboard,
  IconLogout,
  IconMoon,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { PAGES } from '../domain/pages.js';
import { api, unwrap } from './api.js';
import { Shortcuts } from './components/shortcuts.js';
import { useLiveUpdates } from './live-updates.js';
import { redirectTo, useSession } from './session.js';

const MENU = [
  { to: '/', label: 'Overview', icon: IconLayoutDashboard },
  { to: '/alerts', label: 'Alerts', icon: IconBell },
  { to: '/cases', label: 'Cases', icon: IconBriefcase },
  { to: '/records', label: 'Records', icon: IconFileSearch },
  { to: '/integrations', label: 'Integrations', icon: IconPlugConnected },
  { to: '/investigators', label: 'Investigators', icon: IconRoute },
  { to: '/settings', label: 'Settings', icon: IconSettings },
] as const;

export function Shell() {
  const [menuOpen, menu] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useLiveUpdates();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !menuOpen } }}
      padding={{ base: 'sm', sm: 'md' }}
    >
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={menuOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <img src="/icon.svg" alt="" width={26} height={26} />
            <Title order={1} fz="md" fw={600}>
              Alert investigator
            </Title>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeButton />
            <Account />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        {MENU.map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            renderRoot={(props) => <Link to={to} {...props} />}
            label={label}
            leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
            active={to === '/' ? path === '/' : path.startsWith(to)}
            aria-current={(to === '/' ? path === '/' : path.startsWith(to)) ? 'page' : undefined}
            onClick={menu.close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <Shortcuts />
    </AppShell>
  );
}

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const Icon = other === 'dark' ? IconMoon : IconSun;
  return (
    <Tooltip label={`Use ${other} mode`}>
      <ActionIcon variant="subtle" color="gray" aria-label={`Use ${other} mode`} onClick={() => setColorScheme(other)}>
        <Icon size={18} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}

function Account() {
  const { name, role, organization_code } = useSession();
  const signOut = async () => {
    await unwrap(api.DELETE('/session'));
    redirectTo(PAGES.signIn);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Signed in as ${name}`}>
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
        <Menu.Item component="a" href="/docs" target="_blank">
          API documentation
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
