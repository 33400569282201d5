import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SkillSet } from '../../../activities/skills/perform-skill.js';
import { testConnection } from '../../../activities/skills/test-connection.js';
import { catalogue } from '../../../connectors/catalogue.js';
import { implementations } from '../../../connectors/implementations.js';
import type { ConnectorContract } from '../../../connectors/kit/define.js';
import { Egress } from '../../../connectors/kit/egress.js';
import { HttpClient } from '../../../connectors/kit/http.js';
import { startThirdParties, type ThirdParties } from '../../../connectors/stand-ins.js';
import { contextFor } from '../../support/third-parties.js';

let thirdParties: ThirdParties;
let httpClient: HttpClient;
let egress: Egress;

beforeAll(async () => {
  thirdParties = await startThirdParties();
  egress = new Egress({ allow: [...thirdParties.allow, 'localhost:1'], ca: thirdParties.caPem });
  httpClient = new HttpClient(egress);
});
afterAll(async () => {
  await httpClient.close();
  await thirdParties.stop();
});

const all: SkillSet['implementations'] = implementations;

function test(name: keyof typeof catalogue, more: Readonly<Record<string, unknown>> = {}) {
  const contract: ConnectorContract = catalogue[name];
  const implementation = all[name];
  if (!implementation) throw new Error(`${name} has no implementation`);
  const { settings, credentials } = thirdParties.connections[name];
  const context = contextFor(contract, thirdParties.standIns[name], { settings, credentials: { ...credentials, ...more } });
  const subject = { connectorKey: name, contract, implementation, connectionId: context.connection.id, organization: null };
  return testConnection(subject, { httpClient, egress }, new AbortController().signal, (call) => ({ ...context, ...call }));
}

describe('a connection test', () => {
  it.each([
    ['endpointDetection', 'Alert.ReadWrite.All'],
    ['incidentSource', 'Incident.Read.All'],
  ] as const)('of %s fails without the mandatory permission %s, although the credentials are valid', async (name, permission) => {
    const { identity } = thirdParties.standIns[name].state;
    const { roles } = identity;
    expect(await test(name)).toMatchObject({ ok: true, broken: false });
    identity.roles = roles.filter((role) => role !== permission);
    identity.tokens.clear();
    const report = await test(name);
    expect(report).toMatchObject({ ok: false, broken: false, credentials: { ok: true } });
    expect(report.summary).toContain(`Grant the mandatory permission ${permission}`);
    identity.roles = roles;
  });

  it('passes without a permission that is only recommended', async () => {
    const { identity } = thirdParties.standIns.endpointDetection.state;
    const { roles } = identity;
    identity.roles = roles.filter((role) => role !== 'Machine.LiveResponse');
    identity.tokens.clear();
    expect(await test('endpointDetection')).toMatchObject({
      ok: true,
      summary: expect.stringContaining('Not permitted: Run live response'),
    });
    identity.roles = roles;
  });

  it('of travelBooking fails without the booking API', async () => {
    const { state } = thirdParties.standIns.travelBooking;
    const { scope } = state;
    state.scope = 'users:read';
    expect(await test('travelBooking')).toMatchObject({ ok: false, summary: expect.stringContaining('bookings:read') });
    state.scope = scope;
  });

  it('covers the credentials of the event stream', async () => {
    const stream = { user_name: 'reader', queue_name: 'q', password: 'stream-password', host: 'localhost', port: '1' };
    const report = await test('malwareProtection', { stream });
    expect(report).toMatchObject({ ok: false, broken: false, credentials: { ok: true } });
    expect(report.hosts).toContainEqual(expect.objectContaining({ purpose: 'event stream', reachable: false }));
    expect(report.summary).toContain('The event stream cannot be read');
    expect(JSON.stringify(report)).not.toContain('stream-password');
    expect(await test('malwareProtection')).toMatchObject({ ok: true });
  });
});

it('is explained by the set-up at each third party', () => {
  const contracts: readonly ConnectorContract[] = Object.values(catalogue);
  for (const { kind, setup = [], skills, mandatoryPermissions = [] } of contracts) {
    expect(setup.length, kind).toBeGreaterThan(1);
    for (const permission of mandatoryPermissions)
      expect(
        Object.values(skills).map((skill) => skill.permission),
        kind,
      ).toContain(permission);
  }
  for (const { setup } of [catalogue.endpointDetection, catalogue.incidentSource])
    for (const topic of [/multitenant/, /resource/, /admin consent/, /licence/]) expect(setup.join(' ')).toMatch(topic);
});
