import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../../../worker/workflow-bundle.js';
import { differentFreePorts } from '../../processes/free-ports.js';
import { type ServiceProcess, startServiceProcess } from '../../processes/service-process.js';
import type { Installation } from '../installation.js';
import { between } from '../random.js';
import type { Scenario } from '../scenario.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TURNS = 6;
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 6_000;

/** A worker of the other build starts, then the worker before it ends, in turns by SIGTERM and SIGKILL. */
export const builds: Scenario = {
  part: 'builds',
  name: 'two builds of the worker in turns',
  async run({ installation, random, signal, say }) {
    const changed = await createChangedBuild(installation.folder);
    let before: { readonly stop: () => Promise<unknown>; readonly kill: () => Promise<void> } = installation.worker;
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const next = await startWorker(installation, turn, turn % 2 === 1 ? { cli: changed } : {});
      await next.untilReady(signal);
      await sleep(between(random, SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS), undefined, { signal });
      await (turn % 4 < 2 ? before.stop() : before.kill());
      say(`worker ${turn} of ${TURNS} took over, ${turn % 2 === 1 ? 'changed' : 'original'} build`);
      before = next;
      await sleep(between(random, SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS), undefined, { signal });
    }
    await installation.worker.start();
    await installation.worker.untilReady();
    await before.stop();
    const rows = await installation.pg<{ build: string; alerts: number }[]>`
      select build, count(distinct alert_uuid)::int as alerts from investigations where build is not null group by 1`;
    const notes = [`${rows.length} builds investigated alerts of this installation: ${rows.map(({ alerts }) => alerts).join(' and ')}`];
    return { faults: TURNS, notes, problems: rows.length < 2 ? ['only one build investigated alerts'] : [] };
  },
};

/** A copy of dist/ with other workflow code. Returns its command line. */
async function createChangedBuild(folder: string): Promise<string> {
  const place = path.join(folder, 'changed-build');
  mkdirSync(place);
  cpSync(path.join(ROOT, 'dist'), path.join(place, 'dist'), { recursive: true });
  cpSync(path.join(ROOT, 'package.json'), path.join(place, 'package.json'));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(place, 'node_modules'));
  const code = await bundleWorkflows(fileURLToPath(new URL('../changed-workflows.ts', import.meta.url)));
  writeFileSync(path.join(place, 'dist/workflow-bundle.js'), code);
  return path.join(place, 'dist/cli/main.js');
}

async function startWorker(installation: Installation, turn: number, changes: { cli?: string }): Promise<ServiceProcess> {
  const [port = 0] = await differentFreePorts(1);
  const env = { ...installation.env, WORKER_PORT: String(port) };
  const started = startServiceProcess({ name: `worker ${turn}`, command: 'worker', port, env, folder: installation.folder, ...changes });
  installation.onClose(async () => void (await started.stop()));
  return started;
}
