import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, ProcessChanges } from '../installation.js';
import type { Scenario } from '../scenario.js';

const JUMP_SECONDS = 3_600;
const AHEAD_MS = 30_000;

/** The clock of the API and the worker jumps one hour ahead and back. Only `Date` jumps, not the clock of the servers. */
export const clock: Scenario = {
  part: 'clock',
  name: 'clock of API and worker one hour ahead and back',
  async run({ installation, signal }) {
    const file = path.join(installation.folder, 'clock-offset');
    const preload = new URL('../shifted-clock.mjs', import.meta.url).href;
    const nodeArguments = ['--import', `${preload}?file=${encodeURIComponent(file)}`];
    await restart(installation, { nodeArguments });
    try {
      writeFileSync(file, String(JUMP_SECONDS * 1_000));
      await sleep(AHEAD_MS, undefined, { signal });
      rmSync(file);
      await sleep(AHEAD_MS / 2, undefined, { signal });
    } finally {
      await restart(installation, {});
    }
    const [ahead] = await installation.pg<{ alerts: number }[]>`
      select count(*)::int as alerts from alerts where greatest(created_at, modified_at, completed_at) > now() + interval '30 minutes'`;
    return { faults: 2, notes: [`${ahead?.alerts} alerts have a time of the clock that was ahead`] };
  },
};

async function restart(installation: Installation, changes: ProcessChanges): Promise<void> {
  for (const component of [installation.api, installation.worker]) {
    component.change(changes);
    await component.stop();
    await component.start();
  }
  await installation.untilReady();
}
