import { InvestigationStatus } from '../../domain/alert/alert.js';
import type { AlertFacts } from '../../domain/investigation/investigation.js';
import type { KnowledgeEntry } from '../../domain/organization/knowledge.js';
import type { Judgement } from '../../domain/playbook/comparison.js';
import type { SkillKey } from '../../domain/skill-key.js';
import type { PgClient } from '../client.js';

export interface PastInvestigation {
  readonly alertUuid: string;
  readonly organizationUuid: string;
  readonly alert: Omit<AlertFacts, 'contentTruncated'>;
  /** `proposals` has the keys of the skills. */
  readonly judgement: Judgement;
}

/** Null: of every organization. */
export interface PastFilter {
  readonly playbookUuids: readonly string[];
  readonly typeKeys: readonly string[];
  readonly organizationUuid: string | null;
  readonly limit: number;
}

type PastRow = Omit<PastInvestigation, 'alert' | 'judgement'> & PastInvestigation['alert'] & Judgement;

/** Newest first: completed investigations of alerts of these types, and of alerts that these playbooks investigated. */
export async function listPastInvestigations(pg: PgClient, filter: PastFilter): Promise<PastInvestigation[]> {
  const { playbookUuids, typeKeys, organizationUuid, limit } = filter;
  const rows = await pg<PastRow[]>`
    select alerts.alert_uuid as "alertUuid", alerts.organization_uuid as "organizationUuid", alert_id as id,
      organization_code as organization, providers.name as provider, alert_type as type, alert_content as content,
      extract(epoch from alerts.created_at)::float8 as "createdAt", created_at_source::float8 as "createdAtSource",
      coalesce(investigations.verdict, cases.verdict) as verdict, coalesce(investigations.score, cases.score)::int as score,
      array(select distinct title from evidence where evidence.alert_uuid = alerts.alert_uuid and kind = 'gap'
        and evidence.investigation_no = alerts.investigation_no and evidence.attempt = investigations.attempt order by 1) as gaps,
      array(select distinct skill_key from proposals where proposals.alert_uuid = alerts.alert_uuid and undo_of is null order by 1) as proposals
    from alerts join organizations using (organization_uuid) join providers using (provider_uuid)
      join case_alerts on case_alerts.alert_uuid = alerts.alert_uuid
      join cases on cases.case_uuid = case_alerts.case_uuid
      left join investigations on investigations.alert_uuid = alerts.alert_uuid and investigations.investigation_no = alerts.investigation_no
    where investigation_status = ${InvestigationStatus.Completed}
      and (alerts.playbook_uuid in (
          select playbook_uuid from playbooks where playbook_uuid = any(${[...playbookUuids]}::uuid[]) or plan_of = any(${[...playbookUuids]}::uuid[])
        ) or alert_type_key = any(${[...typeKeys]}::text[]))
      and (${organizationUuid}::uuid is null or alerts.organization_uuid = ${organizationUuid}::uuid)
    order by alerts.alert_uuid desc limit ${limit}`;
  return rows.map(({ alertUuid, organizationUuid: owner, verdict, score, gaps, proposals, ...alert }) => ({
    alertUuid,
    organizationUuid: owner,
    alert,
    judgement: { verdict, score, gaps, proposals },
  }));
}

export interface StoredAnswers {
  /** Newest first. */
  readonly answers: readonly {
    readonly connector: string;
    readonly skillKey: SkillKey;
    readonly input: unknown;
    readonly output: object;
  }[];
  /** The third party answered that it does not know the subject. Such an answer is not stored. */
  readonly unknown: readonly { readonly skillKey: SkillKey }[];
  /** The kinds of the organization's connections. */
  readonly connected: ReadonlySet<string>;
  readonly knowledge: readonly KnowledgeEntry[];
}

export async function readStoredAnswers(pg: PgClient, alertUuid: string): Promise<StoredAnswers> {
  const [answers, unknown, connected, knowledge] = await Promise.all([
    pg<StoredAnswers['answers'][number][]>`
      select connector_kind as connector, skill_key as "skillKey", input, output from skill_results
      where (alert_uuid = ${alertUuid} or result_uuid = any(array(
          -- Answers that were asked for another alert.
          select (source->>'result_id')::uuid from evidence where evidence.alert_uuid = ${alertUuid} and source ? 'reused'
        ))) and status = 'done' and operation_key is null
      order by result_uuid desc`,
    pg<{ skillKey: SkillKey }[]>`
      select distinct source->>'skill_key' as "skillKey" from evidence
      where alert_uuid = ${alertUuid} and kind = 'note' and title like '%: not known there'`,
    pg<{ connector: string }[]>`
      select distinct connector_kind as connector from connections join alerts using (organization_uuid) where alert_uuid = ${alertUuid} and is_default`,
    pg<KnowledgeEntry[]>`
      select kind, value from organization_knowledge join alerts using (organization_uuid) where alert_uuid = ${alertUuid} and not is_rejected`,
  ]);
  return { answers, unknown, connected: new Set([...connected, ...answers].map(({ connector }) => connector)), knowledge };
}
