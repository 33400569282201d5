import postgres from 'postgres';
import { ALERTS_PER_BLOCK } from '../../db/alerts/search-blocks.js';

const SECONDS_BETWEEN_ALERTS = 8;

/** The values that the queries filter by. */
export const SOUGHT = {
  organization: 'ORG-3',
  smallOrganization: 'ORG-20',
  provider: 'siem',
  alertType: 'Bench type 2',
  /** Words that occur in one alert, in one of 1,000, in one of 50, in all. */
  oneAlert: 'wks77',
  fewAlerts: 'person7',
  someAlerts: 'riga7',
  allAlerts: 'impossible',
  /** Two words in this order, in one alert of a thousand. */
  phrase: '"person7 signed"',
  /** A name with punctuation, in one alert of 5,000. */
  device: 'laptop-4321',
  /** The beginning of a word in about every ninth alert, and of one in all alerts. */
  beginning: 'wks7',
  commonBeginning: 'impos',
  /** Parts of values and words: of one host, of about every ninth host, of a hash, of every account, of one title, of all titles. */
  partOfHost: 'ks77.ben',
  partOfHosts: 'ks7',
  partOfHash: 'c4ca4238a0b9',
  partOfAccounts: 'erson',
  partOfTitle: 'el on wks777',
  partOfTitles: 'ravel',
  partOfComment: 'atypu',
  partOfFindings: 'known lis',
  host: 'wks77.bench.example',
  /** In one alert of 250, and in one of 1,000. */
  address: '203.0.113.7',
  account: 'person7@example.com',
  /** Of every thousandth case, and of every twentieth. */
  tag: 'rare-tag',
  commonTag: 'common-tag',
  /** Of every hundredth case. */
  assignee: 'dana',
} as const;

/**
 * Creates `count` alerts with their cases and, for the search, their entities, findings and comments. Organizations and types differ in size, and nearly all alerts are completed. The
 * generator is seeded, so that every run uses the same rows.
 */
export async function fillWithAlerts(databaseUrl: string, count: number, { hasEntities = false } = {}): Promise<void> {
  const pg = postgres(databaseUrl, {
    max: 1,
    onnotice: () => {},
    // The rows satisfy the foreign keys by construction, and the data need not survive a crash.
    connection: { session_replication_role: 'replica', synchronous_commit: 'off', maintenance_work_mem: '512MB', work_mem: '256MB' },
  });
  try {
    await pg`select setseed(0.42)`;
    await pg`
      insert into organizations (organization_uuid, organization_code, name, created_at)
      select uuidv7(), 'ORG-' || n, 'Organization ' || n, now() from generate_series(1, 20) as n`;
    await pg`
      insert into playbooks (playbook_uuid, name, origin, workflow_type, created_at, modified_at)
      select uuidv7(), 'bench', 'written', 'bench', now(), now()`;
    const tables = [
      'alerts',
      'alert_texts',
      'cases',
      'case_alerts',
      'case_tags',
      'case_timeline',
      'alert_entities',
      'entity_values',
      'evidence',
    ];
    await withoutIndexes(pg, tables, async () => {
      await insertAlerts(pg, count);
      await insertTexts(pg);
      await insertCases(pg);
      if (hasEntities) {
        await insertEntities(pg);
        await insertNotes(pg);
      }
    });
    await pg`insert into case_visits (key_uuid, seen_at, last_visit_at) select key_uuid, now(), now() - interval '1 day' from api_keys`;
    await pg`vacuum analyze`;
  } finally {
    await pg.end();
  }
}

async function insertAlerts(pg: postgres.Sql, count: number): Promise<void> {
  await pg`
    insert into alerts (
      alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_at_source, created_by,
      created_at, modified_at, investigation_status, dispatched_no, playbook_uuid, completed_at
    )
    with organization as (
      select array_agg(organization_uuid order by length(organization_code), organization_code) as uuids,
        array_agg(organization_code order by length(organization_code), organization_code) as codes
      from organizations where organization_code like 'ORG-%'
    ), provider as (
      select array_agg(provider_uuid order by name) as uuids, array_agg(segment order by name) as segments from providers
    ), key as (
      select array_agg(key_uuid) as uuids from api_keys
    ), drawn as materialized (
      -- Squared: the first organizations and types have far more alerts than the last.
      select n, 1 + floor(20 * random() ^ 2)::int as org, 1 + floor(array_length(provider.uuids, 1) * random())::int as prov,
        1 + floor(40 * random() ^ 2)::int as type, floor(1000 * random())::int as person, floor(50 * random())::int as place, random() as luck,
        now() - make_interval(secs => (${count}::int - n) * ${SECONDS_BETWEEN_ALERTS}) as at
      from generate_series(1, ${count}::int) as n, provider
    )
    select uuidv7(at - now()), codes[org] || '-' || segments[prov] || '-' || n, organization.uuids[org], provider.uuids[prov],
      'Bench type ' || type, 'bench type ' || type,
      format(E'user=person%s@example.com person%s signed in from 203.0.113.%s (riga%s) at host wks%s\nsession=%s device=laptop-%s '
        'agent="Mozilla/5.0 (X11; Linux x86_64)" risk=medium\nprevious sign-in from 198.51.100.%s, %s hours earlier; policy "impossible travel" matched',
        person, person, n % 250, place, n, md5(n::text), n % 5000, n % 240, n % 48),
      extract(epoch from at)::bigint, key.uuids[1], at, at,
      case when n > ${count}::int - 60 then 10 when luck < 0.03 then 20 else 15 end, 1,
      (select playbook_uuid from playbooks where name = 'bench'), case when n > ${count}::int - 60 then null else at end
    from drawn, organization, provider, key order by n`;
}

