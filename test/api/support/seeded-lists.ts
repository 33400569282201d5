import { v7 } from 'uuid';
import { alertTypeKey } from '../../../domain/alert/alert.js';
import type { TestService } from '../../support/service.js';

export interface SeededAlert {
  readonly organization: string;
  readonly provider: string;
  readonly type: string;
  readonly content: string;
  readonly status: number;
  readonly createdAt: number;
  readonly createdBy?: string;
}

/** Stores alerts of an old installation, oldest first. None of them waits for Temporal. */
export async function seedAlerts({ database: { pg } }: TestService, seeded: readonly SeededAlert[]): Promise<string[]> {
  const rows = await pg<{ alert_id: string }[]>`
    with given as (
      select * from unnest(
        ${seeded.map(({ createdAt }) => v7({ msecs: createdAt * 1000 }))}::uuid[], ${seeded.map((each) => each.organization)}::text[],
        ${seeded.map((each) => each.provider)}::text[], ${seeded.map((each) => each.type)}::text[], ${seeded.map((each) => alertTypeKey(each.type))}::text[],
        ${seeded.map((each) => each.content)}::text[], ${seeded.map((each) => each.status)}::int[], ${seeded.map((each) => each.createdAt)}::float8[],
        ${seeded.map((each) => each.createdBy ?? '01a1dd78-72e9-7236-aeab-ed7c2436108c')}::uuid[]
      ) with ordinality as given (alert_uuid, organization_code, provider, alert_type, alert_type_key, alert_content, status, created_at, created_by, place)
    ), texts as (
      insert into alert_texts (alert_uuid, words, block_no)
      select alert_uuid, alert_words(alert_type, alert_content), search_block(alert_uuid) from given
    )
    insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by,
      created_at, modified_at, investigation_status, dispatched_no)
    select alert_uuid, organization_code || '-SEED-' || place, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by,
      to_timestamp(given.created_at), to_timestamp(given.created_at), status, 1
    from given join organizations using (organization_code) join providers on providers.name = given.provider order by place
    returning alert_id`;
  return rows.map((row) => row.alert_id);
}

/** Stores a case for each of the newest alerts of an organization. */
export async function seedCases(
  { database: { pg } }: TestService,
  organization: string,
  count: number,
  columns: { status?: string; severity?: string; verdict?: string; assignee?: string },
): Promise<void> {
  const { status = 'open', severity = 'low', verdict = 'inconclusive', assignee = null } = columns;
  await pg`
    with chosen as (
      select alert_uuid, organization_uuid, organization_code from alerts join organizations using (organization_uuid)
      where organization_code = ${organization} and alert_uuid not in (select alert_uuid from case_alerts) order by alert_uuid limit ${count}
    ), opened as (
      insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, status, severity, verdict, assignee, opened_at, modified_at)
      select alert_uuid, organization_code || '-CASE-' || alert_uuid, organization_uuid, alert_uuid, ${status}, ${severity}, ${verdict}, ${assignee}, now(), now()
      from chosen returning case_uuid, alert_uuid
    )
    insert into case_alerts (alert_uuid, case_uuid) select alert_uuid, case_uuid from opened`;
}
