import { Context } from '@temporalio/activity';
import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { z } from 'zod';
import type { Sql } from '../db/client.js';
import { forgetFailures, readForSource } from '../db/connections.js';
import { noteError, requireUsable } from '../db/skill-calls.js';
import { endPoll, ensureProvider, type Feed, findFeed, listFeeds, moveWatermark, readWatermark, takeItem } from '../db/sources.js';
import { SkillError, ThirdPartyError } from '../domain/errors.js';
import {
  POLLED_SOURCES,
  type PolledSource,
  type PollReport,
  type SourceActivities,
  type SourceItem,
  type SourceWindow,
} from '../domain/source.js';
import { openerOf } from './open-connection.js';
import { type KnownSkill, parseInput, performSkill, type SkillSet, skillsOf } from './perform.js';
import type { SkillDeps } from './skill.js';

const POLL_EVERY = '1m';
const SCHEDULE_PREFIX = 'source-';

/** The schedules are those of the connections that feed the intake: made, and taken away, where they are not. */
export async function scheduleSources({ sql, client }: { sql: Sql; client: Client }, taskQueue: string): Promise<void> {
  const unscheduled = new Set(await listFeeds(sql, Object.keys(POLLED_SOURCES)));
  for await (const { scheduleId, memo } of client.schedule.list()) {
    // Other installations may share the namespace.
    if (!scheduleId.startsWith(SCHEDULE_PREFIX) || memo?.['taskQueue'] !== taskQueue) continue;
    if (!unscheduled.delete(scheduleId.slice(SCHEDULE_PREFIX.length))) await removeSchedule(client, scheduleId);
  }
  for (const connectionId of unscheduled) await addSchedule(client, taskQueue, connectionId);
}

async function addSchedule(client: Client, taskQueue: string, connectionId: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: `${SCHEDULE_PREFIX}${connectionId}`,
      spec: { intervals: [{ every: POLL_EVERY }] },
      action: {
        type: 'startWorkflow',
        workflowType: 'pollSource',
        workflowId: `poll-source-${connectionId}`,
        args: [{ connectionId }],
        taskQueue,
        workflowExecutionTimeout: '30m',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
      state: { triggerImmediately: true },
      memo: { taskQueue },
    });
  } catch (error) {
    // The list lags behind.
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

async function removeSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/** What a window overlaps the one before it: things come to light later than they happened. */
const OVERLAP_SECONDS = 600;
/** What a source that is new begins with. */
const FIRST_WINDOW_SECONDS = 24 * 3600;
/** A window that holds more than can be listed is read in so many parts, oldest first. */
const PARTS = 8;
const HEARTBEAT_MS = 15_000;

const Listed = z.object({ items: z.array(z.unknown()), cut: z.string().nullable() });

export function createSourceActivities(skills: SkillSet, deps: SkillDeps): SourceActivities {
  const known = new Map(skillsOf(skills).map((skill) => [skill.activityName, skill]));
  return {
    async pollSource(connectionId) {
      const feed = await findFeed(deps.sql, connectionId);
      const source = POLLED_SOURCES[feed?.connector ?? ''];
      const skill = known.get(source?.skill ?? '');
      if (!feed || !source || !skill) return { taken: 0, noted: 0, ended: 'The connection does not feed the intake.' };
      const context = Context.current();
      const beating = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      try {
        return await poll(feed, source, skill, deps, context.cancellationSignal);
      } finally {
        clearInterval(beating);
      }
    },
  };
}

async function poll(feed: Feed, source: PolledSource, skill: KnownSkill, deps: SkillDeps, signal: AbortSignal): Promise<PollReport> {
  const { connectionUuid } = feed;
  const provider = await ensureProvider(deps.db, source.provider);
  const watermark = await readWatermark(deps.sql, connectionUuid, FIRST_WINDOW_SECONDS);
  const count = { taken: 0, noted: 0 };
  const take = async (items: readonly SourceItem[]) => {
    for (const item of items) {
      signal.throwIfAborted();
      const outcome = await deps.sql.begin((transaction) => takeItem(transaction, feed, provider, item));
      if (outcome !== 'known') count[outcome] += 1;
    }
    // By the third party's clock; one that is ahead of ours must not take us past what it has yet to report.
    const newest = Math.max(...items.flatMap(({ at }) => at ?? []));
    if (Number.isFinite(newest)) await moveWatermark(deps.sql, connectionUuid, Math.min(newest, Date.now() / 1000));
  };
  let ended: string | null = null;
  try {
    const list: List = (window) => ask(source, skill, connectionUuid, deps, signal, window);
    ended = await readWindow(list, take, { since: Math.max(0, watermark - OVERLAP_SECONDS), until: null });
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    ended = error.message;
  }
  await endPoll(deps.sql, connectionUuid, ended);
  return { ...count, ended };
}

type List = (window: SourceWindow) => Promise<{ items: SourceItem[]; cut: string | null }>;

/** Null, or why not all of it could be read. */
async function readWindow(list: List, take: (items: readonly SourceItem[]) => Promise<void>, window: SourceWindow): Promise<string | null> {
  const { items, cut } = await list(window);
  const newest = window.until ?? Math.max(window.since, ...items.flatMap(({ at }) => at ?? []));
  const isDivisible = newest - window.since > 1;
  if (cut === null || !isDivisible) {
    await take(items);
    return cut;
  }
  const step = Math.ceil((newest - window.since) / PARTS);
  let missing: string | null = null;
  for (let since = window.since; since < newest; since += step) {
    const until = since + step < newest ? since + step : window.until;
    missing = (await readWindow(list, take, { since, until })) ?? missing;
  }
  return missing;
}

/** The same way out as any skill: same connection, limits and errors, and the same consequences for whoever else uses it. */
async function ask(
  source: PolledSource,
  { contract, connector, perform }: KnownSkill,
  connectionId: string,
  deps: SkillDeps,
  signal: AbortSignal,
  window: SourceWindow,
): ReturnType<List> {
  const connection = requireUsable(await readForSource(deps.sql, connectionId, contract.title));
  if (connection.remoteAgentUuid !== null)
    throw new ThirdPartyError('BadRequest', 'What is routed through a remote agent cannot feed the intake.');
  try {
    const http = deps.gate.forConnection({ connectionId, requestsPerMinute: connector.requestsPerMinute, signal });
    const context = openerOf(deps).contextFor(connector, connection, { http, signal, operationKey: `poll ${connectionId}` });
    const input = parseInput(contract, source.question(window, Math.floor(Date.now() / 1000)));
    const { items, cut } = Listed.parse(await performSkill(contract, perform, input, context, signal));
    if (connection.failuresInARow > 0) await forgetFailures(deps.sql, connectionId);
    return { items: items.map((item) => source.read(item)).toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0)), cut };
  } catch (error) {
    await noteError(deps, { ...connection, skillId: contract.title }, error);
    throw error;
  }
}
