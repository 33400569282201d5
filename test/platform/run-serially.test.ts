import { expect, it } from 'vitest';
import { runSerially } from '../../platform/run-serially.js';

it('lets other requests go between two pieces of long work, and keeps their order', async () => {
  const order: string[] = [];
  const other = () => setImmediate(() => order.push('other request'));
  const pieces = ['first', 'second', 'third'].map((name) =>
    runSerially(() => {
      order.push(name);
      other();
      return name;
    }),
  );
  expect(await Promise.all(pieces)).toEqual(['first', 'second', 'third']);
  expect(order).toEqual(['first', 'other request', 'second', 'other request', 'third']);
});

it('continues after a piece that failed', async () => {
  const failed = runSerially(() => {
    throw new Error('broken');
  });
  const next = runSerially(() => 'next');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('next');
});
