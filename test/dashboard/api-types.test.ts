import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { API_TYPES_FILE, generateApiTypes } from '../../tools/build/api-types.js';

it('has the types of the current API: after a change of a route, run `npm run api:types`', async () => {
  expect((await readFile(API_TYPES_FILE, 'utf8')) === (await generateApiTypes())).toBe(true);
});
