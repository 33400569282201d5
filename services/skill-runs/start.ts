import { skillSlug } from '../../connectors/kit/define.js';
import { findConnection } from '../../db/connections/connections.js';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { insertRun, type SkillRunRow } from '../../db/skills/skill-runs.js';
import { toSkillKey } from '../../domain/skill-key.js';
import { checkFields } from '../connections/fields.js';
import { requireConnector } from '../connections/setup.js';
import { type Context, inTransaction } from '../context.js';
import { CommandError, invalid, notFound } from '../errors.js';
import { findHold } from '../writes/find-hold.js';
import { recordRunEvent } from './record-run-event.js';
import { requireRun } from './require-run.js';
import { runWorkflow } from './run-workflow.js';

const RUN_WAIT_MS = 30_000;
/** The workflow needs about this long to record why it holds the write. */
const HELD_WAIT_MS = 2_000;

interface Asked {
  readonly input: Record<string, unknown>;
  readonly confirm?: boolean | undefined;
  readonly connectionUuid: string;
  /** The slug or the key of the skill. */
  readonly skill: string;
}

/** Runs a skill for a person and waits for its end, at most 30 seconds. A write that needs a second person waits for the decision. */
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
  const { connectionUuid, organizationUuid } = connection;
  const isProposed = effect === 'write' && connection.needsSecondPerson;
  const runUuid = newUuid();
  await inTransaction(context, async ({ db, by, now }) => {
    const request = { organizationUuid, connectionUuid, connectorKey, verb, skillId, input };
    const run = { runUuid, ...request, askedBy: by.name, askedByUuid: by.uuid, askedAt: now() };
    await insertRun(db, { ...run, state: isProposed ? 'proposed' : 'running' });
    await recordAudit(db, {
      by,
      organizationUuid,
      action: isProposed ? 'skill.propose' : 'skill.run',
      target: runUuid,
      details: { skill_id: skillId, skill_key: skillKey, connection_id: connectionUuid },
    });
    if (isProposed) await recordRunEvent(db, { ...run, skillKey }, { name: 'run.waiting' });
  });
  const run = await requireRun(context, runUuid);
  if (isProposed) return run;
  const isHeld = effect === 'write' && (await findHold(context.db, organizationUuid, runUuid)) !== null;
  await runWorkflow(context, run, isHeld ? HELD_WAIT_MS : RUN_WAIT_MS);
  return requireRun(context, runUuid);
}
