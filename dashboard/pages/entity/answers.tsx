import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { EntityCard } from '../../../domain/alert/entity-cards.js';
import type { EntityAnswer } from '../../../domain/case/entity-page.js';
import { buildUrl } from '../../api.js';
import { PageLink } from '../../components/page.js';
import { Time } from '../../components/time.js';

const CARD_TITLES: Readonly<Record<EntityCard['card'], string>> = {
  device: 'Device',
  person: 'Person',
  trips: 'Trips',
  reputation: 'Reputation',
  vulnerability: 'Vulnerability',
};

/** What third parties answered, in their newest answers. */
export function Cards({ cards }: { cards: readonly EntityCard[] }) {
  return cards.map((card) => (
    <Card withBorder key={card.result_id} component="section" aria-label={CARD_TITLES[card.card]}>
      <Title order={3} fz="md" mb="xs">
        {CARD_TITLES[card.card]}
      </Title>
      <Stack gap="sm">
        {card.entries.map((entry, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be equal, and they never move.
          <div key={place}>
            <Text size="sm" fw={600} className="breakable">
              {entry.title}
            </Text>
            {entry.fields.map(({ name, value }) => (
              <Group key={name} gap={6} align="baseline" wrap="nowrap">
                <Text size="xs" c="dimmed" w={104} flex="none">
                  {name}
                </Text>
                <Text size="sm" className="breakable">
                  {value}
                </Text>
              </Group>
            ))}
          </div>
        ))}
      </Stack>
      <Text size="xs" c="dimmed" mt="xs" component="div">
        {card.connection}, {card.skill_id}, <Time at={card.at} size="xs" />. <FullAnswer resultId={card.result_id} />
      </Text>
    </Card>
  ));
}

const MAX_SHOWN = 10;

export function AnswerList({ answers }: { answers: readonly EntityAnswer[] }) {
  return (
    <Card withBorder component="section" aria-label="Answers">
      <Title order={3} fz="md" mb="xs">
        Answers ({answers.length})
      </Title>
      {answers.length === 0 && <Text size="sm">No stored answer is about it.</Text>}
      <Stack gap="xs">
        {answers.slice(0, MAX_SHOWN).map((answer) => (
          <div key={answer.result_id}>
            <Text size="sm" className="breakable">
              {answer.skill_id} on {answer.connection}
            </Text>
            <Text size="xs" component="div">
              <Time at={answer.at} size="xs" /> for{' '}
              <PageLink to="/alerts/$alertId" params={{ alertId: answer.alert_id }} inherit underline="always">
                {answer.alert_id}
              </PageLink>
              . <FullAnswer resultId={answer.result_id} />
            </Text>
          </div>
        ))}
      </Stack>
    </Card>
  );
}

function FullAnswer({ resultId }: { resultId: string }) {
  return (
    <Anchor inherit underline="always" href={buildUrl('/skill-results/{result_id}', { path: { result_id: resultId } })} target="_blank">
      Full answer
    </Anchor>
  );
}
