import { Anchor, Badge, Button, Group, Timeline as Line, Stack, Text } from '@mantine/core';
import type { Evidence } from '../../../domain/verdict/evidence.js';
import type { AnsweredQuestion } from '../../../services/alerts/wire.js';
import { buildUrl } from '../../api.js';
import { formatDuration, Time } from '../../components/time.js';
import { describeReuse, PointsBadge } from '../case/evidence-entry.js';

interface Step {
  readonly key: string;
  readonly answer: AnsweredQuestion | null;
  readonly found: readonly Evidence[];
}

/** Steps in the order of their calls; evidence without a call comes last. */
function groupSteps(answers: readonly AnsweredQuestion[], evidence: readonly Evidence[]): Step[] {
  const findAnswer = ({ source }: Evidence) => answers.find(({ result_id }) => result_id === source?.result_id);
  const answered = answers.map((answer) => ({
    key: answer.result_id,
    answer,
    found: evidence.filter((entry) => findAnswer(entry) === answer),
  }));
  const unanswered = evidence
    .filter((entry) => !findAnswer(entry))
    .map((entry) => ({ key: entry.evidence_id, answer: null, found: [entry] }));
  return [...answered, ...unanswered];
}

export function Steps(props: {
  answers: readonly AnsweredQuestion[];
  evidence: readonly Evidence[];
  /** null while an investigation runs. */
  onRerunFrom: ((step: string) => unknown) | null;
}) {
  const steps = groupSteps(props.answers, props.evidence);
  if (steps.length === 0) return <Text size="sm">No steps yet.</Text>;
  return (
    <Line bulletSize={14} lineWidth={2} active={steps.length} aria-label="Investigation steps">
      {steps.map(({ key, answer, found }) => (
        <Line.Item key={key} title={<StepTitle answer={answer} found={found} />}>
          <Stack gap={4}>
            {found.map((entry) => (
              <Finding key={entry.evidence_id} entry={entry} />
            ))}
            {answer && <Answer answer={answer} step={found[0]?.step} onRerunFrom={props.onRerunFrom} />}
          </Stack>
        </Line.Item>
      ))}
    </Line>
  );
}

function StepTitle({ answer, found: [entry] }: Pick<Step, 'answer' | 'found'>) {
  const reuse = entry ? describeReuse(entry) : null;
  return (
    <Group gap="xs">
      <Text size="sm" fw={600} className="breakable">
        {answer ? `${answer.skill_id} (${answer.connection})` : nameStep(entry)}
      </Text>
      {reuse !== null && (
        <Badge variant="outline" color="gray" tt="none">
          Reused: {reuse}
        </Badge>
      )}
      {answer && answer.tries > 1 && (
        <Badge variant="light" color="yellow" tt="none">
          Attempt {answer.tries}
        </Badge>
      )}
    </Group>
  );
}

/** The answer of another alert is not among the answers of this one. */
function nameStep(entry: Evidence | undefined): string {
  if (!entry?.source) return 'Read the alert';
  return `${entry.source.skill_id}${entry.source.connection === null ? '' : ` (${entry.source.connection})`}`;
}

function Finding({ entry }: { entry: Evidence }) {
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <PointsBadge entry={entry} />
      <Text size="sm" className="breakable">
        {entry.title}
        {entry.kind === 'note' ? '' : `: ${entry.reason}`}
      </Text>
    </Group>
  );
}

function Answer(props: { answer: AnsweredQuestion; step: string | undefined; onRerunFrom: ((step: string) => unknown) | null }) {
  const { answer, step, onRerunFrom } = props;
  return (
    <Group gap="sm">
      <Text size="xs" c="dimmed">
        <Time at={answer.at} size="xs" />
        {answer.duration_ms === null ? '' : `, took ${formatDuration(answer.duration_ms / 1000)}`}
      </Text>
      <Anchor size="xs" href={buildUrl('/skill-results/{result_id}', { path: { result_id: answer.result_id } })} target="_blank">
        View full response
      </Anchor>
      {step !== undefined && onRerunFrom && (
        <Button size="compact-xs" variant="subtle" onClick={() => onRerunFrom(step)}>
          Re-run from this step
        </Button>
      )}
    </Group>
  );
}
