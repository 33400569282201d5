import { condition, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import { CONNECTION_RESTORED, type ConnectionActivities, type ConnectionRestored } from '../../domain/connection/skill.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { escapeMarkdown } from '../../domain/text.js';
import { patched } from './patched.js';

const restoredSignal = defineSignal<[ConnectionRestored]>(CONNECTION_RESTORED);

interface BrokenConnection {
  readonly connectionId: string;
  readonly instanceName: string;
  readonly reconnectWaitSeconds: number;
  readonly generation: number;
  readonly alertId: string | null;
  readonly skillKey: SkillKey;
  readonly skillId: string;
  readonly reason: string;
}

/** Waits until a person reconnects a broken connection. One instance serves all calls of a workflow. */
export class ConnectionWaiter {
  readonly #bookkeeping: ConnectionActivities;
  readonly #restoredGenerations = new Map<string, number>();
  readonly #waitedInVain = new Set<string>();

  constructor(bookkeeping: ConnectionActivities) {
    this.#bookkeeping = bookkeeping;
    setHandler(restoredSignal, ({ connectionId, generation }) => {
      this.#restoredGenerations.set(connectionId, Math.max(generation, this.#restoredGenerations.get(connectionId) ?? 0));
    });
  }

  /** Returns false if the connection is not restored within `reconnectWaitSeconds`. Later questions do not wait again. */
  async waitForReconnect(broken: BrokenConnection): Promise<boolean> {
    const { connectionId, instanceName, reconnectWaitSeconds, generation, alertId, skillKey, skillId, reason } = broken;
    if (this.#waitedInVain.has(connectionId) && patched('one-reconnect-wait')) return false;
    const { workflowId } = workflowInfo();
    const untilSeconds = Math.floor(Date.now() / 1000) + reconnectWaitSeconds;
    const isParked = await this.#bookkeeping.parkOnConnection({
      connectionId,
      generation,
      workflowId,
      alertId,
      skillKey,
      skillId,
      reason,
      untilSeconds,
    });
    if (!isParked) return true;
    const isRestored = () => (this.#restoredGenerations.get(connectionId) ?? 0) > generation;
    const restored = await condition(isRestored, reconnectWaitSeconds * 1000, {
      summary: `Waiting for ${escapeMarkdown(instanceName)} to be reconnected`,
    });
    if (restored) return true;
    this.#waitedInVain.add(connectionId);
    await this.#bookkeeping.leaveConnection({ connectionId, workflowId });
    return false;
  }
}
