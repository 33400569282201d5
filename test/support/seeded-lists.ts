import { v7 } from 'uuid';
import type { PgClient } from '../../db/client.js';
import { alertTypeKey } from '../../domain/alert/alert.js';
import type { Entity } from '../../domain/entity/entity.js';

export interface SeededAlert {
  readonly organization: string;
  readonly provider: string;
  readonly type: string;
  readonly content: string;
  readonly status: number;
  readonly createdAt: number;
  readonly createdBy?: string;
  readonly completedAt?: number;
  readonly entity?: Entity;
}

interface Seeded {
  readonly database: { readonly pg: PgClient };
}

/** Stores alerts of an old installation, oldest first. None of them waits for Temporal. */
export async function seedAlerts({ database: { pg } }: Seeded, seeded: readonly SeededAlert[]): Promise<string[]> {
  const rows = await pg<{ alert_id: string }[]>`
    with given as (
      select * from unnest(
        ${seeded.map(({ createdAt }) => v7({ msecs: createdAt * 1000 }))}::uuid[], ${seeded.map((each) => each.organization)}::text[],
        ${seeded.map((each) => each.provider)}::text[], ${seeded.map((each) => each.type)}::text[], ${seeded.map((each) => alertTypeKey(each.type))}::text[],
        ${seeded.map((each) => each.content)}::text[], ${seeded.map((each) => each.status)}::int[], ${seeded.map((each) => each.createdAt)}::float8[],
        ${seeded.map((each) => each.createdBy ?? '01a1dd78-72e9-7236-aeab-ed7c2436108c')}::uuid[],
        ${seeded.map((each) => each.completedAt ?? null)}::float8[], ${seeded.map((each) => each.entity?.kind ?? null)}::text[],
        ${seeded.map((each) => each.entity?.value ?? null)}::text[]
      ) with ordinality as given (alert_uuid, organization_code, provider, alert_type, alert_type_key, alert_content, status, created_at, created_by,
        completed_at, entity_kind, entity_value, place)
    ), texts as (
      insert into alert_texts (alert_uuid, words, block_no)
      select alert_uuid, alert_words(alert_type, alert_content), search_block(alert_uuid) from given
    ), entities as (
      insert into alert_entities (alert_uuid, organization_uuid, kind, value)
      select alert_uuid, organization_uuid, entity_kind, entity_value from given join organizations using (organization_code) where entity_kind is not null
    )
    insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by,
      created_at, modified_at, completed_at, investigation_status, dispatched_no)
    select alert_uuid, organization_code || '-SEED-' || place, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by,
      to_timestamp(given.created_at), to_timestamp(given.created_at), to_timestamp(given.completed_at), status, 1
    from given join organizations using (organization_code) join providers on providers.name = given.provider order by place
    returning alert_id`;
  return rows.map((row) => row.alert_id);
}

/** Stores a case for each of the newest alerts of an organization. */
export async function seedCases(
  { database: { pg } }: Seeded,
  organization: string,
  count: number,
  columns: {
    status?: string;
    severity?: string;
    verdict?: string;
    analystVerdict?: string;
    assignee?: string;
    assigneeUuid?: string;
    modifiedAt?: number;
    tags?: string[];
  },
): Promise<void> {
  const {
    status = 'open',
    severity = 'low',
    verdict = 'inconclusive',
    analystVerdict = null,
    assignee = null,
    assigneeUuid = null,
  } = columns;
  const { modifiedAt = Date.now() / 1000, tags = [] } = columns;
  await pg`
    with chosen as (
      select alert_uuid, organization_uuid, organization_code from alerts join organizations using (organization_uuid)
      where organization_code = ${organization} and alert_uuid not in (select alert_uuid from case_alerts) order by alert_uuid limit ${count}
    ), opened as (
      insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, status, severity, verdict, analyst_verdict, assignee, assignee_uuid,
        opened_at, modified_at)
      select alert_uuid, organization_code || '-CASE-' || alert_uuid, organization_uuid, alert_uuid, ${status}, ${severity}, ${verdict}, ${analystVerdict},
        ${assignee}, ${assigneeUuid}::uuid, now(), to_timestamp(${modifiedAt}::float8)
      from chosen returning case_uuid, alert_uuid
    ), tagged as (
      insert into case_tags (case_uuid, tag) select case_uuid, unnest(${tags}::text[]) from opened
    )
    insert into case_alerts (alert_uuid, case_uuid) select alert_uuid, case_uuid from opened`;
}
