import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ChatIdentity } from '../../services/chat-identities/wire.js';
import { chatIdentitiesQuery, confirmChatIdentity, createChatCode, removeChatIdentity } from '../queries/account.js';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';
import { ErrorState, PageSkeleton } from './states.js';
import { Time } from './time.js';

/** The user's Slack accounts, and a code that links another one. */
export function LinkSlack({ onClose }: { onClose: () => void }) {
  const { data, error } = useQuery(chatIdentitiesQuery);
  const create = useMutation(createChatCode);
  const confirm = useMutation(confirmChatIdentity);
  const remove = useMutation(removeChatIdentity);
  const failure = error ?? create.error ?? confirm.error ?? remove.error;
  return (
    <Dialog onClose={onClose} title="Link Slack">
      <Stack>
        <Text size="sm">With a linked account you can approve and refuse actions from messages in Slack.</Text>
        {failure && <ErrorState error={failure} />}
        {!data && !error && <PageSkeleton />}
        {data?.items.map((identity) => (
          <Group key={identity.identity_id} justify="space-between" wrap="nowrap">
            <Account identity={identity} />
            <Group gap="xs" wrap="nowrap">
              {identity.app_id !== null && identity.confirmed_at === null && (
                <Button size="xs" loading={confirm.isPending} onClick={() => confirm.mutate(identity.identity_id)}>
                  Confirm
                </Button>
              )}
              <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate(identity.identity_id)}>
                Remove
              </Button>
            </Group>
          </Group>
        ))}
        {create.data ? (
          <>
            <Text size="sm">
              In Slack, choose Approve or Refuse on an Alert Investigator message, then Link my account, and enter this code. Use the code
              once, within 10 minutes, and give it to no other person. Then confirm the account here: before that, it decides nothing.
            </Text>
            <Group gap="xs">
              <Code className="breakable">{create.data.code}</Code>
              <CopyButton value={create.data.code} />
            </Group>
          </>
        ) : (
          <Button loading={create.isPending} onClick={() => create.mutate()}>
            Create code
          </Button>
        )}
      </Stack>
    </Dialog>
  );
}

function Account({ identity }: { identity: ChatIdentity }) {
  const { workspace, workspace_name, app_id, chat_user_id, chat_user_name, linked_at } = identity;
  return (
    <Text size="sm" className="breakable">
      {name(chat_user_name, chat_user_id)} in {name(workspace_name, workspace)}
      {app_id === null ? '' : `, through the app ${app_id}`}, linked <Time at={linked_at} />. {describeState(identity)}
    </Text>
  );
}

/** The name can be chosen by its owner. The ID cannot. */
function name(chosen: string, id: string): string {
  return chosen === '' ? id : `${chosen} (${id})`;
}

function describeState({ app_id, confirmed_at }: ChatIdentity): string {
  if (app_id === null) return 'It decides nothing. Link it again with a new code.';
  if (confirmed_at === null) return 'It decides nothing yet. Confirm only if this account, workspace and app are yours.';
  return '';
}
