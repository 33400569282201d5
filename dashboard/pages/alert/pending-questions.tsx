import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { QuestionUnderWay } from '../../../services/alerts/wire.js';
import { Time } from '../../components/time.js';

/** The calls in progress, with the reason for each wait. */
export function PendingQuestions({ questions }: { questions: readonly QuestionUnderWay[] }) {
  if (questions.length === 0) return null;
  return (
    <Stack gap="xs" mb="sm" component="section" aria-label="In progress">
      <Title order={4} fz="sm">
        In progress
      </Title>
      {questions.map((question) => (
        <PendingQuestion key={`${question.skill_id} ${question.connection} ${question.since} ${question.waits_for}`} question={question} />
      ))}
    </Stack>
  );
}

function PendingQuestion({ question }: { question: QuestionUnderWay }) {
  const { skill_id, connection, since, attempt } = question;
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={600} className="breakable">
          {skill_id}
          {connection === null ? '' : ` (${connection})`}
        </Text>
        {attempt > 1 && (
          <Badge variant="light" color="yellow" tt="none">
            Attempt {attempt}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" component="div">
        Since <Time at={since} size="xs" />: <WaitReason question={question} />
      </Text>
    </div>
  );
}

function WaitReason({ question: { waits_for, until, problem } }: { question: QuestionUnderWay }) {
  switch (waits_for) {
    case 'answer':
      return 'waiting for the answer.';
    case 'worker':
      return 'waiting for a free worker.';
    case 'remote-agent':
      return 'waiting for the remote agent.';
    case 'retry':
      return (
        <>
          {PROBLEMS[problem ?? ''] ?? 'the call failed'}; next attempt <Time at={until} size="xs" />.
        </>
      );
    case 'rate-limit':
      return (
        <>
          {problem === 'CircuitOpen' ? 'paused after repeated failures' : 'rate limited by the third party'} until{' '}
          <Time at={until} size="xs" />.
        </>
      );
    case 'reconnect':
      return (
        <>
          waiting for new credentials, until <Time at={until} size="xs" />.
        </>
      );
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  Unavailable: 'the third party is unavailable',
  SkillTimedOut: 'the third party did not respond in time',
};
