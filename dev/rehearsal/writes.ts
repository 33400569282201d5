import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import { createAuthority } from '../../connectors/kit/stand-in/stand-in.js';
import { startThirdParties, type ThirdParties } from '../../connectors/stand-ins.js';
import { findRepeated, readComments } from '../load/performed-writes.js';
import type { Environment } from '../processes/service-process.js';
import { until } from '../processes/waiting.js';

/** An organization of its own, so that the investigations of the other alerts ask no third party. */
const ORGANIZATION = 'WRITES';
/** Below the limit of writes in an hour. */
const MAX_WRITES = 25;
const WRITE_EVERY_MS = 1_000;
/** Shorter than the time until the next write to the same machine. */
const ACTION_SECONDS = 2;
const REPLY_LIMIT_MS = 90_000;
const FIRST_WRITE_LIMIT_MS = 60_000;
const Created = z.object({ connection_id: z.string() });

export interface Writes {
  /** The settings with which the service reaches the third party. */
  readonly env: Environment;
  /** Requests writes, one after another without waiting for the replies. */
  begin(apiUrl: string, adminKey: string): Promise<void>;
  /** Resolves when the third party performs a write that has not ended. */
  untilInProgress(): Promise<void>;
  /** Stops requesting. Resolves when each write has its reply. */
  end(): Promise<void>;
  /** All writes at the third party until now. */
  count(): { readonly performed: number; readonly repeated: readonly string[] };
  stop(): Promise<void>;
}

/** Isolates machines at the stand-in of a third party, which takes some seconds for each. */
export async function prepareWrites(folder: string, signal: AbortSignal): Promise<Writes> {
  const authority = await createAuthority();
  const thirdParties = await startThirdParties({ authority });
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, authority.caPem);
  const { state } = thirdParties.standIns.endpointDetection;
  state.actionSeconds = ACTION_SECONDS;
  const stopping = new AbortController();
  const stopped = AbortSignal.any([stopping.signal, signal]);
  const requests = new Set<Promise<unknown>>();
  let requesting: Promise<void> = Promise.resolve();

  return {
    env: { EGRESS_ALLOW: '127.0.0.0/8,::1/128', EGRESS_CA_FILE: caFile },
    async begin(apiUrl, adminKey) {
      const post = (place: string, body: unknown) => postJson({ apiUrl, adminKey, place, body, signal });
      const connectionId = await connect(post, thirdParties);
      const request = (count: number) => {
        const machine_id = COMPUTERS[count % COMPUTERS.length]?.machineId ?? '';
        const body = { input: { machine_id, comment: `rehearsed write ${count}` }, confirm: true };
        return post(`/platformapi/connections/${connectionId}/skills/isolate-machine`, body).catch(() => undefined);
      };
      requesting = (async () => {
        for (let count = 1; count <= MAX_WRITES && !stopped.aborted; count += 1) {
          requests.add(request(count));
          await sleep(WRITE_EVERY_MS, undefined, { signal: stopped }).catch(() => undefined);
        }
      })();
    },
    untilInProgress: () =>
      until(async () => ({ seen: state.actions.some(({ status }) => status === 'Pending'), instead: 'no write is in progress' }), {
        limitMs: FIRST_WRITE_LIMIT_MS,
        signal,
      }),
    async end() {
      stopping.abort();
      await requesting;
      await Promise.all(requests);
    },
    count: () => ({ performed: state.actions.length, repeated: findRepeated(readComments(state.actions)) }),
    stop: () => thirdParties.stop(),
  };
}

type Post = (place: string, body: unknown) => Promise<unknown>;

async function connect(post: Post, { connections }: ThirdParties): Promise<string> {
  await post('/platformapi/organizations', { organization_code: ORGANIZATION, name: 'Writes' });
  // One key requests the writes.
  const rule = { needs_second_person: false };
  const connection = { organization_code: ORGANIZATION, instance_name: 'Endpoints', ...rule, ...connections.endpointDetection };
  return Created.parse(await post('/platformapi/connections', connection)).connection_id;
}

async function postJson(given: { apiUrl: string; adminKey: string; place: string; body: unknown; signal: AbortSignal }): Promise<unknown> {
  const reply = await fetch(`${given.apiUrl}${given.place}`, {
    method: 'POST',
    headers: { cookie: `Session=${given.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(given.body),
    signal: AbortSignal.any([given.signal, AbortSignal.timeout(REPLY_LIMIT_MS)]),
  });
  if (!reply.ok) throw new Error(`POST ${given.place} returned ${reply.status}: ${await reply.text()}`);
  return await reply.json();
}
