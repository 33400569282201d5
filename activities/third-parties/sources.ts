import { ApplicationFailure, Context } from '@temporalio/activity';
import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { z } from 'zod';
import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue } from '../../connectors/kit/define.js';
import type { PgClient } from '../../db/client.js';
import { readForSource } from '../../db/connections/connection-calls.js';
import { askForRead, endPoll, type Feed, findFeed, listFeeds, moveWatermark, readResult, readWatermark } from '../../db/sources/sources.js';
import {
  type PolledIntake,
  type PollReport,
  type SourceActivities,
  type SourceItem,
  type SourceWindow,
  splitWindow,
} from '../../domain/alert/intake-source.js';
import { SkillError } from '../../domain/connection/skill-errors.js';
import { parseSkillInput } from '../../domain/connection/skill-io.js';
import { toSkillKey } from '../../domain/skill-key.js';
import { asService } from '../../services/context.js';
import { ensureProvider } from '../../services/providers/ensure.js';
import { takeItem } from '../../services/sources/take-item.js';
import { readList } from '../skills/list-reader.js';
import { listSkills, type RunnableSkill, type SkillSet } from '../skills/perform-skill.js';
import type { SkillDeps } from '../skills/skill-activity.js';

interface PolledSource {
  /** The connector's name in the catalogue. */
  readonly connector: string;
  readonly kind: string;
  readonly intake: PolledIntake;
}

function listPolledSources(connectors: Catalogue): PolledSource[] {
  return Object.entries(connectors).flatMap(([connector, { kind, intake }]) =>
    intake?.mode === 'poll' ? [{ connector, kind, intake }] : [],
  );
}

const POLL_EVERY = '1m';
const SCHEDULE_PREFIX = 'source-';

