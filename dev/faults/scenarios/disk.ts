import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../../local/processes.js';
import type { Load } from '../load.js';
import { type Scenario, type ScenarioContext, Skipped } from '../scenario.js';

const DISK_MIB = 320;
const MOUNT_LIMIT_MS = 10_000;
const FULL_MS = 30_000;
const PROBE_EVERY_MS = 250;
const FILLING = 'filling';
const MIB = 1024 * 1024;

/** Postgres on a small disk, which a file fills completely. */
export const disk: Scenario = {
  part: 'disk',
  name: 'disk of Postgres full',
  async prepare(folder) {
    const mount = path.join(folder, 'disk');
    mkdirSync(mount);
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'tmpfs', mount], { timeoutMs: MOUNT_LIMIT_MS });
    } catch (cause) {
      throw new Skipped(`Mounting a small disk needs root: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
    return {
      // Without this the write-ahead log alone would fill the disk.
      options: { postgresFolder: path.join(mount, 'postgres'), postgresSettings: { max_wal_size: '64MB', min_wal_size: '32MB' } },
      async undo() {
        await run('umount', [mount], { timeoutMs: MOUNT_LIMIT_MS });
      },
    };
  },
  async run(context) {
    const file = path.join(context.installation.folder, 'disk', FILLING);
    const began = Date.now();
    fill(file);
    context.say('the disk is full');
    const replies = await probe(context, () => Date.now() - began < FULL_MS);
    rmSync(file);
    const counts = [...replies].map(([reply, count]) => `${count} × ${reply}`);
    const wrong = [...replies.keys()].filter((reply) => reply !== '201' && reply !== '503 application/problem+json');
    const problems = [
      ...wrong.map((reply) => `the API replied ${reply} while the disk was full`),
      ...(replies.has('503 application/problem+json') ? [] : ['no alert was refused while the disk was full']),
    ];
    return { faults: 1, problems, notes: [`replies to new alerts while the disk was full: ${counts.join(', ')}`] };
  },
};

function fill(file: string): void {
  const output = openSync(file, 'w');
  try {
    for (const size of [MIB, 4096]) {
      const chunk = Buffer.alloc(size, 1);
      try {
        for (;;) writeSync(output, chunk);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  } finally {
    closeSync(output);
  }
}

/** Counts the replies to alerts that are sent without retries. */
async function probe({ load, signal }: ScenarioContext, isFull: () => boolean): Promise<Map<string, number>> {
  const replies = new Map<string, number>();
  while (isFull()) {
    const reply = await sendOnce(load);
    replies.set(reply, (replies.get(reply) ?? 0) + 1);
    await sleep(PROBE_EVERY_MS, undefined, { signal });
  }
  return replies;
}

async function sendOnce(load: Load): Promise<string> {
  try {
    const { status, contentType } = await load.sendOnce({ alert_type: 'Odd sign-in', alert_content: 'A sign-in at an unusual hour.' });
    return status === 201 ? '201' : `${status} ${contentType.split(';')[0]}`;
  } catch (error) {
    return `nothing (${error instanceof Error ? error.name : String(error)})`;
  }
}
