import { sql } from 'drizzle-orm';
import { type CardRule, type EntityCard, makeCard } from '../../domain/alert/entity-cards.js';
import type { EntityAnswer } from '../../domain/case/entity-page.js';
import { readSharedName } from '../../domain/entity/names.js';
import type { SkillKey } from '../../domain/skill-key.js';
import type { Db } from '../client.js';
import { containing } from './containing.js';
import { type EntityRef, newestCarriers } from './entities.js';

/** The answers of so many alerts are searched. */
const ALERTS_READ = 25;
const MAX_ANSWERS = 50;
/** A larger answer is shown on its own page only. */
const OUTPUT_LENGTH = 200_000;
const SHORTEST_NAME = 4;

/** Stored answers to questions that name the entity, of its newest alerts. No third party is asked. */
export async function listEntityAnswers(
  db: Db,
  entity: EntityRef,
  rules: ReadonlyMap<SkillKey, CardRule>,
): Promise<{ answers: EntityAnswer[]; cards: EntityCard[] }> {
  const patterns = namesInJson(entity).map(containing);
  const rows = await db.execute<EntityAnswer & { skill_key: SkillKey; output: unknown }>(sql`
    select result_uuid as result_id, alert_id, answer.connector_kind as connector, coalesce(instance_name, '') as connection, skill_id, skill_key,
      extract(epoch from answer.started_at)::int as at,
      case when skill_key = any(array[${sql.join(
        [...rules.keys()].map((skill) => sql`${skill}::text`),
        sql`, `,
      )}]) and length(output::text) <= ${OUTPUT_LENGTH} then output end as output
    from ${newestCarriers(entity, ALERTS_READ)} as newest
      join alerts using (alert_uuid)
      cross join lateral (
        select * from skill_results where skill_results.alert_uuid = newest.alert_uuid
          and skill_results.organization_uuid = ${entity.organizationUuid} and status = 'done'
          and input::text ilike any(array[${sql.join(
            patterns.map((pattern) => sql`${pattern}::text`),
            sql`, `,
          )}])
        order by result_uuid desc limit ${MAX_ANSWERS}
      ) as answer
      left join connections using (connection_uuid)
    order by result_uuid desc limit ${MAX_ANSWERS}`);
  const cards = new Map<string, EntityCard>();
  for (const row of rows) {
    const rule = rules.get(row.skill_key);
    const card = rule && row.output !== null ? makeCard(rule, row) : null;
    const key = `${row.connection} ${row.skill_key}`;
    if (card && !cards.has(key)) cards.set(key, card);
  }
  return {
    answers: rows.map(({ output: _, ...answer }) => answer),
    cards: [...cards.values()].filter(({ entries }) => entries.length > 0),
  };
}

/** The spellings of the entity in the JSON of a question. */
function namesInJson({ canonical, spellings }: EntityRef): string[] {
  const part = readSharedName(canonical)?.name ?? '';
  const names = spellings.map(({ value }) => value).concat(part.length < SHORTEST_NAME ? [] : [part]);
  return [...new Set(names)].map((name) => JSON.stringify(name).slice(1, -1));
}