/** Creates the missing schedules of connections that feed the intake, and deletes the schedules of all others. */
export async function scheduleSources({ pg, client }: { pg: PgClient; client: Client }, taskQueue: string): Promise<void> {
  const unscheduled = new Set(
    await listFeeds(
      pg,
      listPolledSources(catalogue).map(({ kind }) => kind),
    ),
  );
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
        // Longer than the default time that a step waits for a remote agent.
        workflowExecutionTimeout: '25h',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
      state: { triggerImmediately: true },
      memo: { taskQueue },
    });
  } catch (error) {
    // The list of schedules is eventually consistent.
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

/** Each window overlaps the previous one, because third parties report some items late. */
const OVERLAP_SECONDS = 600;
/** The first window of a new source. */
const FIRST_WINDOW_SECONDS = 24 * 3600;
const NO_SOURCE = 'The connection does not feed the intake. Set feeds_intake on the connection.';

const Listed = z.object({ items: z.array(z.unknown()), cut: z.string().nullable(), omitted: z.int().optional() });

interface Reading {
  readonly feed: Feed;
  readonly source: PolledSource;
  readonly skill: RunnableSkill;
}

export function createSourceActivities(skills: SkillSet, deps: SkillDeps): SourceActivities {
  const known = new Map(listSkills(skills).map((skill) => [skill.skillKey, skill]));
  const sources = listPolledSources(skills.catalogue);
  const find = async (connectionId: string): Promise<Reading | null> => {
    const feed = await findFeed(deps.pg, connectionId);
    const source = sources.find(({ kind }) => kind === feed?.connector);
    const skill = source && known.get(toSkillKey(source.connector, source.intake.verb));
    return feed && source && skill ? { feed, source, skill } : null;
  };
  const requireReading = async (connectionId: string): Promise<Reading> => {
    const reading = await find(connectionId);
    if (!reading) throw ApplicationFailure.nonRetryable(NO_SOURCE);
    return reading;
  };
  return {
    async pollSource(connectionId) {
      const reading = await find(connectionId);
      if (!reading) return { taken: 0, noted: 0, ended: NO_SOURCE };
      const readUntil = await readWatermark(deps.pg, connectionId, FIRST_WINDOW_SECONDS);
      const window = { since: Math.max(0, readUntil - OVERLAP_SECONDS), until: null };
      if (reading.feed.isRouted) return { window };
      return poll(reading, window, deps, Context.current().cancellationSignal);
    },

    async askForWindow(connectionId, window) {
      const { feed, source, skill } = await requireReading(connectionId);
      const { connector, intake } = source;
      const input = parseSkillInput(skill.contract, buildInput(source, window));
      return askForRead(deps.db, feed, { connectorKey: connector, verb: intake.verb, skillId: skill.contract.title, input });
    },

    async takeWindow(connectionId, window, resultId) {
      const { feed, source } = await requireReading(connectionId);
      const { items, cut, isComplete } = listed(source, await readResult(deps.pg, connectionId, resultId));
      const parts = isComplete ? [] : splitWindow(window, items);
      if (parts.length > 0) return { taken: 0, noted: 0, ended: null, parts };
      return { ...(await take(feed, source, items, deps)), ended: cut, parts };
    },

    endPoll: (connectionId, ended) => endPoll(deps.pg, connectionId, ended),
  };
}

async function poll({ feed, source, skill }: Reading, first: SourceWindow, deps: SkillDeps, signal: AbortSignal): Promise<PollReport> {
  const count = { taken: 0, noted: 0 };
  const windows = [first];
  let ended: string | null = null;
  try {
    for (let window = windows.shift(); window !== undefined; window = windows.shift()) {
      const { items, cut, isComplete } = await ask(source, skill, feed.connectionUuid, deps, signal, window);
      const parts = isComplete ? [] : splitWindow(window, items);
      if (parts.length > 0) {
        windows.unshift(...parts);
        continue;
      }
      const { taken, noted } = await take(feed, source, items, deps, signal);
      count.taken += taken;
      count.noted += noted;
      ended = cut ?? ended;
    }
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    ended = error.message;
  }
  await endPoll(deps.pg, feed.connectionUuid, ended);
  return { ...count, ended };
}

/** Stores each item in its own transaction. Moves the watermark only after all items are stored. */
async function take(feed: Feed, source: PolledSource, items: readonly SourceItem[], deps: SkillDeps, signal?: AbortSignal) {
  const provider = await ensureProvider(asService(deps.db), source.kind);
  const count = { taken: 0, noted: 0 };
  for (const item of items) {
    signal?.throwIfAborted();
    const outcome = await deps.pg.begin((transaction) => takeItem(transaction, feed, provider, item));
    if (outcome !== 'known') count[outcome] += 1;
  }
  // `at` is by the third party's clock. If that clock is fast, the watermark must not skip items that it reports later.
  const newest = Math.max(...items.flatMap(({ at }) => at ?? []));
  if (Number.isFinite(newest)) await moveWatermark(deps.pg, feed.connectionUuid, Math.min(newest, Date.now() / 1000));
  return count;
}

function buildInput(source: PolledSource, window: SourceWindow): Record<string, unknown> {
  return source.intake.buildInput(window, Math.floor(Date.now() / 1000));
}

interface ListedItems {
  /** Oldest first. */
  readonly items: SourceItem[];
  readonly cut: string | null;
  /** False: a smaller window holds more of the items. Items that are too large to read stay unread in any window. */
  readonly isComplete: boolean;
}

function listed(source: PolledSource, output: unknown): ListedItems {
  const { items, cut, omitted = 0 } = Listed.parse(output);
  const oldestFirst = items.map((item) => source.intake.read(item)).toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
  return { items: oldestFirst, cut, isComplete: cut === null || omitted > 0 };
}

async function ask(
  source: PolledSource,
  skill: RunnableSkill,
  connectionId: string,
  deps: SkillDeps,
  signal: AbortSignal,
  window: SourceWindow,
): Promise<ListedItems> {
  const connection = await readForSource(deps.pg, connectionId, skill.skillKey);
  const call = { operationKey: `poll ${connectionId}`, signal };
  return listed(source, await readList(skill, connection, buildInput(source, window), deps, call));
}
