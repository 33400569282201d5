import type { Keyring } from '../../platform/keyring.js';
import type { Context } from '../context.js';
import type { WorkflowRunner } from '../workflow-runner.js';

/** For a command that seals credentials or tests a connection. */
export interface ConnectionContext extends Context {
  readonly keyring: Keyring;
  readonly runner: WorkflowRunner;
}
