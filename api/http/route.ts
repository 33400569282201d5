import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Database } from '../../db/client.js';
import type { Keyring } from '../../platform/keyring.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Intake } from '../intake/intake.js';
import type { WorkflowRunner } from '../workflow-runner.js';
import type { KeyCache } from './auth.js';

/** What every route may use. */
export interface RouteDeps {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly intake: Intake;
  readonly keys: KeyCache;
  readonly keyring: Keyring;
  readonly runner: WorkflowRunner;
  /** Where people look at runs; null: nobody said. */
  readonly temporalWeb: string | null;
  /** Whether Temporal answers; its absence degrades us but refuses no alert. */
  isTemporalReachable(): Promise<boolean>;
}

/** Routes whose requests are typed by their zod schemas. */
export function withZod(app: FastifyInstance) {
  return app.withTypeProvider<ZodTypeProvider>();
}
export type ZodApp = ReturnType<typeof withZod>;
