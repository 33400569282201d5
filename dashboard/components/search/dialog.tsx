import '@mantine/spotlight/styles.css';
import { Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { SEARCH_GROUPS, type SearchGroup, type SearchHit } from '../../../domain/search/search.js';
import { ENTITY_LABELS } from '../../options.js';
import { SendAlert } from '../../pages/send-alert.js';
import { searchQuery } from '../../queries/entities.js';
import { VerdictBadge } from '../badges.js';
import { useActions } from './actions.js';

const GROUP_LABELS: Readonly<Record<SearchGroup, string>> = {
  entities: 'Entities',
  cases: 'Cases',
  alerts: 'Alerts',
  comments: 'Comments',
  evidence: 'Findings',
  connections: 'Connections',
};

const PAUSE_MS = 200;
const SHORTEST_TEXT = 2;

/** Opens each time `timesOpened` grows. */
export function SearchDialog({ timesOpened }: { timesOpened: number }) {
  const [typed, setTyped] = useState('');
  const [isSending, setSending] = useState(false);
  const [text] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const router = useRouter();
  const actions = useActions({ sendAlert: () => setSending(true) });
  useEffect(() => {
    if (timesOpened > 0) spotlight.open();
  }, [timesOpened]);
  const isLong = text.length >= SHORTEST_TEXT;
  const { data, error, isFetching } = useQuery({ ...searchQuery(text), enabled: isLong });
  const found = isLong && data ? SEARCH_GROUPS.flatMap((group) => (data[group].length > 0 ? [{ group, hits: data[group] }] : [])) : [];
  const wanted = typed.trim().toLowerCase();
  const offered = actions.filter(({ label }) => wanted === '' || label.toLowerCase().includes(wanted));
  const isDone = isLong && !isFetching && text === typed.trim();
  return (
    <>
      <Spotlight.Root
        query={typed}
        onQueryChange={setTyped}
        shortcut={null}
        scrollable
        maxHeight="min(60vh, 560px)"
        attributes={{ content: { 'aria-label': 'Search' } }}
      >
        <Spotlight.Search
          placeholder="Search hosts, accounts, hashes, cases, comments, IDs…"
          aria-label="Search text"
          leftSection={<IconSearch size={18} aria-hidden />}
          onKeyDown={({ key }) => key === 'Enter' && openFirst()}
        />
        <Spotlight.ActionsList>
          {found.map(({ group, hits }) => (
            <Spotlight.ActionsGroup key={group} label={GROUP_LABELS[group]}>
              {hits.map((hit) => (
                <Hit key={`${hit.page} ${hit.snippet} ${hit.at}`} group={group} hit={hit} onOpen={() => router.history.push(hit.page)} />
              ))}
            </Spotlight.ActionsGroup>
          ))}
          {offered.length > 0 && (
            <Spotlight.ActionsGroup label="Actions">
              {offered.map(({ label, run, icon: Icon }) => (
                <Spotlight.Action key={label} onClick={run} leftSection={<Icon size={18} stroke={1.7} aria-hidden />} label={label} />
              ))}
            </Spotlight.ActionsGroup>
          )}
          {error && isLong && <Spotlight.Empty>{error.message}</Spotlight.Empty>}
          {isDone && !error && found.length === 0 && <Spotlight.Empty>No results</Spotlight.Empty>}
        </Spotlight.ActionsList>
      </Spotlight.Root>
      {isSending && <SendAlert onClose={() => setSending(false)} />}
    </>
  );
}

/** Without a selected result, Enter opens the first one. The library opens a selected one itself. */
function openFirst(): void {
  if (document.querySelector('[data-action][data-selected]')) return;
  document.querySelector<HTMLElement>('[data-action]')?.click();
}

const ENTITY_NAMES = new Map(Object.entries(ENTITY_LABELS));

/** The texts come from outside and are shown as text. */
function Hit({ group, hit, onOpen }: { group: SearchGroup; hit: SearchHit; onOpen: () => void }) {
  const id = group === 'entities' ? (ENTITY_NAMES.get(hit.id) ?? hit.id) : hit.id;
  return (
    <Spotlight.Action onClick={onOpen}>
      <Group wrap="nowrap" gap="sm" w="100%" align="flex-start">
        <div style={{ flex: 1, minWidth: 0 }}>
          <Text size="sm" truncate>
            {hit.title}
          </Text>
          {hit.snippet !== '' && (
            <Text size="xs" truncate opacity={0.85}>
              {hit.snippet}
            </Text>
          )}
        </div>
        <Group gap={6} wrap="nowrap" flex="none" visibleFrom="xs">
          {hit.verdict !== null && <VerdictBadge verdict={hit.verdict} />}
          {group !== 'connections' && group !== 'comments' && (
            <Text size="xs" opacity={0.85}>
              {id}
            </Text>
          )}
        </Group>
      </Group>
    </Spotlight.Action>
  );
}
