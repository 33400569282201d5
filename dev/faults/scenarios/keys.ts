import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { deriveKeyId, readMasterKeys } from '../../../platform/keyring.js';
import { runCommand } from '../../processes/service-process.js';
import { between } from '../random.js';
import type { Scenario } from '../scenario.js';

const ROTATIONS = 5;
const LONGEST_PAUSE_MS = 4_000;
const Tested = z.object({ ok: z.boolean() });

/** Rotates the master key while investigations and writes use the secrets. */
export const keys: Scenario = {
  part: 'keys',
  name: 'rotation of the master key',
  async run({ installation, random, signal }) {
    const { pg, env } = installation;
    const problems: string[] = [];
    for (let count = 1; count <= ROTATIONS; count += 1) {
      await sleep(between(random, 0, LONGEST_PAUSE_MS), undefined, { signal });
      await runCommand(['keys', 'rotate'], env, signal);
      const reply = await installation.request('POST', `/platformapi/connections/${installation.endpointConnectionId}/test`);
      if (!Tested.parse(reply.body).ok) problems.push(`the connection test failed after rotation ${count}`);
    }
    const [current = ''] = readMasterKeys(path.join(installation.folder, 'master-key'));
    const [secrets] = await pg<{ count: number; old: number }[]>`
      select count(*)::int as count, count(*) filter (where master_key_id <> ${deriveKeyId(current)})::int as old from connection_secrets`;
    if (secrets?.old !== 0) problems.push(`${secrets?.old} secrets are under an earlier key`);
    const broken = await pg<{ name: string }[]>`select instance_name as name from connections where state = 'broken'`;
    for (const { name } of broken) problems.push(`the connection "${name}" is broken`);
    return { faults: ROTATIONS, problems, notes: [`${secrets?.count} secrets moved to a new key each time`] };
  },
};
