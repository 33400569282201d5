import { Button, Group, List, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Item } from '../../api.js';
import { ErrorState } from '../../components/states.js';
import { belongingsQuery, handOver } from '../../queries/users.js';

const KINDS = {
  'service-key': 'Service key',
  'remote-agent': 'Remote agent',
  invitation: 'Invitation',
  'credential-link': 'Credential link',
} as const;

/** What ends with the access of a person, and a form that hands it over to a colleague before. */
export function Belongings({ userUuid, colleagues }: { userUuid: string; colleagues: readonly Item<'/users'>[] }) {
  const { data, error } = useQuery(belongingsQuery(userUuid));
  const [to, setTo] = useState<string | null>(null);
  const hand = useMutation(handOver);
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return null;
  const { items, own_keys: ownKeys, open_cases: openCases, waiting_proposals: waitingProposals } = data;
  const work = [
    ...(ownKeys === 0 ? [] : [`Own API keys: ${ownKeys}. They always end.`]),
    ...(openCases === 0 ? [] : [`Open cases: ${openCases}.`]),
    ...(waitingProposals === 0 ? [] : [`Requested actions that wait: ${waitingProposals}.`]),
  ];
  if (items.length === 0 && work.length === 0) return <Text size="sm">The person leaves nothing that others use.</Text>;
  const canHandOver = openCases > 0 || items.some(({ can_hand_over }) => can_hand_over);
  return (
    <Stack gap="xs">
      {items.length > 0 && <Text size="sm">These end too, unless another admin takes them over:</Text>}
      <List size="sm" aria-label="Belongings">
        {items.map(({ kind, id, name, organization_code: code, can_hand_over }) => (
          <List.Item key={id}>
            {`${KINDS[kind]}: ${name} (${code ?? 'all organizations'})${can_hand_over ? '' : ', not confirmed: it ends'}`}
          </List.Item>
        ))}
        {work.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {canHandOver && (
        <>
          <Group align="flex-end">
            <Select
              label="Hand over to"
              placeholder="Admin"
              data={colleagues.map(({ user_uuid: value, name: label }) => ({ value, label }))}
              value={to}
              onChange={setTo}
            />
            <Button
              variant="default"
              disabled={to === null}
              loading={hand.isPending}
              onClick={() => to !== null && hand.mutate({ from: userUuid, to })}
            >
              Hand over
            </Button>
          </Group>
          <Text size="sm">The person may know the value of a key. Replace these keys soon.</Text>
        </>
      )}
      {hand.error && <ErrorState error={hand.error} />}
    </Stack>
  );
}
