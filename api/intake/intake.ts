import { findKeyedAlerts, type InsertedIds, insertAlerts, type NewAlert } from '../../db/alerts/intake.js';
import type { Database } from '../../db/client.js';
import { findOrganization } from '../../db/identity/organizations.js';
import { findProvider } from '../../db/identity/providers.js';
import type { Alert } from '../../domain/alert/alert.js';
import type { Metrics } from '../../platform/metrics.js';
import { LARGE_BYTES, runSerially } from '../../platform/run-serially.js';
import { acceptAlert, keyOfDeletedAlert, reusedKey, type Submission } from '../../services/alerts/accept.js';
import { readClock } from '../../services/context.js';
import type { Organization } from '../../services/organizations/wire.js';
import type { Provider } from '../../services/providers/wire.js';
import { withinTime } from '../http/deadline.js';
import { Problem } from '../http/problems.js';

/** The second batch is ready at the database when the first commits. */
const BATCHES_IN_FLIGHT = 2;
/** Batches lock the same sequences anyway; on one connection they queue without waiting for locks. */
export const INTAKE_CONNECTIONS = 1;
/** How long a small batch waits for more senders after a large one. */
const GATHER_MS = 6;
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 2 * 1024 * 1024;
const MAX_WAITING = 20_000;

interface Waiting {
  readonly alert: NewAlert;
  resolve(outcome: Acknowledged): void;
  reject(error: unknown): void;
}

interface Acknowledged {
  readonly alertUuid: string;
  readonly alertId: string;
  readonly createdAt: number;
}

type Stored = { readonly ids: InsertedIds } | { readonly error: unknown };

/** Requests that arrive during a commit form the next batch. A single request does not wait. */
export class Intake {
  readonly #database: Database;
  readonly #metrics: Metrics;
  readonly #onStored: () => void;
  readonly #organizations = new Map<string, Organization>();
  readonly #providers = new Map<string, Provider>();
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #lastSize = 1;
  #gathering: NodeJS.Timeout | null = null;

  /** `onStored` wakes the dispatcher of this process: a database notification would make each commit a tenth slower. */
  constructor(database: Database, metrics: Metrics, onStored: () => void) {
    this.#database = database;
    this.#metrics = metrics;
    this.#onStored = onStored;
  }

  /** Resolves after the commit, never before. */
  async submit(submission: Submission): Promise<Alert> {
    const { request } = submission;
    // A cache hit needs no await: most alerts come from few organizations and providers.
    const organization = this.#organizations.get(request.organization_code) ?? (await this.#findOrganization(request.organization_code));
    const provider = this.#providers.get(request.alert_provider) ?? (await this.#findProvider(request.alert_provider));
    const alert = acceptAlert(submission, organization, provider, readClock());
    const { alertUuid, alertId, createdAt } = await this.#enqueue(alert);
    return {
      alert_content: request.alert_content,
      alert_id: alertId,
      alert_provider: request.alert_provider,
      alert_type: request.alert_type,
      alert_uuid: alertUuid,
      created_at: createdAt,
      created_at_source: request.created_at_source ?? null,
      created_by: alert.createdBy,
      investigation_retry_count: 0,
      investigation_status: 0,
      modified_at: createdAt,
      organization_code: alert.organizationCode,
      organization_uuid: alert.organizationUuid,
    };
  }

