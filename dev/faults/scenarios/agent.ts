import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { standIn as definition, type EndpointDetectionStandInState } from '../../../connectors/endpoint-detection/stand-in.js';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { type RecordedRequest, type StandIn, startStandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { type ServiceProcess, startServiceProcess } from '../../processes/service-process.js';
import { until } from '../../processes/waiting.js';
import type { Installation } from '../installation.js';
import { between } from '../random.js';
import type { Scenario } from '../scenario.js';

/** The third party performs it late, when the agent is already dead. */
const LATE_MS = 8_000;
const LONGEST_PAUSE_MS = 1_000;
const SENT_LIMIT_MS = 60_000;
/** A step changes agents after a minute, and a lost write settles for a minute before it is sent again. */
const ENDED_LIMIT_MS = 300_000;
const Created = z.object({ agent_id: z.string(), token: z.string() });

const isIsolate = ({ url }: RecordedRequest) => url.endsWith('/isolate');

/** Kills an agent while writes are at the third party: some performed without a reply, some not performed yet. */
export const agent: Scenario = {
  part: 'agent',
  name: 'kill -9 of a remote agent during writes',
  async run({ installation, load, random, signal, say }) {
    const standIn = await startStandIn({ authority: installation.authority, define: definition.define });
    installation.onClose(() => standIn.stop());
    installation.endpoints.push(standIn);
    standIn.state.actionSeconds = 0;
    const { agent_id: agentId, token } = Created.parse(
      (await installation.request('POST', '/platformapi/remote-agents', { organization_code: installation.organization, name: 'Plant' }))
        .body,
    );
    // The fault run has no second person.
    await installation.pg`update remote_agents set confirmed_at = now() where agent_uuid = ${agentId}`;
    const connectionId = await installation.connect({
      instance_name: 'Plant endpoints',
      connector: 'endpoint-detection',
      remote_agent: agentId,
      ...definition.connection(standIn.url, standIn.state),
    });

    const first = startAgent(installation, token);
    for (const [index] of COMPUTERS.entries())
      standIn.faults.next({ match: isIsolate, ...(index % 2 === 0 ? { performed: true, drip: true } : { latencyMs: LATE_MS }) });
    const began = Date.now();
    for (const { machineId } of COMPUTERS) void load.write(connectionId, machineId);
    await until(
      async () => {
        const count = standIn.requests.filter(isIsolate).length;
        return { seen: count === COMPUTERS.length, instead: `${count} of ${COMPUTERS.length} writes reached the third party` };
      },
      { limitMs: SENT_LIMIT_MS, signal },
    );
    await sleep(between(random, 0, LONGEST_PAUSE_MS), undefined, { signal });
    await first.kill();
    say('killed the agent');
    startAgent(installation, token);
    const problems = await findUnended(installation, standIn, connectionId, signal);
    const seconds = Math.round((Date.now() - began) / 1_000);
    return { faults: 1, problems, notes: [`${COMPUTERS.length} writes were in flight, and all had an end after ${seconds} s`] };
  },
};

function startAgent(installation: Installation, token: string): ServiceProcess {
  const env = { AGENT_API_URL: installation.apiUrl, AGENT_TOKEN: token, ...installation.egress };
  const started = startServiceProcess({ name: 'agent', command: 'agent', port: 0, env, folder: installation.folder });
  installation.onClose(async () => void (await started.stop()));
  return started;
}

async function findUnended(
  { pg }: Installation,
  { state }: StandIn<EndpointDetectionStandInState>,
  connectionId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const read = () => pg<{ state: string; is_ended: boolean }[]>`
    select state, ended_at is not null as is_ended from proposals where connection_uuid = ${connectionId}`;
  await until(
    async () => {
      const running = (await read()).filter((write) => !write.is_ended).length;
      return { seen: running === 0, instead: `${running} writes of the agent have no end` };
    },
    { limitMs: ENDED_LIMIT_MS, signal },
  );
  const done = (await read()).filter((write) => write.state === 'done').length;
  const missing = done === COMPUTERS.length ? [] : [`${done} of ${COMPUTERS.length} writes of the agent are done`];
  const extra = state.actions.length === done ? [] : [`the third party has ${state.actions.length} actions for ${done} writes`];
  return [...missing, ...extra];
}
