import { Anchor, Badge, Button, Group, Timeline as Line, Stack, Text } from '@mantine/core';
import type { AnsweredQuestion } from '../../../domain/alert/alert.js';
import type { Evidence } from '../../../domain/case/evidence.js';
import { duration, Time } from '../../components/time.js';
import { Weight } from '../case/evidence-list.js';

interface Step {
  readonly key: string;
  readonly answer: AnsweredQuestion | null;
  readonly found: readonly Evidence[];
}

/** In the order in which it was asked; what rests on no answer stands at the end. */
function groupSteps(answers: readonly AnsweredQuestion[], evidence: readonly Evidence[]): Step[] {
  const restsOn = ({ source }: Evidence) => answers.find(({ result_id }) => result_id === source?.result_id);
  const asked = answers.map((answer) => ({ key: answer.result_id, answer, found: evidence.filter((entry) => restsOn(entry) === answer) }));
  const own = evidence.filter((entry) => !restsOn(entry)).map((entry) => ({ key: entry.evidence_id, answer: null, found: [entry] }));
  return [...asked, ...own];
}

/** An investigation as it runs: what was asked, how long the answer took, and what came of it. */
export function Steps(props: {
  answers: readonly AnsweredQuestion[];
  evidence: readonly Evidence[];
  /** null: it cannot be investigated again yet. */
  onRepeatFrom: ((step: string) => unknown) | null;
}) {
  const steps = groupSteps(props.answers, props.evidence);
  if (steps.length === 0) return <Text size="sm">Nothing was asked yet.</Text>;
  return (
    <Line bulletSize={14} lineWidth={2} active={steps.length} aria-label="Steps of the investigation">
      {steps.map(({ key, answer, found }) => (
        <Line.Item key={key} title={<StepTitle answer={answer} found={found} />}>
          <Stack gap={4}>
            {found.map((entry) => (
              <Found key={entry.evidence_id} entry={entry} />
            ))}
            {answer && <Answer answer={answer} step={found[0]?.step} onRepeatFrom={props.onRepeatFrom} />}
          </Stack>
        </Line.Item>
      ))}
    </Line>
  );
}

function StepTitle({ answer, found: [entry] }: Pick<Step, 'answer' | 'found'>) {
  if (!answer)
    return (
      <Text size="sm" fw={600} className="breakable">
        {entry?.source
          ? `${entry.source.skill_id}${entry.source.connection === null ? '' : ` of ${entry.source.connection}`}`
          : 'Looked at the alert itself'}
      </Text>
    );
  return (
    <Group gap="xs">
      <Text size="sm" fw={600} className="breakable">
        {answer.skill_id} of {answer.connection}
      </Text>
      {entry?.source?.reused && (
        <Badge variant="outline" color="gray" tt="none">
          answered before
        </Badge>
      )}
      {answer.tries > 1 && (
        <Badge variant="light" color="yellow" tt="none">
          answered at try {answer.tries}
        </Badge>
      )}
    </Group>
  );
}

function Found({ entry }: { entry: Evidence }) {
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <Weight entry={entry} />
      <Text size="sm" className="breakable">
        {entry.title}
        {entry.kind === 'note' ? '' : `: ${entry.reason}`}
      </Text>
    </Group>
  );
}

function Answer(props: { answer: AnsweredQuestion; step: string | undefined; onRepeatFrom: ((step: string) => unknown) | null }) {
  const { answer, step, onRepeatFrom } = props;
  return (
    <Group gap="sm">
      <Text size="xs" c="dimmed">
        <Time at={answer.at} size="xs" />
        {answer.duration_ms === null ? '' : `, answered in ${duration(answer.duration_ms / 1000)}`}
      </Text>
      <Anchor size="xs" href={`/platformapi/skill-results/${answer.result_id}`} target="_blank">
        Whole answer
      </Anchor>
      {step !== undefined && onRepeatFrom && (
        <Button size="compact-xs" variant="subtle" onClick={() => onRepeatFrom(step)}>
          Again from here
        </Button>
      )}
    </Group>
  );
}
