import { sql } from 'drizzle-orm';
import type { RunCall } from '../../domain/investigation/run-steps.js';
import type { SkillKey } from '../../domain/skill-key.js';
import type { Db } from '../client.js';
import { readTimestampMs } from '../ids.js';

/** The number of newest investigations searched for completed ones that the caller may see. */
const MAX_SEARCHED = 500;
const MAX_RUNS = 50;
const MAX_CALLS = 500;

interface CallRow extends Record<string, unknown> {
  readonly run: string;
  readonly connector: string | null;
  readonly skill_id: string;
  readonly skill_key: SkillKey;
  readonly is_open: boolean;
  readonly began_ms: number | null;
  readonly took_ms: number | null;
  readonly proposal_uuid: string | null;
}

/**
 * The questions and proposals of a playbook's newest completed investigations, one list for each. They come from the evidence
 * of the attempt that concluded, so the answers of failed attempts are not included.
 */
export async function listRunCalls(
  db: Db,
  scope: string | null,
  playbookUuid: string,
  planVersion: number | null,
): Promise<readonly (readonly RunCall[])[]> {
  const rows = await db.execute<CallRow>(sql`
    with newest as (
      -- The runs of a shared plan are those of its alert types.
      select runs.* from playbooks as members cross join lateral (
        select alert_uuid, investigation_no, attempt, status, plan_version from investigations
        where investigations.playbook_uuid = members.playbook_uuid order by alert_uuid desc limit ${MAX_SEARCHED}
      ) as runs
      where members.playbook_uuid = ${playbookUuid} or members.plan_of = ${playbookUuid}
      order by alert_uuid desc limit ${MAX_SEARCHED}
    ), runs as (
      select alert_uuid, newest.investigation_no, attempt from newest join alerts using (alert_uuid)
      where status = 'Completed'
        and ${planVersion === null ? sql`true` : sql`newest.plan_version = ${planVersion}::bigint`}
        and ${scope === null ? sql`true` : sql`organization_uuid = ${scope}`}
      order by alert_uuid desc, newest.investigation_no desc limit ${MAX_RUNS}
    )
    select runs.alert_uuid || '/' || runs.investigation_no as run, calls.connector, calls.skill_id, calls.skill_key, calls.is_open,
      extract(epoch from results.started_at)::float8 * 1000 as began_ms, results.duration_ms as took_ms, proposed.proposal_uuid
    from runs left join lateral (
      -- Several findings may rest on one answer.
      select distinct source->>'connector' as connector, source->>'skill_id' as skill_id, source->>'skill_key' as skill_key,
        source->>'result_id' as result_id,
        (kind = 'gap' and not source ? 'result_id') as is_open, source ? 'reused' as is_reused,
        case when not source ? 'result_id' then step end as step
      from evidence
      where evidence.alert_uuid = runs.alert_uuid and evidence.investigation_no = runs.investigation_no
        and evidence.attempt = runs.attempt and source is not null and source <> 'null'::jsonb
      limit ${MAX_CALLS}
    ) as calls on true
    left join skill_results as results on not is_reused and results.alert_uuid = runs.alert_uuid
      and results.result_uuid = case when calls.result_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then calls.result_id::uuid end
    left join lateral (
      select proposal_uuid from proposals
      where calls.result_id is null and not calls.is_open and proposals.alert_uuid = runs.alert_uuid
        and proposals.investigation_no = runs.investigation_no and proposals.skill_key = calls.skill_key and undo_of is null
      order by proposal_uuid limit 1
    ) as proposed on true
    order by runs.alert_uuid desc, runs.investigation_no desc`);
  const runs = new Map<string, RunCall[]>();
  for (const row of rows) {
    const calls = runs.get(row.run) ?? [];
    runs.set(row.run, calls);
    if (row.connector !== null) calls.push(toRunCall(row.connector, row));
  }
  return [...runs.values()];
}

function toRunCall(connector: string, { skill_id, skill_key, is_open, began_ms, took_ms, proposal_uuid }: CallRow): RunCall {
  const proposedMs = proposal_uuid === null ? null : readTimestampMs(proposal_uuid);
  return { connector, skillKey: skill_key, skillId: skill_id, isOpen: is_open, beganMs: began_ms ?? proposedMs, tookMs: took_ms };
}
