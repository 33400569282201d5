import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sendSignal } from '../../local/processes.js';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const PROCESS = fileURLToPath(new URL('./support/runs-until-stopped.ts', import.meta.url));
const SOON = { timeout: 60_000, interval: 100 };
const NEXT_POLLS_MS = 2_500;

/** Runs a script of a package with npm. The comment in the script makes it one of this service. */
async function npmRun(script: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-npm-'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { start: script } }));
  const npm = spawn('npm', ['start'], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => {
    if (npm.pid !== undefined) sendSignal(-npm.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let printed = '';
  npm.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const waitFor = (text: string) => vi.waitFor(() => expect(printed).toContain(text), SOON);
  await waitFor('\nstarted');
  return { npm, waitFor, printed: () => printed };
}

const OURS = `node --import ${TSX} ${PROCESS} # alert-investigator start`;

it.each(['SIGTERM', 'SIGKILL'] as const)('the service stops in order after npm ends with %s', async (signal) => {
  const { npm, waitFor } = await npmRun(OURS);
  npm.kill(signal);
  await waitFor('stopped in order');
});

it('a service that a script of npm leaves in the background keeps running', async () => {
  const { npm, printed } = await npmRun(`node --import ${TSX} ${PROCESS} & sleep 2`);
  await vi.waitFor(() => expect(npm.exitCode).toBe(0), SOON);
  await sleep(NEXT_POLLS_MS);
  expect(printed()).not.toContain('stopped in order');
});
