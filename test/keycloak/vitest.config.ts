import { defineConfig } from 'vitest/config';
import { FORKS, GLOBAL_SETUP } from '../../vitest.config.js';

/** `npm run test:keycloak`. Not part of `npm test`, because it downloads Keycloak and needs Java. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: { ...FORKS, include: ['test/keycloak/**/*.test.ts'], globalSetup: GLOBAL_SETUP },
});
