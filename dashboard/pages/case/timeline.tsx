import { Button, Group, Timeline as Line, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseDetail } from '../../../domain/case/case.js';
import { api, unwrap } from '../../api.js';
import { ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';

export function Timeline({ found }: { found: CaseDetail }) {
  return (
    <Stack>
      <Comment caseId={found.case_id} />
      <Line bulletSize={14} lineWidth={2} active={found.timeline.length}>
        {found.timeline.toReversed().map((entry) => (
          <Line.Item key={`${entry.at} ${entry.kind} ${entry.text}`} title={formatTitle(entry)}>
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

function formatTitle({ kind, by }: CaseDetail['timeline'][number]): string {
  const title = `${kind}${by === null ? '' : ` by ${by}`}`;
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function Comment({ caseId }: { caseId: string }) {
  const [comment, setComment] = useState('');
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationFn: () => unwrap(api.PATCH('/cases/{case_id}', { params: { path: { case_id: caseId } }, body: { comment } })),
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
