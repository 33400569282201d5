import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import type { Topic } from '../db/changes.js';
import { readForRecords } from '../db/connections/connection-calls.js';
import {
  beginReading,
  type CopyReach,
  endReading,
  findByIds,
  findMatches,
  forgetRecords,
  listRecordConnections,
  type RecordConnection,
  readReach,
  type StoredMatch,
  saveRecords,
} from '../db/records/records.js';
import { SkillError, ThirdPartyError } from '../domain/connection/skill-errors.js';
import { boundRecord, type RecordActivities, type RecordMatch, type RecordSource, type RecordWindow } from '../domain/record/record.js';
import { clip } from '../domain/text.js';
import { skillActivityName } from './connectors/kit/define.js';
import { readList } from './skills/list-reader.js';
import { type KnownSkill, listSkills, type SkillSet } from './skills/perform-skill.js';
import type { SkillDeps } from './skills/skill-activity.js';

const DAY_SECONDS = 24 * 3600;
/** A copy that was read at most this long before a question answers it: many alerts then cost as many lists as a few. */
const FRESH_SECONDS = 120;
/** Records of this time before an alert can matter for it. */
const LOOKBACK_SECONDS = 3 * DAY_SECONDS;
/** The first read covers more, so that older alerts do not each extend the copy. */
const FIRST_READ_SECONDS = 7 * DAY_SECONDS;
/** After what the alert needs, a read extends the copy into the past by parts, for as long as this. */
const EXTEND_FOR_MS = 10_000;
const OLDEST_SECONDS = 30 * DAY_SECONDS;
/** A record that no read reported for this time is deleted. */
const KEPT_SECONDS = 35 * DAY_SECONDS;
/** For the limit of a minute to end. */
const WAIT_AT_MOST_MS = 100_000;
/** Each read overlaps the previous one, because third parties report some changes late. */
const OVERLAP_SECONDS = 600;
/** Ends the turn of a worker that died while it read. */
const READING_SECONDS = 150;
const LOOK_EVERY_MS = 100;
const HEARTBEAT_MS = 10_000;
const MERGES_AT_MOST = 5;

export const RECORD_ACTIVITY_TOPICS = { searchRecords: [] } as const satisfies Record<keyof RecordActivities, readonly Topic[]>;

/** A list skill of a connector whose records are copied. */
interface CopiedSource {
  readonly connector: string;
  readonly source: RecordSource;
  readonly skill: KnownSkill;
}

/** The copy of one kind of records of one connection. */
interface Copy {
  readonly connection: RecordConnection;
  readonly source: RecordSource;
  readonly skill: KnownSkill;
}

const Listed = z.object({ items: z.array(z.unknown()), cut: z.string().nullable() });

export function createRecordActivities(skills: SkillSet, deps: SkillDeps): RecordActivities {
  const sources = listSources(skills);
  const kinds = [...new Set(sources.map(({ connector }) => connector))];
  return {
    async searchRecords({ alertId, values, around }) {
      const context = Context.current();
      const beating = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      try {
        const connections = await listRecordConnections(deps.pg, alertId, kinds);
        const copies = connections.flatMap((connection): Copy[] =>
          sources.filter(({ connector }) => connector === connection.connector).map(({ source, skill }) => ({ connection, source, skill })),
        );
        const reasons = await Promise.all(copies.map((copy) => refresh(copy, around, deps, context.cancellationSignal)));
        return {
          matches: await search(copies, values, around, deps),
          searched: copies.map(({ connection, source }) => ({ ...describePlace(connection), kind: source.kind })),
          problems: copies.flatMap(({ connection, skill }, index) => {
            const problem = reasons[index] ?? null;
            const { connectionUuid: connectionId } = connection;
            return problem === null ? [] : [{ ...describePlace(connection), connectionId, skillId: skill.contract.title, ...problem }];
          }),
        };
      } finally {
        clearInterval(beating);
      }
    },
  };
}

function describePlace({ connector, instanceName }: RecordConnection): { connector: string; connection: string } {
  return { connector, connection: instanceName };
}

