import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { QuestionUnderWay } from '../../../domain/alert/alert.js';
import { Time } from '../../components/time.js';

/** What is asked at this moment, of whom, and what keeps the answer. */
export function UnderWay({ questions }: { questions: readonly QuestionUnderWay[] }) {
  if (questions.length === 0) return null;
  return (
    <Stack gap="xs" mb="sm" component="section" aria-label="Being asked now">
      <Title order={4} fz="sm">
        Being asked now
      </Title>
      {questions.map((question) => (
        <OneQuestion key={`${question.skill_id} ${question.connection} ${question.since} ${question.waits_for}`} question={question} />
      ))}
    </Stack>
  );
}

function OneQuestion({ question }: { question: QuestionUnderWay }) {
  const { skill_id, connection, since, attempt } = question;
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={600} className="breakable">
          {skill_id}
          {connection === null ? '' : ` of ${connection}`}
        </Text>
        {attempt > 1 && (
          <Badge variant="light" color="yellow" tt="none">
            attempt {attempt}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" component="div">
        Since <Time at={since} size="xs" />: <Wait question={question} />
      </Text>
    </div>
  );
}

function Wait({ question: { waits_for, until, problem } }: { question: QuestionUnderWay }) {
  switch (waits_for) {
    case 'answer':
      return 'waits for the answer.';
    case 'worker':
      return 'waits for a worker that is free.';
    case 'remote-agent':
      return 'waits for its remote agent to come for it.';
    case 'retry':
      return (
        <>
          {PROBLEMS[problem ?? ''] ?? 'it failed'}; it is asked again <Time at={until} size="xs" />.
        </>
      );
    case 'rate-limit':
      return (
        <>
          {problem === 'CircuitOpen' ? 'it failed too often and is given a rest' : 'the third party asked us to wait'} until{' '}
          <Time at={until} size="xs" />.
        </>
      );
    case 'reconnect':
      return (
        <>
          waits for the connection to be reconnected, at most until <Time at={until} size="xs" />.
        </>
      );
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  Unavailable: 'the third party could not answer',
  SkillTimedOut: 'the third party took too long',
};
