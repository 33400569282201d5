import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, expect, inject, it } from 'vitest';
import { GENERATED_WORKFLOW_TYPE } from '../../domain/playbook/playbook.js';
import { declaredPlaybooks } from '../../worker/worker.js';

const HISTORIES = fileURLToPath(new URL('../histories/', import.meta.url));
const recorded = readdirSync(HISTORIES).filter((file) => file.endsWith('.json'));

const HOW_TO_VERSION = `
The change does not match the histories of earlier investigations. With Worker Versioning, Temporal continues those runs with their
own build. Without it, and for runs that started before versioning, the change breaks them.
Keep the old path with workflows/lib/patched.ts: if (patched('what-changed')) { new } else { old }, or restore the order and number of steps.
Record histories again (npm run histories:record) only if no running investigation depends on them.`;

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'off', forward: {} } } });
});

async function replay(history: unknown): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle: { codePath: inject('workflowBundlePath') } }, history);
}

it.each(recorded)('replays %s', async (file) => {
  const history: unknown = JSON.parse(await readFile(`${HISTORIES}${file}`, 'utf8'));
  await replay(history).catch((error: unknown) => {
    throw new Error(`${file}: ${String(error)}${HOW_TO_VERSION}`);
  });
});

it('has a history of every playbook', () => {
  const workflowTypes = [...declaredPlaybooks().map((playbook) => playbook.name), GENERATED_WORKFLOW_TYPE];
  const missing = workflowTypes.filter((type) => !recorded.some((file) => file.startsWith(`${type}-`)));
  expect(missing, 'npm run histories:record, with a scenario for each of these').toEqual([]);
});

it('detects a history that does not match the code', async () => {
  const history = JSON.parse(await readFile(`${HISTORIES}generated-first.json`, 'utf8'));
  for (const event of history.events) {
    const type = event.workflowExecutionStartedEventAttributes?.workflowType;
    if (type) type.name = 'reconcile';
  }
  await expect(replay(history)).rejects.toThrow('nondeterminism');
});
