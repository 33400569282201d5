import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../components/page.js';
import { useIsAdmin } from '../session.js';
import { ApiKeys } from './settings/api-keys.js';
import { AuditLog } from './settings/audit-log.js';
import { OrganizationKnowledge } from './settings/knowledge.js';
import { Notifications } from './settings/notifications.js';
import { Organizations } from './settings/organizations.js';
import { Providers } from './settings/providers.js';
import { RemoteAgents } from './settings/remote-agents.js';
import { Response } from './settings/response.js';
import { DataRetention } from './settings/retention.js';
import { Sla } from './settings/sla.js';
import { TaskTemplates } from './settings/task-templates.js';
import { Users } from './settings/users.js';

interface Tab {
  readonly value: string;
  readonly label: string;
  readonly isForAdmins?: boolean;
  readonly content: ReactNode;
}

const TABS: readonly Tab[] = [
  { value: 'organizations', label: 'Organizations', content: <Organizations /> },
  { value: 'knowledge', label: 'Knowledge', content: <OrganizationKnowledge /> },
  { value: 'providers', label: 'Providers', content: <Providers /> },
  { value: 'users', label: 'Users', isForAdmins: true, content: <Users /> },
  { value: 'api-keys', label: 'API keys', isForAdmins: true, content: <ApiKeys /> },
  { value: 'remote-agents', label: 'Remote agents', content: <RemoteAgents /> },
  { value: 'notifications', label: 'Notifications', isForAdmins: true, content: <Notifications /> },
  { value: 'response', label: 'Response', content: <Response /> },
  { value: 'sla', label: 'SLA', content: <Sla /> },
  { value: 'task-templates', label: 'Task templates', content: <TaskTemplates /> },
  { value: 'retention', label: 'Retention', content: <DataRetention /> },
  { value: 'audit', label: 'Audit log', isForAdmins: true, content: <AuditLog /> },
];

export function SettingsPage() {
  const { tab, organization } = useSearch({ from: '/inside/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const isAdmin = useIsAdmin();
  const tabs = TABS.filter(({ isForAdmins }) => isAdmin || !isForAdmins);
  const shown = tabs.find(({ value }) => value === tab) ?? tabs[0];
  return (
    <Page title="Settings">
      <Tabs
        value={shown?.value ?? null}
        onChange={(value) => navigate({ search: { tab: value ?? undefined, organization } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, content }) => (
          <Tabs.Panel key={value} value={value}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
