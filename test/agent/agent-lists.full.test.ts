import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { agent, callAs, claimAs, countSteps, searchRecords, setUpAgents } from './support/agents.js';

setUpAgents();

describe('the records of a routed connection', () => {
  it('are a gap at once while the agent is away', async () => {
    const { problems } = await searchRecords();
    expect(problems).toHaveLength(2);
    for (const problem of problems)
      expect(problem).toMatchObject({ isTemporary: true, code: 'Unavailable', reason: expect.stringMatching(/remote agent .* is away/) });
    expect(await countSteps()).toBe(0);
  });

  it('are a gap if the version of the agent does not know the list', async () => {
    await callAs(agent.token, `/steps/${randomUUID()}/heartbeat`, { claim: '1' });
    const searched = searchRecords();
    for (let n = 0; n < 2; n += 1) {
      const { step_id, claim, mode } = await claimAs(agent.token);
      expect(mode).toBe('perform');
      const error = {
        code: 'BadRequest',
        message: 'not supported',
        status: null,
        resolution: null,
        retryAfterSeconds: null,
        mayHaveHappened: false,
      };
      expect((await callAs(agent.token, `/steps/${step_id}/report`, { outcome: 'failed', claim, error })).status).toBe(204);
    }
    expect((await searched).problems).toMatchObject([
      { isTemporary: false, reason: 'not supported' },
      { isTemporary: false, reason: 'not supported' },
    ]);
  });
});
