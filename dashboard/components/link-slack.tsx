import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { chatIdentitiesQuery, createChatCode, removeChatIdentity } from '../queries/account.js';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';
import { ErrorState, PageSkeleton } from './states.js';
import { Time } from './time.js';

/** The user's Slack accounts, and a code that links another one. */
export function LinkSlack({ onClose }: { onClose: () => void }) {
  const { data, error } = useQuery(chatIdentitiesQuery);
  const create = useMutation(createChatCode);
  const remove = useMutation(removeChatIdentity);
  const failure = error ?? create.error ?? remove.error;
  return (
    <Dialog onClose={onClose} title="Link Slack">
      <Stack>
        <Text size="sm">With a linked account you can approve and refuse actions from messages in Slack.</Text>
        {failure && <ErrorState error={failure} />}
        {!data && !error && <PageSkeleton />}
        {data?.items.map(({ identity_id: id, workspace, chat_user_id: user, linked_at: at }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Text size="sm" className="breakable">
              {user} in {workspace}, linked <Time at={at} />
            </Text>
            <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate(id)}>
              Remove
            </Button>
          </Group>
        ))}
        {create.data ? (
          <>
            <Text size="sm">
              In Slack, choose Approve or Refuse on an Alert Investigator message, then Link my account, and enter this code. Use the code
              once, within 10 minutes. Give it to no other person: it acts for you.
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