function listSources({ catalogue, implementations }: SkillSet): CopiedSource[] {
  const known = new Map(listSkills({ catalogue, implementations }).map((skill) => [skill.activityName, skill]));
  return Object.entries(catalogue).flatMap(([name, { kind, records = [] }]) =>
    records.flatMap((source) => {
      const skill = known.get(skillActivityName(name, source.verb));
      return skill ? [{ connector: kind, source, skill }] : [];
    }),
  );
}

interface Problem {
  readonly reason: string;
  readonly isTemporary: boolean;
}

/** Brings a copy up to date for an alert of this time. Returns why it could not, or null. */
async function refresh(copy: Copy, around: number, deps: SkillDeps, signal: AbortSignal): Promise<Problem | null> {
  const { connection, source } = copy;
  if (connection.isRouted) return { reason: 'A remote agent reads this connection, so its records are not copied.', isTemporary: false };
  const deadline = Date.now() + WAIT_AT_MOST_MS;
  for (;;) {
    const windows = chooseWindows(source, await readReach(deps.pg, connection.connectionUuid, source.kind), around, Date.now() / 1000);
    if (windows.length === 0) return null;
    if (await beginReading(deps.pg, connection.connectionUuid, source.kind, READING_SECONDS)) {
      const error = await readAll(copy, windows, deps, signal);
      if (error === null) await extend(copy, deps, signal);
      if (error === null || !isWorthWaiting(error, deadline)) return error === null ? null : toProblem(error);
      await delay((error.retryAfterSeconds ?? 1) * 1000, undefined, { signal });
    } else await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

function toProblem(error: SkillError): Problem {
  return { reason: clip(error.message, 1000), isTemporary: error instanceof ThirdPartyError ? error.retryable : true };
}

/** The limit of a minute is over soon. A third party that is down is a gap. */
function isWorthWaiting(error: SkillError, deadline: number): error is ThirdPartyError {
  if (!(error instanceof ThirdPartyError) || error.code !== 'RateLimited') return false;
  return Date.now() + (error.retryAfterSeconds ?? 1) * 1000 < deadline;
}

/** What is missing in the copy: newer records, and older ones if the alert is older than the copy. */
function chooseWindows(source: RecordSource, { coveredFrom, coveredUntil }: CopyReach, around: number, now: number): RecordWindow[] {
  const isFresh = coveredUntil !== null && now - coveredUntil <= (source.freshSeconds ?? FRESH_SECONDS);
  if (source.isWhole) return isFresh ? [] : [{ since: Math.floor(now), until: null }];
  const oldest = now - OLDEST_SECONDS;
  const wanted = Math.max(oldest, Math.min(around, now) - LOOKBACK_SECONDS);
  if (coveredFrom === null || coveredUntil === null)
    return [{ since: Math.floor(Math.max(oldest, Math.min(wanted, now - FIRST_READ_SECONDS))), until: null }];
  return [
    ...(wanted < coveredFrom ? [{ since: Math.floor(Math.max(oldest, wanted - LOOKBACK_SECONDS)), until: Math.ceil(coveredFrom) }] : []),
    ...(isFresh ? [] : [{ since: Math.floor(coveredUntil - OVERLAP_SECONDS), until: null }]),
  ];
}

/** Copies older records, which show whether an indicator was part of an attack before. What fails now is read later. */
async function extend(copy: Copy, deps: SkillDeps, signal: AbortSignal): Promise<void> {
  const { connection, source } = copy;
  const end = Date.now() + EXTEND_FOR_MS;
  while (!source.isWhole && Date.now() < end) {
    const { coveredFrom } = await readReach(deps.pg, connection.connectionUuid, source.kind);
    const oldest = Date.now() / 1000 - OLDEST_SECONDS;
    if (coveredFrom === null || coveredFrom - oldest < DAY_SECONDS) return;
    if (!(await beginReading(deps.pg, connection.connectionUuid, source.kind, READING_SECONDS))) return;
    const window = { since: Math.floor(Math.max(oldest, coveredFrom - FIRST_READ_SECONDS)), until: Math.ceil(coveredFrom) };
    if ((await readAll(copy, [window], deps, signal)) !== null) return;
  }
}

/** Reads the windows and stores their records. A failure keeps what was read before it. */
async function readAll(copy: Copy, windows: readonly RecordWindow[], deps: SkillDeps, signal: AbortSignal): Promise<SkillError | null> {
  const { connectionUuid } = copy.connection;
  const { kind, isWhole = false } = copy.source;
  const covered: { since: number; until: number }[] = [];
  let error: SkillError | null = null;
  try {
    for (const window of windows) {
      const startedAt = Date.now() / 1000;
      await readWindow(copy, window, deps, signal);
      covered.push({ since: window.since, until: window.until ?? startedAt });
      await forgetRecords(deps.pg, connectionUuid, kind, isWhole ? startedAt - 1 : startedAt - KEPT_SECONDS);
    }
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    error = caught;
  } finally {
    await endReading(deps.pg, connectionUuid, kind, joinWindows(covered), error === null ? null : clip(error.message, 1000));
  }
  return error;
}

function joinWindows(windows: readonly { since: number; until: number }[]): { since: number; until: number } | null {
  if (windows.length === 0) return null;
  return { since: Math.min(...windows.map(({ since }) => since)), until: Math.max(...windows.map(({ until }) => until)) };
}

/** Splits a window whose list is incomplete, down to a second. */
async function readWindow(copy: Copy, window: RecordWindow, deps: SkillDeps, signal: AbortSignal): Promise<void> {
  const { connection, source, skill } = copy;
  const { connectionUuid } = connection;
  const now = Math.floor(Date.now() / 1000);
  const callable = await readForRecords(deps.pg, connectionUuid, skill.contract.title);
  const call = { operationKey: `records ${connectionUuid}`, signal };
  const { items, cut } = Listed.parse(await readList(skill, callable, source.buildInput(window, now), deps, call));
  const records = items.flatMap((item) => source.read(item) ?? []).map(boundRecord);
  await saveRecords(deps.pg, connection, source.kind, records);
  if (cut === null || source.isWhole) return;
  const middle = Math.floor((window.since + (window.until ?? now)) / 2);
  if (middle <= window.since) return;
  await readWindow(copy, { since: window.since, until: middle }, deps, signal);
  await readWindow(copy, { since: middle, until: window.until }, deps, signal);
}

/** Finds the records that share a value, and what they were merged into. */
async function search(copies: readonly Copy[], values: readonly string[], around: number, { pg }: SkillDeps): Promise<RecordMatch[]> {
  if (copies.length === 0 || values.length === 0) return [];
  const found = await findMatches(pg, [...new Set(copies.map(({ connection }) => connection.connectionUuid))], values, around);
  const matches = new Map(found.map((match) => [toKey(match), match]));
  let merged = found.filter(({ mergedInto }) => mergedInto !== null);
  for (let hop = 0; hop < MERGES_AT_MOST && merged.length > 0; hop += 1) {
    const targets = await Promise.all(merged.map((match) => findMergeTarget(pg, match)));
    merged = targets.flat().filter((target) => !matches.has(toKey(target)));
    for (const target of merged) matches.set(toKey(target), target);
    merged = merged.filter(({ mergedInto }) => mergedInto !== null);
  }
  return [...matches.values()]
    .filter(({ mergedInto }) => mergedInto === null)
    .flatMap(({ connectionUuid, ...match }) => {
      const copy = copies.find(({ connection, source }) => connection.connectionUuid === connectionUuid && source.kind === match.kind);
      return copy ? [{ ...match, ...describePlace(copy.connection), skillId: copy.skill.contract.title }] : [];
    });
}

function toKey({ connectionUuid, kind, recordId }: StoredMatch): string {
  return `${connectionUuid} ${kind} ${recordId}`;
}

/** The merged record shares what its target does not name: the target keeps the values of the search. */
async function findMergeTarget(pg: SkillDeps['pg'], match: StoredMatch): Promise<StoredMatch[]> {
  const [target] = await findByIds(pg, match.connectionUuid, match.kind, [match.mergedInto ?? '']);
  return target ? [{ ...target, shared: match.shared }] : [];
}
