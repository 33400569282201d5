import { describe, expect, it } from 'vitest';
import { findSharedEntities } from '../../../db/alerts/correlation.js';
import { nowSeconds } from '../../../db/columns.js';
import { saveProvenNames } from '../../../db/entities/names.js';
import { newUuid } from '../../../db/ids.js';
import { isFrequent } from '../../../domain/investigation/investigation.js';
import { rejectSuggestion } from '../../../services/knowledge/reject-suggestion.js';
import { idleContext } from '../../support/service-context.js';
import { dana, database, KINDS, know, linked, organization, related, setUpCorrelation, store } from './support/correlation.js';

setUpCorrelation();

const shared = (alertId: string) => findSharedEntities(database.pg, { alertId, kinds: KINDS, sinceSeconds: nowSeconds() - 24 * 3600 });

describe('shared entities', () => {
  it('are listed with the number of alerts that contain them, the rarest first', async () => {
    await store('A-1', 'domain often.example', 'ip 203.0.113.1');
    await store('A-2', 'domain often.example');
    await store('A-3', 'ip 203.0.113.2');
    await store('A-4', 'domain often.example', 'ip 203.0.113.1', 'ip 203.0.113.9');
    expect(await shared('A-4')).toEqual([
      { kind: 'ip', value: '203.0.113.1', alertCount: 1, alertIds: ['A-1'], alertsOfWindow: 3 },
      { kind: 'domain', value: 'often.example', alertCount: 2, alertIds: ['A-2', 'A-1'], alertsOfWindow: 3 },
    ]);
  });

  it('leave out what belongs to the organization', async () => {
    await store('A-1', 'domain north.example', 'ip 10.1.1.1', 'host pc1.north.example', 'ip 203.0.113.1');
    await store('A-2', 'domain north.example', 'ip 10.1.1.1', 'host pc1.north.example', 'ip 203.0.113.1');
    expect(await shared('A-2')).toHaveLength(4);
    await know('domain', 'north.example');
    await know('network', '10.0.0.0/8');
    expect((await shared('A-2')).map(({ value }) => value)).toEqual(['203.0.113.1']);
  });

  it('are frequent if a large share of many alerts contains them', () => {
    const frequent = (alertCount: number, alertsOfWindow?: number) =>
      isFrequent({ kind: 'ip', value: 'x', alertCount, alertIds: [], ...(alertsOfWindow === undefined ? {} : { alertsOfWindow }) });
    expect(frequent(20, 100)).toBe(true);
    expect(frequent(1000, 1000)).toBe(true);
    expect(frequent(19, 20)).toBe(false);
    expect(frequent(20, 101)).toBe(false);
    expect(frequent(100)).toBe(false);
  });
});

describe('one host or account in several spellings', () => {
  const prove = (family: 'host' | 'account', short: string, full: string) =>
    saveProvenNames(database.pg, organization, [{ family, short, full }]);
  const shares = async (alertUuid: string) =>
    (await linked(alertUuid)).map((alert) => `${alert.alert_id}: ${alert.shares.map(({ kind, value }) => `${kind} ${value}`).join(', ')}`);

  it('links and counts alerts as one if something proves the name', async () => {
    await store('A-1', 'host pc1.north.example');
    const short = await store('A-2', 'host pc1', 'host pc1.north.example');
    const last = await store('A-3', 'host pc1');
    expect([await shared('A-3'), await linked(last)]).toMatchObject([[{ alertCount: 1, alertIds: ['A-2'] }], [{ alert_id: 'A-2' }]]);
    await prove('host', 'pc1', 'pc1.north.example');
    expect(await shared('A-3')).toEqual([
      { kind: 'host', value: 'pc1.north.example', alertCount: 2, alertIds: ['A-2', 'A-1'], alertsOfWindow: 2 },
    ]);
    expect(await shares(last)).toEqual(['A-2: host pc1.north.example', 'A-1: host pc1.north.example']);
    expect(await shares(short)).toEqual(['A-3: host pc1.north.example', 'A-1: host pc1.north.example']);
  });

  it('never links two full names, and no short name that can mean two', async () => {
    await know('domain', 'north.example');
    await know('domain', 'south.example');
    await store('NORTH', 'host pc1.north.example');
    const mine = await store('MINE', 'host pc1');
    expect(await shares(mine)).toEqual(['NORTH: host pc1.north.example']);
    const south = await store('SOUTH', 'host pc1.south.example');
    expect([await linked(mine), await linked(south)]).toEqual([[], []]);
    await prove('host', 'pc1', 'pc1.south.example');
    expect([await linked(mine), await linked(south)]).toEqual([[], []]);
  });

  it('links an account by its address and its names, where a record or the own domain proves them', async () => {
    await store('MAIL', 'email dana@north.example');
    await store('UPN', 'user dana@north.example');
    await store('SAM', 'user north\\dana');
    await store('OTHER', 'user south\\dana');
    const mine = await store('MINE', 'user dana');
    expect(await linked(mine)).toEqual([]);
    await prove('account', 'dana', 'dana@north.example');
    expect((await linked(mine)).map(({ alert_id }) => alert_id)).toEqual(['UPN', 'MAIL']);
    await know('domain', 'north.example');
    expect(await shares(mine)).toEqual(['SAM', 'UPN', 'MAIL'].map((id) => `${id}: email dana@north.example`));
  });

  it('counts an alert with two spellings once', async () => {
    await prove('host', 'pc1', 'pc1.north.example');
    await store('A-1', 'host pc1', 'host pc1.north.example');
    const mine = await store('A-2', 'host pc1', 'host pc1.north.example');
    expect(await shared('A-2')).toMatchObject([{ value: 'pc1.north.example', alertCount: 1, alertIds: ['A-1'] }]);
    expect(await shares(mine)).toEqual(['A-1: host pc1.north.example']);
  });
});

