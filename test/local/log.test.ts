import { expect, test } from 'vitest';
import { startScript } from './support/scripts.js';

const LINES = new URL('./support/log-lines.ts', import.meta.url);

async function printedWith(...args: string[]): Promise<string[]> {
  const script = startScript(LINES, args);
  expect(await script.ended).toBe(0);
  expect(script.printed()).not.toContain('hunter2');
  return script.printed().trimEnd().split('\n');
}

test('the log is JSON, in its place among what else is printed, and keeps secrets', async () => {
  const [first = '', summary, last = ''] = await printedWith();
  expect(JSON.parse(first)).toMatchObject({ process: 'local', msg: 'Postgres: ready', elapsedMs: 7, password: '[redacted]' });
  expect(summary).toBe('the summary');
  expect(JSON.parse(last)).toMatchObject({ level: 40, msg: 'after it' });
});

test('for a person it is one readable line each, and keeps secrets as well', async () => {
  const [first, summary, last] = await printedWith('pretty');
  expect(first).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: Postgres: ready \{.*"elapsedMs":7.*\[redacted\].*\}$/);
  expect(summary).toBe('the summary');
  expect(last).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: after it$/);
});
