import { Button, Group, Timeline as Line, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseDetail } from '../../../domain/case/case.js';
import { api } from '../../api.js';
import { ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';

/** Newest first: whoever comes back to a case wants to know what is new. */
export function Timeline({ found }: { found: CaseDetail }) {
  return (
    <Stack>
      <Comment caseId={found.case_id} />
      <Line bulletSize={14} lineWidth={2} active={found.timeline.length}>
        {found.timeline.toReversed().map((entry) => (
          <Line.Item key={`${entry.at} ${entry.kind} ${entry.text}`} title={entryTitle(entry)}>
            <Text size="sm" className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
              {entry.text}
            </Text>
            <Time at={entry.at} />
          </Line.Item>
        ))}
      </Line>
    </Stack>
  );
}

function entryTitle({ kind, by }: CaseDetail['timeline'][number]): string {
  const words = `${kind}${by === null ? '' : ` by ${by}`}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Comment({ caseId }: { caseId: string }) {
  const [comment, setComment] = useState('');
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationFn: () => api.patch(`/cases/${encodeURIComponent(caseId)}`, { comment }),
    async onSuccess() {
      setComment('');
      await queryClient.invalidateQueries({ queryKey: ['cases'] });
    },
  });
  return (
    <Stack gap="xs">
      <Textarea
        label="Comment"
        autosize
        minRows={2}
        maxRows={10}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
      {add.error && <ErrorState error={add.error} />}
      <Group justify="flex-end">
        <Button size="xs" disabled={comment.trim() === ''} loading={add.isPending} onClick={() => add.mutate()}>
          Add comment
        </Button>
      </Group>
    </Stack>
  );
}