describe('linked alerts', () => {
  it('come in the order of the weight of what they share: a rare entity weighs more than frequent ones', async () => {
    for (let n = 0; n < 30; n += 1) await store(`N-${n}`, 'domain common-a.example', 'domain common-b.example');
    await store('RARE', 'ip 203.0.113.1');
    const mine = await store('MINE', 'domain common-a.example', 'domain common-b.example', 'ip 203.0.113.1');
    const [first, ...others] = await linked(mine);
    expect(first).toMatchObject({ alert_id: 'RARE', shares: [{ kind: 'ip', value: '203.0.113.1' }] });
    expect(others).toHaveLength(30);
  });

  it('are counted also where only the first 50 are returned', async () => {
    for (let n = 0; n < 60; n += 1) await store(`N-${n}`, 'domain shared.example');
    const found = await related(await store('MINE', 'domain shared.example'));
    expect(found.linked).toHaveLength(50);
    expect(found.count).toBe(60);
  });

  it('do not rest on the domain of a machine that the own platform answered, unless an admin rejected it', async () => {
    await store('OTHER', 'domain north.example', 'host pc2.north.example');
    const mine = await store('MINE', 'domain north.example', 'host pc1.north.example');
    expect((await linked(mine)).map(({ alert_id }) => alert_id)).toEqual(['OTHER']);
    await database.pg`
      insert into skill_results (result_uuid, organization_uuid, connection_uuid, connector_kind, skill_key, skill_id, alert_uuid, status, input,
        output, request_digest, started_at)
      values (${newUuid()}, ${organization}, ${newUuid()}, 'endpoint-detection', 'endpointDetection.getMachine', 'Get machine', ${mine}, 'done',
        '{}', '{"computerDnsName": "pc1.north.example"}', 'x', now())`;
    expect(await linked(mine)).toEqual([]);
    await rejectSuggestion({ ...idleContext({ database }), by: dana }, 'NORTH', { kind: 'domain', value: 'north.example', note: '' });
    expect((await linked(mine)).map(({ alert_id }) => alert_id)).toEqual(['OTHER']);
  });

  it('do not rest on what all of the organization share, but on its single computers', async () => {
    await know('domain', 'north.example');
    await know('syslog-relay', '10.0.0.5');
    await store('RELAY', 'ip 10.0.0.5', 'domain north.example');
    await store('HOST', 'host pc1.north.example', 'email dana@north.example');
    const mine = await store('MINE', 'ip 10.0.0.5', 'domain north.example', 'host pc1.north.example', 'email dana@north.example');
    expect((await linked(mine)).map(({ alert_id, shares }) => `${alert_id}: ${shares.map(({ value }) => value).join(', ')}`)).toEqual([
      'HOST: dana@north.example, pc1.north.example',
    ]);
  });
});
