import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import { createLogger } from '../../platform/log.js';
import type { Connection } from '../../services/connections/wire.js';
import type { TestService } from '../support/service.js';
import { dumpTables, readHistories } from '../support/stored-texts.js';
import { startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

const canaries: string[] = [];
const canary = () => {
  // Secrets of Entra contain `~`, which a form writes as `%7E`.
  const made = `canary~${randomBytes(12).toString('hex')}`;
  canaries.push(made);
  return made;
};
const said: string[] = [];
const logged: string[] = [];
let service: TestService;
let thirdParties: ThirdParties;
let stop: WithThirdParties['stop'];

beforeAll(async () => {
  const to = new Writable({
    write(line: Buffer, _encoding, done) {
      logged.push(line.toString());
      done();
    },
  });
  ({ service, thirdParties, stop } = await startWithThirdParties({
    env: { INVESTIGATION_MAX_RETRIES: '0' },
    log: createLogger('trace', 'test', { to }),
  }));
  const { endpointDetection, incidentSource, malwareProtection, vulnerabilityInvestigation, travelBooking, threatIntelligence } =
    thirdParties.standIns;
  endpointDetection.state.identity.clientSecret = canary();
  incidentSource.state.identity.clientSecret = canary();
  malwareProtection.state.apiKey = canary();
  vulnerabilityInvestigation.state.apiToken = canary();
  travelBooking.state.clientSecret = canary();
  threatIntelligence.state.apiKey = canary();
});
afterAll(() => stop?.());

async function ask<Body>(method: string, url: string, body?: unknown): Promise<Body> {
  const reply = await service.request<Body>(method, url, body === undefined ? {} : { body });
  said.push(JSON.stringify([reply.body, Object.fromEntries(reply.headers)]));
  return reply.body;
}

const toForm = (secret: string) => new URLSearchParams({ client_secret: secret }).toString();

/** Makes a third party repeat our secret in an error. */
function echoing(status: number, standIn: ThirdParties['standIns'][keyof ThirdParties['standIns']], secret: string): void {
  const echo = {
    error: { code: 'Echo', message: `you sent ${secret} and Bearer ${secret} in ${toForm(secret)}` },
    message: secret,
    errors: [{ message: secret }],
  };
  standIn.faults.next({ times: 1, status, body: echo });
}

/** Makes the token endpoint repeat the form of the request. */
function echoingForm(standIn: ThirdParties['standIns'][keyof ThirdParties['standIns']], secret: string): void {
  const body = { error: 'invalid_client', error_description: `The form was ${toForm(secret)}`, error_uri: toForm(secret) };
  standIn.faults.next({ times: 1, match: ({ url }) => url.includes('token'), status: 400, body });
}

it('leaves no secret in the database, the logs, the histories or the replies', async () => {
  const { standIns } = thirdParties;
  const state = {
    endpointDetection: standIns.endpointDetection.state.identity.clientSecret,
    incidentSource: standIns.incidentSource.state.identity.clientSecret,
    malwareProtection: standIns.malwareProtection.state.apiKey,
    vulnerabilityInvestigation: standIns.vulnerabilityInvestigation.state.apiToken,
    travelBooking: standIns.travelBooking.state.clientSecret,
    threatIntelligence: standIns.threatIntelligence.state.apiKey,
  };
  const secretField = {
    endpointDetection: 'client_secret',
    incidentSource: 'client_secret',
    malwareProtection: 'api_key',
    vulnerabilityInvestigation: 'api_token',
    travelBooking: 'client_secret',
    threatIntelligence: 'api_key',
  } as const;
  const cheapest = {
    endpointDetection: 'list-machines',
    incidentSource: 'list-incidents',
    malwareProtection: 'list-computers',
    vulnerabilityInvestigation: 'list-investigations',
    travelBooking: 'get-users',
    threatIntelligence: 'list-alerts',
  } as const;
  for (const name of Object.keys(cheapest) as (keyof typeof cheapest)[]) {
    const fields = thirdParties.connections[name];
    const field = secretField[name];
    const credentials = { ...fields.credentials, [field]: canary() };
    const create = { organization_code: 'DEMO', instance_name: name, needs_second_person: false, ...fields, credentials };
    // First a wrong secret, so that errors mention it, then the right one, then errors that repeat it.
    const { connection_id: id } = await ask<Connection>('POST', '/platformapi/connections', create);
    const url = `/platformapi/connections/${id}`;
    await ask('POST', `${url}/test`);
    await ask('POST', `${url}/skills/${cheapest[name]}`, { input: {} });
    await ask('POST', `${url}/reconnect`, { credentials: { [field]: state[name] } });
    await ask('POST', `${url}/skills/${cheapest[name]}`, { input: {} });
    for (const status of [400, 403, 500]) {
      echoing(status, standIns[name], state[name]);
      await ask('POST', `${url}/skills/${cheapest[name]}`, { input: {} });
      await ask('POST', `${url}/test`);
    }
    echoingForm(standIns[name], state[name]);
    await ask('POST', `${url}/test`);
    standIns[name].faults.clear();
    await ask('GET', url);
  }
  const malware = (await ask<{ items: Connection[] }>('GET', '/platformapi/connections')).items.find(
    (each) => each.connector === 'malware-protection',
  );
  await ask('POST', `/platformapi/connections/${malware?.connection_id}/skills/create-event-stream`, {
    input: { name: 'alerts' },
    confirm: true,
  });
  canaries.push(...standIns.malwareProtection.state.streams.map((stream) => stream.password));
  const endpoints = (await ask<{ items: Connection[] }>('GET', '/platformapi/connections')).items.find(
    (each) => each.connector === 'endpoint-detection',
  );
  await ask('POST', `/platformapi/connections/${endpoints?.connection_id}/skills/isolate-machine`, {
    input: { machine_id: COMPUTERS[0].machineId, comment: 'contain it' },
    confirm: true,
  });
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed enriching' });
  await service.waitForStatus(alertId, 15, 20);
  await ask('GET', `/platformapi/alerts/${alertId}`);
  await ask('GET', '/platformapi/audit');
  // Access tokens of the third parties are secrets too.
  for (const standIn of Object.values(standIns)) {
    for (const { headers } of standIn.requests) {
      const token = /^Bearer (.+)$/.exec(String(headers['authorization'] ?? ''))?.[1];
      if (token !== undefined && !canaries.includes(token)) canaries.push(token);
    }
  }
  expect(new Set(canaries).size).toBeGreaterThanOrEqual(20);

  const places = {
    replies: said.join('\n'),
    logs: logged.join('\n'),
    database: await dumpTables(service),
    histories: await readHistories(service),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(0);
    const found = canaries.flatMap((secret) => encodings(secret).filter((form) => text.includes(form)));
    expect(found, place).toEqual([]);
  }
});

function encodings(secret: string): string[] {
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  return [secret, form, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')];
}
