import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { beforeAll, expect, it } from 'vitest';
import { GENERATED_WORKFLOW_TYPE } from '../../domain/playbook/playbook.js';
import { declaredPlaybooks } from '../../worker/worker.js';
import { replayHistories } from '../support/replay.js';

const HISTORIES = fileURLToPath(new URL('../histories/', import.meta.url));
const recorded = readdirSync(HISTORIES).filter((file) => file.endsWith('.json'));

const HOW_TO_VERSION = `
The change does not match the histories of earlier investigations. With Worker Versioning, Temporal continues those runs with their
own build. Without it, and for runs that started before versioning, the change breaks them.
Keep the old path with workflows/lib/patched.ts: if (patched('what-changed')) { new } else { old }, or restore the order and number of steps.
Record histories again (npm run histories:record) only if no running investigation depends on them.`;

const MISMATCH = 'a history of other steps';
/** By name of the file. */
const errors = new Map<string, Error | undefined>();

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'off', forward: {} } } });
  for await (const { workflowId, error } of replayHistories(histories())) errors.set(workflowId, error);
});

async function* histories() {
  for (const file of recorded) yield { workflowId: file, history: await readHistory(file) };
  const other = await readHistory('generated-first.json');
  const [{ workflowExecutionStartedEventAttributes: started }] = other.events;
  started.workflowType.name = 'reconcile';
  yield { workflowId: MISMATCH, history: other };
}

async function readHistory(file: string) {
  return JSON.parse(await readFile(`${HISTORIES}${file}`, 'utf8'));
}

it.each(recorded)('replays %s', (file) => {
  expect([...errors.keys()]).toContain(file);
  const error = errors.get(file);
  if (error) throw new Error(`${file}: ${String(error)}${HOW_TO_VERSION}`);
});

it('has a history of every playbook', () => {
  const workflowTypes = [...declaredPlaybooks().map((playbook) => playbook.name), GENERATED_WORKFLOW_TYPE];
  const missing = workflowTypes.filter((type) => !recorded.some((file) => file.startsWith(`${type}-`)));
  expect(missing, 'npm run histories:record, with a scenario for each of these').toEqual([]);
});

it('detects a history that does not match the code', () => {
  expect(String(errors.get(MISMATCH))).toContain('nondeterminism');
});
