import type { Client, WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { z } from 'zod';
import type { PgClient } from '../../db/client.js';
import { AlertListItem, InvestigationStatus } from '../../domain/alert/alert.js';
import { CaseDetail } from '../../domain/case/case.js';
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.js';
import type { Acknowledgement } from '../load/sender.js';
import { type Check, check } from './report.js';

export interface Rehearsed {
  readonly pg: PgClient;
  readonly temporal: Client;
  /** The API that is not killed. */
  readonly apiUrl: string;
  readonly adminKey: string;
  readonly organization: string;
  readonly provider: string;
  /** An alert type without a playbook, which both APIs receive at the same time. */
  readonly newAlertType: string;
  readonly expected: number;
  readonly acknowledged: readonly Acknowledgement[];
  /** The identity of each worker in Temporal. */
  readonly workers: readonly { readonly name: string; readonly identity: string; readonly killed: boolean }[];
}

/** The worker identities in the history of one run. */
interface Workers {
  /** Includes a worker that died before it completed its task. */
  readonly tookOn: readonly string[];
  readonly completed: readonly string[];
}

type HistoryEvents = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events'];

const BATCH_SIZE = 20;
const PAGE_SIZE = 90;

/** Checks that each alert exists exactly once in the database, in the API and in Temporal. */
export async function checkOutcome(rehearsed: Rehearsed): Promise<Check[]> {
  return [...(await checkDatabase(rehearsed)), ...(await checkApi(rehearsed)), ...(await checkTemporal(rehearsed))];
}

export async function checkMigrations(pg: PgClient, expected: number): Promise<Check> {
  return await check('two APIs migrated one empty database at the same time', async () => {
    const [applied] = await pg`select count(*)::int as count, count(distinct hash)::int as different from drizzle.__drizzle_migrations`;
    return {
      ok: applied?.['count'] === expected && applied['different'] === expected,
      detail: `${applied?.['count']} migrations applied, ${expected} exist`,
    };
  });
}

async function checkDatabase({ pg, acknowledged, expected, organization, provider, newAlertType }: Rehearsed): Promise<Check[]> {
  const ids = Array.from({ length: expected }, (_, index) => `${organization}-${provider.toUpperCase()}-${index + 1}`);
  /** The query counts violations. */
  const none = (name: string, query: PromiseLike<readonly { count: number }[]>, what: string) =>
    check(name, async () => {
      const [found] = await query;
      return { ok: found?.count === 0, detail: found?.count === 0 ? `all ${expected}` : `${found?.count} ${what}` };
    });
  return [
    await check('every alert was acknowledged with a unique id', async () => {
      const different = new Set(acknowledged.map(({ alertId }) => alertId)).size;
      const repeated = acknowledged.filter(({ tries }) => tries > 1).length;
      return {
        ok: acknowledged.length === expected && different === expected,
        detail: `${acknowledged.length} responses, ${different} ids, ${repeated} after a retry`,
      };
    }),
    await check('the database holds exactly these alerts, numbered without a gap', async () => {
      const rows = await pg<{ alert_id: string }[]>`select alert_id from alerts`;
      const stored = new Set(rows.map((row) => row.alert_id));
      const missing = ids.filter((id) => !stored.has(id));
      const lost = acknowledged.filter(({ alertId }) => !stored.has(alertId));
      return {
        ok: rows.length === expected && missing.length === 0 && lost.length === 0,
        detail: `${rows.length} alerts, ${ids[0]} to ${ids.at(-1)}${missing.length > 0 ? `, missing ${missing.join(' ')}` : ''}`,
      };
    }),
    await none(
      'each alert was created once',
      pg`select count(*)::int from alerts where 1 <> (
        select count(*) from audit_log where action = 'alert.create' and target = alert_id)`,
      'alerts do not have exactly one entry in the audit log',
    ),
    await none(
      'each alert is completed (15)',
      pg`select count(*)::int from alerts
        where investigation_status <> ${InvestigationStatus.Completed} or dispatched_no <> 1 or investigation_no <> 1`,
      'alerts are not completed',
    ),
    await check('each alert has exactly one case', async () => {
      const [found] = await pg<{ cases: number; links: number; right: number }[]>`
        select (select count(*)::int from cases) as cases, (select count(*)::int from case_alerts) as links,
          (select count(*)::int from alerts join case_alerts using (alert_uuid) join cases using (case_uuid, alert_uuid)) as right`;
      return {
        ok: found?.cases === expected && found.links === expected && found.right === expected,
        detail: `${found?.cases} cases, ${found?.right} of them linked to their alert`,
      };
    }),
    await none(
      'each case was opened once and concluded once',
      pg`select count(*)::int from cases where (1, 1, 2) <> (
        select count(*) filter (where kind = 'opened'), count(*) filter (where kind = 'concluded'), count(*)
        from case_timeline where case_timeline.case_uuid = cases.case_uuid)`,
      'cases have a different timeline',
    ),
    await none(
      'each alert has evidence without duplicates',
      pg`select count(*)::int from alerts where not exists (
          select from evidence where evidence.alert_uuid = alerts.alert_uuid
        ) or exists (
          select from evidence where evidence.alert_uuid = alerts.alert_uuid group by title having count(*) > 1
        ) or 1 <> (
          select count(distinct (investigation_no, attempt)) from evidence where evidence.alert_uuid = alerts.alert_uuid
        )`,
      'alerts have no evidence or duplicates',
    ),
    await check('a new alert type got one playbook', async () => {
      const rows = await pg<{ alerts: number }[]>`
        select (select count(*)::int from alerts where alerts.playbook_uuid = playbooks.playbook_uuid) as alerts
        from playbooks where origin = 'generated' and shared_for is null`;
      const [types] = await pg<{ alerts: number }[]>`select count(*)::int as alerts from alerts where alert_type = ${newAlertType}`;
      return {
        ok: rows.length === 1 && rows[0]?.alerts === types?.alerts,
        detail: `${rows.length} for ${types?.alerts} alerts`,
      };
    }),
  ];
}

async function checkApi({ apiUrl, adminKey, expected }: Rehearsed): Promise<Check[]> {
  const ask = async <Schema extends z.ZodType>(path: string, schema: Schema) => {
    const reply = await fetch(`${apiUrl}/platformapi${path}`, { headers: { cookie: `Session=${adminKey}` } });
    if (!reply.ok) throw new Error(`GET ${path} returned ${reply.status}: ${await reply.text()}`);
    return schema.parse(await reply.json());
  };
  const AlertPage = z.object({ items: z.array(AlertListItem), next_cursor: z.string().nullable() });
  return [
    await check('the surviving API shows the same', async () => {
      const items: AlertListItem[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: z.infer<typeof AlertPage> = await ask(`/alerts?limit=${PAGE_SIZE}${cursor && `&cursor=${cursor}`}`, AlertPage);
        items.push(...page.items);
        cursor = page.next_cursor;
      }
      const completed = items.filter((item) => item.investigation_status === InvestigationStatus.Completed);
      const cases = await inBatches(items, (item) => ask(`/cases/${item.case_id}`, CaseDetail));
      const right = cases.filter((found, index) => {
        const concluded = found.timeline.filter(({ kind }) => kind === 'concluded').length;
        const evidenceIds = new Set(found.evidence.map(({ evidence_id: id }) => id));
        return (
          found.alert_ids.join() === items[index]?.alert_id &&
          concluded === 1 &&
          found.verdict !== null &&
          found.earlier_evidence.length === 0 &&
          evidenceIds.size > 0 &&
          evidenceIds.size === found.evidence.length
        );
      });
      const caseIds = new Set(items.map((item) => item.case_id)).size;
      return {
        ok: [items, completed, right].every(({ length }) => length === expected) && caseIds === expected,
        detail: `${items.length} alerts listed, ${completed.length} at 15, ${caseIds} cases, ${right.length} of them complete`,
      };
    }),
  ];
}

async function checkTemporal({ temporal, acknowledged, workers, organization, provider, expected }: Rehearsed): Promise<Check[]> {
  const ids = [...new Set(acknowledged.map(({ alertId }) => alertId))];
  const lookedAt = inBatches(ids, async (alertId) => {
    const handle = temporal.workflow.getHandle(alertId);
    const [description, history] = await Promise.all([handle.describe(), handle.fetchHistory()]);
    const attributes = SEARCH_ATTRIBUTES.map((name) => description.typedSearchAttributes.get(defineSearchAttributeKey(name, 'KEYWORD')));
    return { alertId, status: description.status.name, ...readWorkers(history.events), attributes };
  });
  return [
    await check('Temporal has one finished run for each alert', async () => {
      const runs = await lookedAt;
      const finished = runs.filter(({ status }) => status === 'COMPLETED').length;
      const dead = workers.filter(({ killed }) => killed).map(({ identity }) => identity);
      const takenOver = runs.filter(({ tookOn, completed }) => dead.some((who) => tookOn.includes(who) && completed.at(-1) !== who)).length;
      return { ok: finished === expected, detail: `${finished} completed, ${takenOver} of them taken over from the killed worker` };
    }),
    await check('the runs have search attributes', async () => {
      const runs = await lookedAt;
      const whole = runs.filter(({ alertId, attributes: [id, type, org, from, playbook, status] }) => {
        const known = id === alertId && org === organization && from === provider;
        return known && Boolean(type) && Boolean(playbook) && status === 'Completed';
      });
      const statuses = new Set(runs.map(({ attributes }) => attributes[5]));
      const counts = [...statuses].map((status) => `${status} ${runs.filter(({ attributes }) => attributes[5] === status).length}`);
      return {
        ok: whole.length === expected,
        detail: `${SEARCH_ATTRIBUTES.length} on ${whole.length}; InvestigationStatus: ${counts.join(', ')}`,
      };
    }),
    await checkWorkers(workers, lookedAt),
  ];
}

export function readWorkers(events: HistoryEvents): Workers {
  const taken = (events ?? []).map((event) => event.workflowTaskStartedEventAttributes ?? event.activityTaskStartedEventAttributes);
  const completed = (events ?? []).map((event) => event.workflowTaskCompletedEventAttributes);
  return { tookOn: taken.flatMap((task) => task?.identity ?? []), completed: completed.flatMap((task) => task?.identity ?? []) };
}

/** Without connections an investigation is a single workflow task: a worker that dies early may have completed none of its tasks. */
export async function checkWorkers(workers: Rehearsed['workers'], looked: PromiseLike<readonly Workers[]>): Promise<Check> {
  return await check('both workers show by name, and both worked', async () => {
    const runs = await looked;
    const shares = workers.map(({ name, identity }) => {
      const count = runs.filter(({ tookOn }) => tookOn.includes(identity)).length;
      const completed = runs.filter((run) => run.completed.includes(identity)).length;
      return { count, text: `${name} ${identity}: worked on ${count} runs, completed tasks of ${completed}` };
    });
    return { ok: shares.every(({ count }) => count > 0), detail: shares.map(({ text }) => text).join(', ') };
  });
}

async function inBatches<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += BATCH_SIZE) results.push(...(await Promise.all(items.slice(at, at + BATCH_SIZE).map(work))));
  return results;
}
