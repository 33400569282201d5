import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { API_TYPES_FILE, generateApiTypes } from '../../dev/build/api-types.js';

it('has the types of the current API (run `npm run api:types` after a change of a route)', async () => {
  expect((await readFile(API_TYPES_FILE, 'utf8')) === (await generateApiTypes())).toBe(true);
});
