import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { createRecordActivities } from '../../activities/third-parties/records.js';
import { catalogue } from '../../connectors/catalogue.js';
import { implementations } from '../../connectors/implementations.js';
import { Egress } from '../../connectors/kit/egress.js';
import { HttpClient } from '../../connectors/kit/http.js';
import { INDICATORS } from '../../connectors/kit/stand-in/company.js';
import type { RecordAnswer } from '../../domain/record/record.js';
import { createMetrics } from '../../platform/metrics.js';
import { agent, callAs, claimAs, connectionId, count, service, setUpAgents, stops } from './support/agents.js';

setUpAgents();

describe('the records of a routed connection', () => {
  const { maliciousIp } = INDICATORS;

  /** Searches as a worker does that cannot reach the third party. */
  async function search() {
    const { pg, db } = service.database;
    const httpClient = new HttpClient(new Egress({ allow: [], ca: null }));
    stops.push(() => httpClient.close());
    const deps = { pg, db, httpClient, keyring: service.keyring, metrics: createMetrics() };
    const { searchRecords } = createRecordActivities({ catalogue, implementations }, deps);
    const { alert_id: alertId } = await service.sendAlert();
    const question = { alertId, values: [maliciousIp], around: Date.now() / 1000 };
    const answer: RecordAnswer = await new MockActivityEnvironment().run(searchRecords, question);
    const { matches, problems } = answer;
    const isOwn = ({ connection }: { connection: string }) => connection === `endpoints ${count}`;
    return { matches: matches.filter(isOwn), problems: problems.filter(isOwn) };
  }
  const countSteps = async () => (await service.database.pg`select from agent_steps where connection_uuid = ${connectionId}`).length;

  it('are a gap at once while the agent is away', async () => {
    const { problems } = await search();
    expect(problems).toHaveLength(2);
    for (const problem of problems)
      expect(problem).toMatchObject({ isTemporary: true, code: 'Unavailable', reason: expect.stringMatching(/remote agent .* is away/) });
    expect(await countSteps()).toBe(0);
  });

  it('are a gap if the version of the agent does not know the list', async () => {
    await callAs(agent.token, `/steps/${randomUUID()}/heartbeat`, { claim: '1' });
    const searched = search();
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
