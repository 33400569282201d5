import { expect, test } from 'vitest';
import { startScript } from './support/scripts.js';

const LINES = new URL('./support/log-lines.ts', import.meta.url);

async function runAndReadLines(...args: string[]): Promise<string[]> {
  const script = startScript(LINES, args);
  expect(await script.ended).toBe(0);
  expect(script.printed()).not.toContain('hunter2');
  return script.printed().trimEnd().split('\n');
}

test('the log is JSON, in order with other output, and without secrets', async () => {
  const [first = '', summary, last = ''] = await runAndReadLines();
  expect(JSON.parse(first)).toMatchObject({ process: 'local', msg: 'Postgres: ready', elapsedMs: 7, password: '[redacted]' });
  expect(summary).toBe('the summary');
  expect(JSON.parse(last)).toMatchObject({ level: 40, msg: 'after it' });
});

test('the pretty log has one readable line per entry, without secrets', async () => {
  const [first, summary, last] = await runAndReadLines('pretty');
  expect(first).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: Postgres: ready \{.*"elapsedMs":7.*\[redacted\].*\}$/);
  expect(summary).toBe('the summary');
  expect(last).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: after it$/);
});
