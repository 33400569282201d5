import {
  Client,
  type Connection,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import type { OutboxAlert } from '../../db/alerts/outbox.js';
import type { ChosenPlaybook } from '../../db/playbooks/playbooks.js';
import type { InvestigationInput } from '../../domain/investigation/investigation.js';
import { GENERATED_WORKFLOW_TYPE } from '../../domain/playbook/playbook.js';
import { toSearchAttributes } from '../../domain/search-attributes.js';
import { clip, escapeMarkdown } from '../../domain/text.js';
import { toTaskPriority } from '../../domain/verdict/priority.js';
import { untilAborted } from '../../platform/abort.js';
import { GRPC_STATUS } from '../../platform/grpc-status.js';
import type { Keyring } from '../../platform/keyring.js';
import type { Logger } from '../../platform/log.js';
import type { Settings } from '../../platform/settings.js';
import { type ColocatedWorker, createDataConverter, prepareNamespace, processIdentity } from '../../platform/temporal.js';

export type StartOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'later'; readonly reason: string; readonly temporalAway: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

const CALL_TIMEOUT_MS = 10_000;

/** The workflow id is the alert's id, so that an engineer can search for it in Temporal Web. */
export class InvestigationStarter {
  readonly #client: Client;
  readonly #connection: Connection;
  readonly #colocated: { readonly worker: ColocatedWorker; readonly client: Client } | null;
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #calls = new Set<AbortController>();
  #abandoned = false;
  #prepared: Promise<void> | null = null;

  constructor(connection: Connection, settings: Settings, keyring: Keyring, log: Logger, worker: ColocatedWorker | null = null) {
    this.#connection = connection;
    this.#settings = settings;
    this.#log = log;
    const { TEMPORAL_NAMESPACE: namespace } = settings;
    const dataConverter = createDataConverter(settings, keyring);
    this.#client = new Client({ connection, namespace, dataConverter, identity: processIdentity('api') });
    this.#colocated = worker && {
      worker,
      client: new Client({ connection: worker.connection, namespace, dataConverter, identity: processIdentity('worker') }),
    };
  }

  async isReachable(): Promise<boolean> {
    try {
      await this.#connection.withDeadline(Date.now() + 2_000, () => this.#connection.workflowService.getSystemInfo({}));
      return true;
    } catch {
      return false;
    }
  }

  /** Unless `queued`, Temporal may give the first task directly to the worker in this process. */
  async start(alert: OutboxAlert, playbook: ChosenPlaybook, { queued }: { queued: boolean }): Promise<StartOutcome> {
    try {
      await this.#prepareOnce();
      await this.#startWorkflow(alert, playbook, queued);
      return { kind: 'accepted' };
    } catch (error) {
      return this.#toOutcome(error, alert);
    }
  }

  /** Ends the calls that wait for Temporal; their alerts go back to the outbox. */
  abandon(): void {
    this.#abandoned = true;
    for (const call of this.#calls) call.abort();
  }

  /** One controller for each call, because the SDK never removes its listener from a signal. */
  async #call<Result>(call: () => Promise<Result>, { connection } = this.#client): Promise<Result> {
    const controller = new AbortController();
    if (this.#abandoned) controller.abort();
    this.#calls.add(controller);
    try {
      const withinTime = () => connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
      // A worker's connection supports deadlines only. Our own connection must end its calls before it closes.
      return await (connection === this.#connection
        ? connection.withAbortSignal(controller.signal, withinTime)
        : untilAborted(withinTime(), controller.signal));
    } finally {
      this.#calls.delete(controller);
    }
  }

  /** The namespace may be new, or the server may have lost its data. */
  async #prepareOnce(): Promise<void> {
    this.#prepared ??= this.#call(() => prepareNamespace(this.#connection, this.#settings.TEMPORAL_NAMESPACE, this.#log));
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = null;
      throw error;
    }
  }

  async #startWorkflow(alert: OutboxAlert, playbook: ChosenPlaybook, queued: boolean): Promise<void> {
    const { alertId, investigationNo } = alert;
    const { playbookUuid: investigatorId, planUuid: playbookId, planVersion, reason: playbookReason } = playbook;
    const input: InvestigationInput = { alertId, investigationNo, playbookId, planVersion, playbookReason, investigatorId };
    const eager = !queued && this.#colocated?.worker.takesNewRuns() ? this.#colocated.client : null;
    const client = eager ?? this.#client;
    const options: WorkflowStartOptions = {
      workflowId: alertId,
      taskQueue: this.#settings.TEMPORAL_TASK_QUEUE,
      args: [input],
      priority: toTaskPriority(playbook.severity, alert.organizationCode),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
      retry: {
        maximumAttempts: 1 + this.#settings.INVESTIGATION_MAX_RETRIES,
        initialInterval: '2s',
        backoffCoefficient: 2,
        maximumInterval: '5m',
      },
      memo: { investigationNo },
      typedSearchAttributes: toSearchAttributes({
        AlertId: alertId,
        AlertType: alert.alertType,
        Organization: alert.organizationCode,
        Provider: alert.provider,
        Playbook: isGenerated(playbook) ? playbook.name : playbook.workflowType,
        InvestigationStatus: 'Submitted',
      }),
      staticSummary: clip(escapeMarkdown(describeRun(alert, playbook)), 200),
      staticDetails: `Alert **${alertId}** from ${escapeMarkdown(alert.provider)}, investigation ${investigationNo}, playbook *${escapeMarkdown(playbook.name)}*.`,
      ...(eager === null ? {} : { requestEagerStart: true }),
    };
    await this.#call(() => client.workflow.start(playbook.workflowType, options), client);
  }

  async #toOutcome(error: unknown, alert: OutboxAlert): Promise<StartOutcome> {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return this.#joinRunning(alert);
    if (error instanceof NamespaceNotFoundError) return this.#prepareAgain(error.message);
    const refusal = grpcError(error);
    if (refusal?.code === GRPC_STATUS.notFound) return this.#prepareAgain(refusal.details);
    if (refusal?.code === GRPC_STATUS.invalidArgument) {
      if (/search attribute/i.test(refusal.details)) return this.#prepareAgain(refusal.details);
      return { kind: 'refused', reason: `Temporal refused to start the investigation: ${refusal.details}` };
    }
    const reason = refusal?.details || (error instanceof Error ? error.message : String(error));
    return { kind: 'later', reason, temporalAway: true };
  }

  #prepareAgain(reason: string): StartOutcome {
    this.#prepared = null;
    return { kind: 'later', reason, temporalAway: false };
  }

  /** The open run is either this investigation, not yet marked as dispatched, or the one before it. */
  async #joinRunning(alert: OutboxAlert): Promise<StartOutcome> {
    try {
      const { memo } = await this.#call(() => this.#client.workflow.getHandle(alert.alertId).describe());
      if (memo?.['investigationNo'] === alert.investigationNo) return { kind: 'accepted' };
      return { kind: 'later', reason: 'an earlier investigation of this alert has not ended yet', temporalAway: false };
    } catch (error) {
      return { kind: 'later', reason: String(error), temporalAway: true };
    }
  }
}

function isGenerated({ workflowType }: ChosenPlaybook): boolean {
  return workflowType === GENERATED_WORKFLOW_TYPE;
}

/** All generated playbooks have the same workflow type, so the name of the playbook is in the summary. */
function describeRun(alert: OutboxAlert, playbook: ChosenPlaybook): string {
  const isNamed = isGenerated(playbook) && playbook.name !== alert.alertType;
  const name = isNamed ? [playbook.name] : [];
  return [alert.alertType, alert.organizationCode, ...name].join(' · ');
}

/** The client wraps the server's error; a worker's connection has the details in the message only. */
function grpcError(error: unknown): { code: number; details: string } | null {
  for (let current = error; current instanceof Error; current = current.cause)
    if (isGrpcServiceError(current)) return { code: current.code, details: current.details || current.message };
  return null;
}
