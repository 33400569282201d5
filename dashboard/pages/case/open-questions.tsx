import { Card, Stack, Text, Title } from '@mantine/core';
import type { Evidence } from '../../../domain/verdict/evidence.js';
import { EvidenceEntry } from './evidence-entry.js';

/** The questions that no third party answered. Each lowers the confidence. */
export function OpenQuestions({ questions }: { questions: readonly Evidence[] }) {
  if (questions.length === 0) return null;
  return (
    <Card withBorder component="section" aria-label="Open questions">
      <Title order={3} fz="md">
        Open questions ({questions.length})
      </Title>
      <Text size="sm" mb="xs">
        Each question without an answer lowers the confidence.
      </Text>
      <Stack gap="xs">
        {questions.map((entry) => (
          <EvidenceEntry key={entry.evidence_id} entry={entry} />
        ))}
      </Stack>
    </Card>
  );
}