  /** Organizations and providers are never renamed or deleted, so cached ones stay valid. */
  async #findOrganization(code: string): Promise<Organization | null> {
    const found = await withinTime(findOrganization(this.#database.db, code));
    if (found) this.#organizations.set(code, found);
    return found;
  }

  async #findProvider(name: string): Promise<Provider | null> {
    const found = await withinTime(findProvider(this.#database.db, name));
    if (found) this.#providers.set(name, found);
    return found;
  }

  #enqueue(alert: NewAlert): Promise<Acknowledged> {
    if (this.#waiting.length >= MAX_WAITING)
      throw new Problem(503, 'Alerts arrive faster than the service can store them. Try again shortly.', { retryAfterSeconds: 1 });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ alert, resolve, reject });
      this.#flushWhenFull();
    });
  }

  /**
   * A batch of ten costs nearly the same as a single alert, so a batch goes when it is as large as the last one. That keeps
   * batches even, and senders, this process and the database busy.
   */
  #flushWhenFull(): void {
    if (this.#waiting.length === 0 || this.#inFlight === BATCHES_IN_FLIGHT) return;
    if (this.#waiting.length >= this.#lastSize) this.#flush();
    else this.#gathering ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    this.#gathering = null;
    while (this.#inFlight < BATCHES_IN_FLIGHT && this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      this.#lastSize = batch.length;
      this.#inFlight += 1;
      void this.#commit(batch);
    }
  }

  /** Bounded in rows and size. A second use of an idempotency key waits for the batch after the first. */
  #takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    const keys = new Set<string>();
    let characters = 0;
    for (const waiting of this.#waiting) {
      const { idempotencyKey, createdBy, alertContent } = waiting.alert;
      const key = idempotencyKey === null ? null : `${createdBy} ${idempotencyKey}`;
      const full = batch.length >= BATCH_ROWS || (batch.length > 0 && characters + alertContent.length > BATCH_CHARACTERS);
      if (full || (key !== null && keys.has(key))) {
        later.push(waiting);
        continue;
      }
      if (key !== null) keys.add(key);
      characters += alertContent.length;
      batch.push(waiting);
    }
    this.#waiting = later;
    return batch;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const endTimer = this.#metrics.intakeCommitSeconds.startTimer();
    this.#metrics.intakeBatchSize.observe(batch.length);
    const stored = await this.#store(batch);
    endTimer();
    this.#inFlight -= 1;
    // The next batch goes to the database before this one is answered, so that neither waits for the other.
    this.#flushWhenFull();
    await this.#answer(batch, stored);
    this.#onStored();
  }

  async #store(batch: readonly Waiting[]): Promise<Stored> {
    try {
      return { ids: await withinTime(this.#insert(batch), OUTCOME_UNKNOWN) };
    } catch (error) {
      return { error };
    }
  }

  async #answer(batch: readonly Waiting[], stored: Stored): Promise<void> {
    if ('error' in stored) {
      if (batch.length > 1 && !mayHaveCommitted(stored.error)) await this.#storeOneByOne(batch);
      else for (const waiting of batch) waiting.reject(stored.error);
      return;
    }
    const repeated: Waiting[] = [];
    for (const waiting of batch) {
      const { alertUuid, alertContent, createdAt } = waiting.alert;
      const alertId = stored.ids[alertUuid];
      if (alertId === undefined) repeated.push(waiting);
      else if (alertContent.length > LARGE_BYTES) void runSerially(() => waiting.resolve({ alertUuid, alertId, createdAt }));
      else waiting.resolve({ alertUuid, alertId, createdAt });
    }
    if (repeated.length === 0) return;
    try {
      await withinTime(this.#answerRepeated(repeated), OUTCOME_UNKNOWN);
    } catch (error) {
      for (const waiting of repeated) waiting.reject(error);
    }
  }

  async #insert(batch: readonly Waiting[]): Promise<InsertedIds> {
    return insertAlerts(
      this.#database.pg,
      batch.map((waiting) => waiting.alert),
    );
  }

  /** One row that the database refuses must not fail the other rows of its batch. */
  async #storeOneByOne(batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) await this.#answer([waiting], await this.#store([waiting]));
  }

  async #answerRepeated(repeated: readonly Waiting[]): Promise<void> {
    const found = await findKeyedAlerts(
      this.#database.pg,
      repeated.map(({ alert }) => ({ principalUuid: alert.createdBy, key: alert.idempotencyKey ?? '' })),
    );
    for (const { alert, resolve, reject } of repeated) {
      const first = found.find((each) => each.key === alert.idempotencyKey && each.principalUuid === alert.createdBy);
      if (first?.bodyDigest !== alert.bodyDigest) reject(reusedKey());
      else if (first.alert === null) reject(keyOfDeletedAlert());
      else resolve(first.alert);
    }
  }
}

/** Only an error code of the database (five characters) proves that nothing was written. */
function mayHaveCommitted(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return !/^(22|23|40|42)[0-9A-Z]{3}$/.test(code);
}

const OUTCOME_UNKNOWN =
  'The database did not answer in time, so the alert may or may not be stored. Send it again with the same Idempotency-Key.';
