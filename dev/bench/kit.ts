import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { run } from '../../local/processes.js';
import { median, round } from './measures.js';
import type { Part } from './report.js';
import type { Stage } from './stage.js';

const VITEST = path.join(path.dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const FILE = 'test/workflows/playbooks/reported-phishing.test.ts';
const RUNS = 3;
const RUN_LIMIT_MS = 300_000;
const MAX_SECONDS = 2;

const Report = z.object({ testResults: z.array(z.object({ assertionResults: z.array(z.object({ duration: z.number() })) })) });

/** The tests of a playbook: the first one starts the sandbox and bundles the playbook, the others share both. */
export async function measureKit(stage: Stage): Promise<Part> {
  const first: number[] = [];
  const later: number[] = [];
  for (let turn = 0; turn < RUNS; turn += 1) {
    const [opening = 0, ...others] = await runTests(path.join(stage.folder, `kit-${turn}.json`));
    first.push(opening);
    later.push(median(others));
  }
  return {
    name: 'kit',
    title: 'A test of a playbook in the workflow sandbox, without servers (ms)',
    columns: ['', 'median', 'compared with a later test'],
    rows: [
      ['first test of a file', Math.round(median(first)), `${round(median(first) / median(later), 1)}×`],
      ['later test', Math.round(median(later)), '1×'],
    ],
    bars: [{ name: 'seconds of the first test of a playbook', measured: median(first) / 1000, atMost: MAX_SECONDS }],
    notes: [`\`vitest run --project unit ${FILE}\`, ${RUNS} times. The first test starts the sandbox and bundles the playbook.`],
    details: { first, later },
  };
}

async function runTests(report: string): Promise<number[]> {
  const args = [VITEST, 'run', '--project', 'unit', '--reporter=json', `--outputFile=${report}`, FILE];
  await run(process.execPath, args, { timeoutMs: RUN_LIMIT_MS });
  const { testResults } = Report.parse(JSON.parse(readFileSync(report, 'utf8')));
  return testResults.flatMap(({ assertionResults }) => assertionResults.map(({ duration }) => duration));
}
