import { Anchor, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AskedQuestion } from '../../../domain/verdict/evidence.js';
import { buildUrl } from '../../api.js';
import { JsonView } from '../../components/json-view.js';
import { ErrorState } from '../../components/states.js';
import { answerQuery } from '../../queries/cases.js';
import { AnswerView } from './answer-view.js';

/** The answer as a table or a card, the question, and both as JSON. */
export function AnswerTabs({ asked, resultId }: { asked: AskedQuestion; resultId: string | null }) {
  return (
    <Tabs defaultValue={resultId === null ? 'question' : 'answer'} keepMounted={false} variant="outline">
      <Tabs.List>
        {resultId !== null && <Tabs.Tab value="answer">Answer</Tabs.Tab>}
        <Tabs.Tab value="question">Question</Tabs.Tab>
        {resultId !== null && <Tabs.Tab value="json">Raw JSON</Tabs.Tab>}
      </Tabs.List>
      {resultId !== null && (
        <>
          <Tabs.Panel value="answer" pt="xs">
            <StoredAnswer resultId={resultId} isRaw={false} />
          </Tabs.Panel>
          <Tabs.Panel value="json" pt="xs">
            <StoredAnswer resultId={resultId} isRaw />
          </Tabs.Panel>
        </>
      )}
      <Tabs.Panel value="question" pt="xs">
        <Stack gap={4}>
          <AnswerView value={asked.input} />
          <Text size="xs" className="breakable">
            SHA-256 of the request: {asked.request_digest}
          </Text>
          {asked.reply_digest !== null && (
            <Text size="xs" className="breakable">
              SHA-256 of the response: {asked.reply_digest}
            </Text>
          )}
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

function StoredAnswer({ resultId, isRaw }: { resultId: string; isRaw: boolean }) {
  const params = { path: { result_id: resultId } };
  const { data, error, refetch } = useQuery(answerQuery(resultId));
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <Skeleton height={48} role="status" aria-label="Loading" />;
  return (
    <Stack gap={4}>
      {isRaw ? <JsonView value={data.output} label="Third party's answer" /> : <AnswerView value={data.output} />}
      <Anchor size="xs" href={buildUrl('/skill-results/{result_id}', params)} target="_blank">
        View full response (JSON)
      </Anchor>
    </Stack>
  );
}
