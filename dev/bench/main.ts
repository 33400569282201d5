import { cpus, totalmem } from 'node:os';
import { StartError } from '../../platform/start-error.js';
import { measureConnected } from './connected.js';
import { measureDashboard } from './dashboard.js';
import { measureFairness } from './fairness.js';
import { measureFaulty } from './faulty.js';
import { measureIntake } from './intake.js';
import { measureInvestigations } from './investigations.js';
import { measureKit } from './kit.js';
import { measureLimits } from './limits.js';
import { measureLists } from './lists.js';
import { measureMemory } from './memory.js';
import { isMet, type Part, renderMarkdown } from './report.js';
import { progress, Stage } from './stage.js';
import { measureStartup } from './startup.js';

const PARTS: Readonly<Record<string, (stage: Stage) => Promise<Part[]>>> = {
  startup: async (stage) => [await measureStartup(stage)],
  intake: async (stage) => [await measureIntake(stage)],
  investigations: measureInvestigations,
  connected: measureConnected,
  fairness: async (stage) => [await measureFairness(stage)],
  faulty: async (stage) => [await measureFaulty(stage)],
  kit: async (stage) => [await measureKit(stage)],
  lists: async (stage) => [await measureLists(stage)],
  limits: async (stage) => [await measureLimits(stage)],
  memory: async (stage) => [await measureMemory(stage)],
  dashboard: async (stage) => [await measureDashboard(stage)],
};

/** `alert-investigator bench`: measures the named parts, by default all, and prints a report. */
export async function runBench(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !(name in PARTS));
  if (unknown.length > 0)
    throw new StartError(`The benchmark has no part ${unknown.join(', ')}. Its parts are ${Object.keys(PARTS).join(', ')}.`);

  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stopping.abort(new StartError(`${signal}: the benchmark was stopped.`)));
  process.on('unhandledRejection', (error) => stopping.abort(error));
  const stopped = new Promise<never>((_, reject) => stopping.signal.addEventListener('abort', () => reject(stopping.signal.reason)));

  const began = Date.now();
  const stage = await Stage.open(stopping.signal);
  try {
    const parts = await Promise.race([runParts(stage, wanted), stopped]);
    const bars = parts.flatMap((part) => part.bars);
    const machine = { cpus: cpus().length, cpu: cpus()[0]?.model, memory_gib: Math.round(totalmem() / 2 ** 30), node: process.version };
    console.log(`${renderMarkdown(parts)}\n`);
    console.log(
      JSON.stringify({
        took_seconds: Math.round((Date.now() - began) / 1000),
        machine,
        missed: bars.filter((bar) => !isMet(bar)).map((bar) => bar.name),
        parts,
      }),
    );
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof StartError ? error.message : error);
    stopping.abort(error);
  } finally {
    await stage.close();
  }
  process.exit();
}

async function runParts(stage: Stage, wanted: readonly string[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    progress(`${name} …`);
    parts.push(...(await measure(stage)));
    await stage.endChildren();
  }
  return parts;
}
