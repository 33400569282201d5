import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { PAGES } from '../../domain/pages.js';

it('has a route for every declared page, and no other', async () => {
  const router = await readFile(new URL('../../dashboard/router.tsx', import.meta.url), 'utf8');
  const routes = [...router.matchAll(/\bpath: (.+),/g)].map(([, path]) => path);
  expect(routes.toSorted()).toEqual(
    Object.keys(PAGES)
      .map((name) => `PAGES.${name}`)
      .toSorted(),
  );
});