/** Creates the rows that the service writes when it opens a case, and the blocks that it adds meanwhile. */
async function insertTexts(pg: postgres.Sql): Promise<void> {
  await pg`
    insert into search_blocks (block_no, first_alert_uuid)
    select place / ${ALERTS_PER_BLOCK}::int, alert_uuid
    from (select alert_uuid, row_number() over (order by alert_uuid) as place from alerts) as placed where place % ${ALERTS_PER_BLOCK}::int = 0`;
  await pg`
    insert into alert_texts (alert_uuid, words, block_no)
    select alert_uuid, alert_words(alert_type, alert_content), search_block(alert_uuid) from alerts order by alert_uuid`;
}

async function insertCases(pg: postgres.Sql): Promise<void> {
  await pg`
    insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, title, status, severity, verdict, analyst_verdict, assignee, score,
      confidence, summary, opened_at, modified_at, closed_at)
    select uuidv7(created_at - now()), organization_code || '-CASE-' || n, organization_uuid, alert_uuid, 'Impossible travel on wks' || n,
      case when n > total - 300 then 'open' when n % 5000 = 0 then 'in_progress' else 'closed' end,
      (array['informational', 'low', 'low', 'medium', 'medium', 'medium', 'medium', 'high', 'high', 'critical'])[1 + n % 10],
      (array['benign', 'benign', 'benign', 'inconclusive', 'suspicious', 'suspicious', 'malicious'])[1 + n % 7],
      case when n % 50 = 0 then 'benign' end, case when n % 100 = 0 then 'dana' end, 40, 70,
      'Three findings raise the score, none lowers it.', created_at, modified_at, case when n <= total - 300 then modified_at end
    from (
      select alerts.*, organization_code, row_number() over (order by alert_uuid) as n, count(*) over () as total
      from alerts join organizations using (organization_uuid)
    ) as numbered order by alert_uuid`;
  await pg`
    insert into case_tags (case_uuid, tag)
    select case_uuid, tag from (select case_uuid, row_number() over (order by case_uuid) as n from cases) as numbered
    cross join (values ('rare-tag', 1000), ('common-tag', 20)) as tags (tag, every) where n % every = 0`;
  await pg`insert into case_alerts (alert_uuid, case_uuid) select alert_uuid, case_uuid from cases order by case_uuid`;
  await pg`
    insert into case_clocks (case_uuid, kind, organization_uuid, started_at, stopped_at)
    select case_uuid, kind, organization_uuid, opened_at, closed_at from cases, (values ('acknowledge'), ('close')) as clocks (kind)
    order by case_uuid`;
}

/** The entities that the service finds in the alerts: host, account, address and hash. */
async function insertEntities(pg: postgres.Sql): Promise<void> {
  await pg`
    insert into alert_entities (alert_uuid, organization_uuid, kind, value)
    select alert_uuid, organization_uuid, kind, value
    from (select alert_uuid, organization_uuid, row_number() over (order by alert_uuid) as n, alert_content from alerts) as numbered
      cross join lateral (values
        ('host', 'wks' || n || '.bench.example'), ('email', substring(alert_content from 'user=(\\S+)')),
        ('ip', substring(alert_content from 'from (\\S+)')), ('hash', md5(n::text))
      ) as entity (kind, value)
    order by alert_uuid`;
  await pg`insert into entity_values (organization_uuid, kind, value) select distinct organization_uuid, kind, value from alert_entities`;
}

/** A finding for every alert, and a comment on every tenth case. */
async function insertNotes(pg: postgres.Sql): Promise<void> {
  await pg`
    insert into evidence (alert_uuid, investigation_no, attempt, step, at, kind, title, points, reason, techniques)
    select alert_uuid, 1, 1, 'look', created_at, 'finding', 'Known address', 40, 'The address is on a known list of ' || alert_id || '.', '{}'
    from alerts order by alert_uuid`;
  await pg`
    insert into case_timeline (case_uuid, at, kind, by, text)
    select case_uuid, opened_at, 'comment', 'dana', case when n % 100000 = 0 then 'A platypus.' else 'Looked at ' || case_id || ', nothing to do.' end
    from (select case_uuid, opened_at, case_id, row_number() over (order by case_uuid) as n from cases) as numbered where n % 10 = 0 order by case_uuid`;
}

/** Building an index over all rows at once is much faster than updating it for each row. */
async function withoutIndexes(pg: postgres.Sql, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const indexes = await pg<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any(${[...tables]}::text[]::regclass[]) and not indisprimary`;
  for (const { name } of indexes) await pg.unsafe(`drop index ${name}`);
  await work();
  for (const { definition } of indexes) await pg.unsafe(definition);
}
