import { skillSlug } from '../../connectors/kit/define.js';
import { findConnection } from '../../db/connections/connections.js';
import { readSecondPersonRule } from '../../db/connections/second-person.js';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { insertRun, type SkillRunRow } from '../../db/skills/skill-runs.js';
import { toSkillKey } from '../../domain/skill-key.js';
import { checkFields } from '../connections/fields.js';
import { requireConnector } from '../connections/setup.js';
import { type Context, inTransaction } from '../context.js';
import { CommandError, invalid, notFound } from '../errors.js';
import { type RequestedSkill, requestWrite } from '../proposals/request.js';
import { requireRun } from './require-run.js';
import { runWorkflow } from './run-workflow.js';

const RUN_WAIT_MS = 30_000;

interface Asked {
  readonly input: Record<string, unknown>;
  readonly confirm?: boolean | undefined;
  readonly connectionUuid: string;
  /** The slug or the key of the skill. */
  readonly skill: string;
}

/** Runs a skill for a person and waits for its end, at most 30 seconds. A write is a proposal that the person requests. */
export async function startRun(context: Context, asked: Asked): Promise<SkillRunRow> {
  const connection = await findConnection(context.db, context.by.organizationUuid, asked.connectionUuid);
  if (!connection) throw notFound('connection with this id');
  const { name: connectorKey, contract } = requireConnector(connection.connectorKind);
  const found = Object.entries(contract.skills).find(
    ([name, skill]) => skillSlug(skill) === asked.skill || toSkillKey(connectorKey, name) === asked.skill,
  );
  if (!found) throw new CommandError('not-found', `The ${contract.title} has no such skill. GET /platformapi/connectors lists the skills.`);
  const [verb, { effect, title: skillId, input: schema }] = found;
  const skillKey = toSkillKey(connectorKey, verb);
  const input = checkFields(schema, asked.input, 'input');
  if (effect === 'write' && asked.confirm !== true)
    throw invalid([{ pointer: '#/confirm', detail: `${skillId} changes data at the third party. Send confirm: true to run it.` }]);
  const { organizationUuid, connectionUuid } = connection;
  const requested: RequestedSkill = { organizationUuid, connectionUuid, connectorKey, verb, skillKey, skillId, input };
  if (effect === 'read') return requireRun(context, await runRead(context, requested));
  const needsSecondPerson = (await readSecondPersonRule(context.db, connectionUuid)) === 'always';
  return requireRun(context, await requestWrite(context, requested, { needsSecondPerson }));
}

async function runRead(context: Context, requested: RequestedSkill): Promise<string> {
  const runUuid = newUuid();
  await inTransaction(context, async ({ db, by, now }) => {
    await insertRun(db, {
      runUuid,
      ...requested,
      askedBy: by.name,
      askedByUuid: by.uuid,
      askedByUserUuid: by.userUuid,
      askedAt: now(),
      state: 'running',
    });
    const { organizationUuid, connectionUuid: connection_id, skillId: skill_id, skillKey: skill_key } = requested;
    await recordAudit(db, { by, organizationUuid, action: 'skill.run', target: runUuid, details: { skill_id, skill_key, connection_id } });
  });
  await runWorkflow(context, await requireRun(context, runUuid), RUN_WAIT_MS);
  return runUuid;
}
