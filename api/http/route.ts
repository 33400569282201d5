import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { OperatorSettings } from '../../channels/kit/define.js';
import type { Database } from '../../db/client.js';
import type { SessionLimits } from '../../db/identity/user-sessions.js';
import type { Keyring } from '../../platform/keyring.js';
import type { Metrics } from '../../platform/metrics.js';
import type { WorkflowRunner } from '../../services/workflow-runner.js';
import type { Intake } from '../intake/intake.js';
import type { IdentityProvider } from '../sign-in/identity-provider.js';
import type { PasswordGuesses } from '../sign-in/password-guesses.js';
import type { KeyCache } from './auth.js';
import type { FindClientAddress } from './client-address.js';
import type { RefusedKeys } from './refused-keys.js';

/** Dependencies of every route. */
export interface RouteDeps {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly intake: Intake;
  readonly keys: KeyCache;
  readonly refusedKeys: RefusedKeys;
  readonly sessionLimits: SessionLimits;
  readonly findClientAddress: FindClientAddress;
  readonly guesses: PasswordGuesses;
  /** A request from another machine for the metrics must have it; null: such requests are refused. */
  readonly metricsToken: string | null;
  /** null: users sign in with passwords only. */
  readonly identityProvider: IdentityProvider | null;
  readonly keyring: Keyring;
  readonly runner: WorkflowRunner;
  /** Values for channels that no tenant can choose. */
  readonly operator: OperatorSettings;
  /** Address of Temporal Web for links to runs; null when it is not configured. */
  readonly temporalWeb: string | null;
  /** Without Temporal the API is degraded, but it still accepts alerts. */
  isTemporalReachable(): Promise<boolean>;
}

/** Routes whose requests are typed by their zod schemas. */
export function withZod(app: FastifyInstance) {
  return app.withTypeProvider<ZodTypeProvider>();
}
export type ZodApp = ReturnType<typeof withZod>;
