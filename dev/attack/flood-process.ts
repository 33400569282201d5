import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { FLOODS, FloodInput, LATE } from './floods.js';

const FLOOD_MS = 5_000;
const REQUEST_LIMIT_MS = 30_000;

/** A process of its own, so that its work does not delay the measurement. Prints how often each status came. */
// An attacker's own machine takes no processor time from the service.
setPriority(constants.priority.PRIORITY_LOW);
const input = FloodInput.parse(JSON.parse(await text(process.stdin)));
const flood = FLOODS.find(({ name }) => name === input.name);
if (flood === undefined) throw new Error(`There is no flood ${input.name}.`);
const { connections, requests = Number.POSITIVE_INFINITY } = flood;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const statuses: Record<string, number> = {};
const until = performance.now() + FLOOD_MS;
let sent = 0;

function sendOne(n: number): Promise<string> {
  const { method, path, headers, body } = flood?.build(input, n) ?? { method: 'GET', path: '/', headers: {} };
  return new Promise((resolve) => {
    const sending = request(`${input.url}${path}`, { method, agent, headers, timeout: REQUEST_LIMIT_MS }, (reply) => {
      reply.resume().on('end', () => resolve(String(reply.statusCode)));
      reply.on('error', () => resolve('broken'));
    });
    sending.on('timeout', () => {
      resolve(LATE);
      sending.destroy();
    });
    // The server can close the connection before it has read a large body.
    sending.on('error', () => resolve('closed'));
    sending.end(body);
  });
}

async function sendInTurn(): Promise<void> {
  while (sent < requests && performance.now() < until) {
    sent += 1;
    const status = await sendOne(sent);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

await Promise.all(Array.from({ length: connections }, sendInTurn));
agent.destroy();
process.stdout.write(JSON.stringify(statuses));
