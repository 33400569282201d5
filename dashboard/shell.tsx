import { ActionIcon, AppShell, Group, NavLink, Title, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBell,
  IconBriefcase,
  IconFileSearch,
  IconLayoutDashboard,
  IconMenu2,
  IconMoon,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { PAGES } from '../domain/pages.js';
import { Search } from './components/search.js';
import { Shortcuts } from './components/shortcuts.js';
import { TimeZoneButton } from './components/time-zone.js';
import { useLiveUpdates } from './live-updates.js';
import { loadStyled } from './load-styled.js';
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

const NotificationArea = lazy(() =>
  loadStyled(() => import('./components/notification-area.js')).then((module) => ({ default: module.NotificationArea })),
);
const AccountMenu = lazy(() =>
  loadStyled(() => import('./components/account-menu.js')).then((module) => ({ default: module.AccountMenu })),
);
const TwoFactor = lazy(() => loadStyled(() => import('./components/two-factor.js')).then((module) => ({ default: module.TwoFactor })));
const InboxButton = lazy(() => import('./components/inbox/inbox-button.js').then((module) => ({ default: module.InboxButton })));
/** The lists show their results themselves, so that their first load stays small. */
const WITHOUT_NOTIFICATIONS: readonly string[] = [PAGES.alerts, PAGES.cases];

export function Shell() {
  const [menuOpen, menu] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const needsTwoFactor = useSession().needs_two_factor ?? false;
  useLiveUpdates();
  // The API refuses everything else until then.
  if (needsTwoFactor)
    return (
      <Suspense>
        <TwoFactor onClose={() => redirectTo(PAGES.overview)} />
      </Suspense>
    );
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
            <ActionIcon variant="subtle" color="gray" hiddenFrom="sm" aria-label="Menu" aria-expanded={menuOpen} onClick={menu.toggle}>
              <IconMenu2 size={20} stroke={1.7} />
            </ActionIcon>
            <img src="/icon.svg" alt="" width={26} height={26} />
            <Title order={1} fz="md" fw={600}>
              Alert investigator
            </Title>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Search />
            <Inbox />
            <TimeZoneButton />
            <ColorSchemeButton />
            <Account />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" mod={{ closed: !menuOpen }}>
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
      {!WITHOUT_NOTIFICATIONS.includes(path) && (
        <Suspense>
          <NotificationArea />
        </Suspense>
      )}
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

/** Only users have an inbox. */
function Inbox() {
  if (useSession().user_uuid === null) return null;
  return (
    <Suspense>
      <InboxButton />
    </Suspense>
  );
}

/** The menu is loaded when the user opens it. */
function Account() {
  const { name } = useSession();
  const [isUsed, { open: use }] = useDisclosure(false);
  const button = (
    <ActionIcon variant="subtle" color="gray" aria-label={`Signed in as ${name}`} aria-haspopup="menu" onClick={use}>
      <IconUserCircle size={20} stroke={1.7} />
    </ActionIcon>
  );
  if (!isUsed) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu />
    </Suspense>
  );
}
