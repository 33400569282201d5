import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const at = (path: string) => new URL(`../../${path}`, import.meta.url);

it('has a test file with the name of each route file', () => {
  const routes = readdirSync(at('api/routes')).map((file) => file.replace(/\.ts$/, ''));
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((name) => !existsSync(at(`test/api/${name}.test.ts`)))).toEqual([]);
});
