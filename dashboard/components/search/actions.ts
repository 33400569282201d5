import { notifications } from '@mantine/notifications';
import { IconArrowRight, IconCheck, IconHandStop, IconSend, IconUser } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { CLASSIFICATION_LABELS, CLASSIFICATIONS } from '../../../domain/case/classification.js';
import { caseQuery, updateCase } from '../../queries/cases.js';
import { useIsAdmin, useSession } from '../../session.js';

interface Action {
  readonly label: string;
  readonly icon: typeof IconCheck;
  readonly run: () => void;
}

const PAGES = [
  ['/', 'overview'],
  ['/alerts', 'alerts'],
  ['/cases', 'cases'],
  ['/records', 'records'],
  ['/integrations', 'integrations'],
  ['/investigators', 'investigators'],
  ['/settings', 'settings'],
] as const;

/** The actions that this user can take on this page. The API enforces the rights. */
export function useActions({ sendAlert }: { sendAlert: () => void }): Action[] {
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  const caseActions = useCaseActions();
  return [
    ...caseActions,
    ...PAGES.map(([to, name]) => ({ label: `Go to ${name}`, icon: IconArrowRight, run: () => void navigate({ to }) })),
    { label: 'Send a test alert', icon: IconSend, run: sendAlert },
    ...(isAdmin
      ? [
          {
            label: 'Stop or resume changes at third parties',
            icon: IconHandStop,
            run: () => void navigate({ to: '/settings', search: { tab: 'response' } }),
          },
        ]
      : []),
  ];
}

/** The actions of the case that the page shows. */
function useCaseActions(): Action[] {
  const { caseId } = useParams({ strict: false });
  const { name } = useSession();
  const queryClient = useQueryClient();
  const update = useMutation({
    ...updateCase(caseId ?? ''),
    onError: (error) => notifications.show({ title: 'Could not update the case', message: error.message, color: 'red' }),
  });
  const found = caseId === undefined ? undefined : queryClient.getQueryData(caseQuery(caseId).queryKey);
  if (!found || found.merged_into !== null) return [];
  const assign = { label: 'Assign this case to me', icon: IconUser, run: () => update.mutate({ assignee: name }) };
  const close = CLASSIFICATIONS.map((classification) => ({
    label: `Close this case as ${CLASSIFICATION_LABELS[classification].toLowerCase()}`,
    icon: IconCheck,
    run: () => update.mutate({ classification }),
  }));
  return [...(found.assignee === name ? [] : [assign]), ...(found.status === 'closed' ? [] : close)];
}
