import type { SkillContract } from '../../connectors/kit/define.js';
import { newUuid } from '../../db/ids.js';
import { insertRun } from '../../db/skills/skill-runs.js';
import type { SourceWindow } from '../../domain/alert/intake-source.js';
import { parseSkillInput } from '../../domain/connection/skill-io.js';
import type { WorkContext } from '../context.js';
import type { PolledFeed } from './polled-sources.js';

/** Creates a skill run that reads the window, for a remote agent. Its requester is the source. */
export async function askForWindow(
  { db, now }: WorkContext,
  { feed, source: { connector: connectorKey, intake } }: PolledFeed,
  contract: SkillContract,
  window: SourceWindow,
): Promise<string> {
  const { connectionUuid, organizationUuid, instanceName } = feed;
  const runUuid = newUuid();
  const askedAt = now();
  await insertRun(db, {
    runUuid,
    connectionUuid,
    organizationUuid,
    connectorKey,
    verb: intake.verb,
    skillId: contract.title,
    input: parseSkillInput(contract, intake.buildInput(window, askedAt)),
    state: 'running',
    askedBy: `source ${instanceName}`,
    askedByUuid: connectionUuid,
    askedAt,
  });
  return runUuid;
}
