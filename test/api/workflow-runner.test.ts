import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { WorkflowRunner } from '../../api/workflow-runner.js';

describe('a Temporal server that has not our namespace', () => {
  let connection: Connection;
  let runner: WorkflowRunner;
  beforeAll(() => {
    connection = Connection.lazy({ address: inject('temporalAddress') });
    runner = new WorkflowRunner(connection, { TEMPORAL_NAMESPACE: 'nobody-made-it', TEMPORAL_TASK_QUEUE: 'x' });
  });
  afterAll(() => connection.close());

  it('wakes nobody, and nobody is told of an error: what they are woken for is written down', async () => {
    await expect(runner.signal(['proposal-1', 'proposal-2'], 'proposalChanged')).resolves.toBeUndefined();
    await expect(runner.replace('proposal', { workflowId: 'proposal-1', args: [] })).resolves.toBeUndefined();
  });

  it('is said to be away to whoever waits for an answer', async () => {
    const asked = runner.run({ type: 'runSkill', workflowId: 'skill-1', input: {}, summary: 'x', waitMs: 1000 });
    await expect(asked).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
  });
});
