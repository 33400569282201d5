import { Badge, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import type { CaseSla, Clock } from '../../domain/sla/clock.js';
import { formatAge, Time } from './time.js';

const TICK_MS = 15_000;

/** Marks a case with a running clock that needs attention. */
export function SlaBadge({ sla }: { sla: CaseSla }) {
  const running = [sla.acknowledge, sla.close].filter((clock) => clock?.done_at === null);
  if (running.some((clock) => clock?.is_breached)) return <StateBadge color="red">Overdue</StateBadge>;
  if (running.some((clock) => clock?.is_due_soon)) return <StateBadge color="orange">Due soon</StateBadge>;
  return null;
}

function StateBadge({ color, children }: { color: string; children: string }) {
  return (
    <Badge variant="dot" color={color} tt="none" size="sm" px={6}>
      {children}
    </Badge>
  );
}

/** The time left, or how late the clock is. */
export function SlaClock({ clock: { due_at: dueAt, done_at: doneAt, is_breached: isBreached, is_due_soon: isDueSoon } }: { clock: Clock }) {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useInterval(() => setNow(Date.now() / 1000), TICK_MS, { autoInvoke: true });
  const late = dueAt === null ? 0 : (doneAt ?? now) - dueAt;
  if (doneAt !== null)
    return (
      <>
        <Time at={doneAt} />
        {dueAt !== null && <Text size="sm">{isBreached ? `late by ${formatAge(late)}` : 'in time'}</Text>}
      </>
    );
  if (dueAt === null) return null;
  return (
    <>
      {isBreached && <StateBadge color="red">Overdue</StateBadge>}
      {isDueSoon && <StateBadge color="orange">Due soon</StateBadge>}
      <Text size="sm">{late > 0 ? `late by ${formatAge(late)}, due` : `${formatAge(-late)} left, due`}</Text>
      <Time at={dueAt} />
    </>
  );
}
