import { setTimeout as sleep } from 'node:timers/promises';
import type { Component } from '../../processes/servers.js';
import type { Installation } from '../installation.js';
import { between } from '../random.js';
import type { Scenario, ScenarioContext, ScenarioReport } from '../scenario.js';

const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 4_000;

function killing(name: string, choose: (installation: Installation) => readonly Component[]): Scenario {
  return { part: 'kills', name: `kill -9 of ${name}`, run: (context) => killRepeatedly(context, choose(context.installation)) };
}

export const kills: readonly Scenario[] = [
  killing('the API', ({ api }) => [api]),
  killing('the worker', ({ worker }) => [worker]),
  killing('Postgres', ({ postgres }) => [postgres]),
  killing('Temporal', ({ temporal }) => [temporal]),
  killing('everything at once', ({ components }) => components),
];

/** Kills again at a random moment after everything is ready again. Some work of the last kill is still unfinished then. */
async function killRepeatedly(
  { installation, random, repetitions, signal, say }: ScenarioContext,
  victims: readonly Component[],
): Promise<ScenarioReport> {
  for (let count = 1; count <= repetitions; count += 1) {
    await sleep(between(random, SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS), undefined, { signal });
    await Promise.all(victims.map((victim) => victim.kill()));
    // In the order of the components: servers first, as a supervisor of the machine does.
    for (const victim of victims) await victim.start();
    await installation.untilReady();
    say(`killed ${victims.map(({ name }) => name).join(', ')} (${count} of ${repetitions})`);
  }
  return { faults: repetitions };
}
