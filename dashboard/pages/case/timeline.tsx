import { Badge, Group, Timeline as Line, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { CaseDetail } from '../../../domain/case/case.js';
import { Time } from '../../components/time.js';
import { CASE_STATUS_LABELS, capitalize, toChoices } from '../../options.js';
import { CommentForm } from './comment-form.js';

type Entry = CaseDetail['timeline'][number];

/** The API states a change of the status as `open → in_progress`. */
const toLabels = (text: string) => toChoices(CASE_STATUS_LABELS).reduce((shown, { value, label }) => shown.replace(value, label), text);

/** Only cases with comments need the parser. */
const CommentMarkdown = lazy(() => import('./markdown.js'));

export function Timeline({ found }: { found: CaseDetail }) {
  return (
    <Stack>
      <CommentForm caseId={found.case_id} organizationCode={found.organization_code} />
      <Line bulletSize={14} lineWidth={2} active={found.timeline.length}>
        {found.timeline.toReversed().map((entry) => (
          <Line.Item key={`${entry.at} ${entry.kind} ${entry.text}`} title={formatTitle(entry)}>
            <EntryText entry={entry} />
            <Group gap="xs">
              <Time at={entry.at} />
              {entry.mentions.map((name) => (
                <Badge key={name} variant="light" size="sm" tt="none">
                  @{name}
                </Badge>
              ))}
            </Group>
          </Line.Item>
        ))}
      </Line>
    </Stack>
  );
}

function EntryText({ entry }: { entry: Entry }) {
  const plain = (
    <Text size="sm" className="wrapped">
      {entry.kind === 'status' ? toLabels(entry.text) : entry.text}
    </Text>
  );
  if (entry.kind !== 'comment') return plain;
  return (
    <Suspense fallback={plain}>
      <Text size="sm" component="div" className="breakable">
        <CommentMarkdown text={entry.text} />
      </Text>
    </Suspense>
  );
}

const CHANGE_PHRASES: Readonly<Partial<Record<Entry['kind'], string>>> = {
  status: 'changed the status',
  assignee: 'changed the assignee',
  comment: 'commented',
  verdict: 'changed the analyst verdict',
  decided: 'decided on an action',
  title: 'renamed the case',
  tags: 'changed the tags',
  task: 'changed the tasks',
  attachment: 'changed the files',
  'legal-hold': 'changed the legal hold',
};

function formatTitle({ kind, by }: Entry): string {
  const phrase = CHANGE_PHRASES[kind];
  if (by !== null && phrase !== undefined) return `${by} ${phrase}`;
  return `${capitalize(kind.replace('-', ' '))}${by === null ? '' : ` by ${by}`}`;
}
