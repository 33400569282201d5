import { Select, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFullList } from '../../components/full-list.js';
import { ErrorState, PageSkeleton } from '../../components/states.js';
import { organizationsQuery } from '../../queries/organizations.js';
import { useSession } from '../../session.js';

/**
 * Shows the settings of the chosen organization. The choice is part of the address, so that it stays when the user reloads the page or
 * opens another tab. Without a choice nothing is shown, so that no button affects an organization by accident.
 */
export function OrganizationChoice({ children }: { children: (code: string) => ReactNode }) {
  const { organization_code: own } = useSession();
  const { organization } = useSearch({ from: '/inside/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const organizations = useFullList(organizationsQuery);
  if (organizations.error) return <ErrorState error={organizations.error} retry={organizations.refetch} />;
  if (!organizations.items) return <PageSkeleton />;
  const codes = organizations.items.map(({ organization_code: code }) => code);
  const code = codes.find((each) => each === organization) ?? own ?? (codes.length === 1 ? codes[0] : undefined);
  return (
    <>
      {codes.length > 1 && (
        <Select
          label="Organization"
          placeholder="Select an organization"
          data={codes}
          value={code ?? null}
          onChange={(chosen) => navigate({ search: (now) => ({ ...now, organization: chosen ?? undefined }) })}
          allowDeselect={false}
          searchable
          maw={320}
        />
      )}
      {code === undefined ? <Text size="sm">Select an organization to see and change its settings.</Text> : children(code)}
    </>
  );
}
