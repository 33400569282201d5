import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../connectors/catalogue.js';
import { isPortFree } from '../../local/ports.js';
import { ago } from '../support/rows.js';
import { seedAlerts } from '../support/seeded-lists.js';
import { openDatabase } from './support/database.js';
import { freePorts, start } from './support/npm-start.js';
import { serversIn, temporaryFolder } from './support/scripts.js';

/** The alerts arrive within a minute, and each question costs CPU time. */
const SOON = { timeout: 300_000, interval: 1_000 };
const KINDS = Object.values(catalogue).map(({ kind }) => kind);

const Alerts = z.object({
  items: z.array(
    z.object({
      alert_id: z.string(),
      alert_type: z.string(),
      investigation_status: z.number(),
      case_id: z.string().nullable(),
      severity: z.string().nullable(),
    }),
  ),
});
const Connections = z.object({
  items: z.array(
    z.object({
      connection_id: z.string(),
      connector: z.string(),
      description: z.string(),
      state: z.string(),
      settings: z.record(z.string(), z.unknown()),
    }),
  ),
});
const Report = z.object({ ok: z.boolean(), hosts: z.array(z.object({ host: z.string().nullable() })) });

function createClient(port: string, key: string) {
  return async <Schema extends z.ZodType>(schema: Schema, method: string, place: string): Promise<z.output<Schema>> => {
    const url = `http://127.0.0.1:${port}/platformapi/${place}`;
    return schema.parse(await (await fetch(url, { method, headers: { cookie: `Session=${key}` } })).json());
  };
}

/** More than a page of newer alerts, investigated already. A second start must still find the alerts of the demo. */
async function storeNoise(folder: string): Promise<void> {
  const noise = { organization: 'HARBOUR', provider: 'siem', type: 'Noise', content: 'nothing to see', status: 15, createdAt: ago({}) };
  expect(await seedAlerts({ database: { pg: openDatabase(folder) } }, Array(220).fill(noise))).toHaveLength(220);
}

test('the demo creates a company with six working connections, and nothing twice', { timeout: 600_000 }, async () => {
  const folder = await temporaryFolder('.data-demo');
  const ports = await freePorts();
  // Without DATA_DIR, the demo uses the folder of this name in the working directory.
  const first = start(path.dirname(folder), { ...ports, DATA_DIR: '' }, 'demo');
  await first.waitFor(/Harbour & Reed \(HARBOUR\): 6 of 6 connections to stand-ins work, 9 alerts arrive within the next minute/);
  const [, key = ''] = await first.waitFor(/Admin API key\s+(ai_\S+) {2}\(stored in .*\/.data-demo\/admin-key\)/);
  const ask = createClient(ports.PORT, key);

  const investigated = await vi.waitFor(async () => {
    const { items } = await ask(Alerts, 'GET', 'alerts?organization_code=HARBOUR');
    expect(items).toHaveLength(9);
    for (const alert of items) expect(alert).toMatchObject({ investigation_status: 15, case_id: expect.stringMatching(/^HARBOUR-CASE-/) });
    return items;
  }, SOON);
  expect(new Set(investigated.map(({ alert_type }) => alert_type)).size).toBe(8);
  expect(new Set(investigated.map(({ severity }) => severity)).size).toBe(5);

  const connections = await ask(Connections, 'GET', 'connections?organization_code=HARBOUR');
  expect(connections.items.map(({ connector }) => connector).sort()).toEqual(KINDS.toSorted());
  // The description contains everything that a user needs to connect the stand-in again.
  const intelligence = connections.items.find(({ connector }) => connector === 'threat-intelligence');
  expect(intelligence?.description).toBe(
    `A stand-in on this machine. To connect it yourself: API host ${intelligence?.settings['api_host']}, API Key intelligence-key`,
  );
  const standInPorts: number[] = [];
  for (const { connection_id, state } of connections.items) {
    expect(state).toBe('working');
    const report = await ask(Report, 'POST', `connections/${connection_id}/test`);
    expect(report.ok).toBe(true);
    standInPorts.push(...report.hosts.flatMap(({ host }) => (host === null ? [] : [Number(host.split(':')[1])])));
  }
  expect(new Set(standInPorts).size).toBe(6);

  await storeNoise(folder);

  first.process.kill('SIGINT');
  expect(await first.ended).toBe(0);
  for (const port of [...standInPorts, ...Object.values(ports)]) expect(await isPortFree(Number(port))).toBe(true);
  expect(await serversIn(folder)).toEqual([]);
  expect(existsSync(path.join(folder, 'running'))).toBe(false);

  const second = start(folder, ports, 'demo');
  await second.waitFor(/6 of 6 connections to stand-ins work, all alerts exist from an earlier start/);
  await second.waitFor(new RegExp(`Admin API key\\s+${key} `));
  const again = await ask(Connections, 'GET', 'connections');
  expect(again.items.map(({ connection_id }) => connection_id)).toEqual(connections.items.map(({ connection_id }) => connection_id));
  for (const { state } of again.items) expect(state).toBe('working');
  for (const type of new Set(investigated.map(({ alert_type }) => alert_type))) {
    const { items } = await ask(Alerts, 'GET', `alerts?alert_type=${encodeURIComponent(type)}`);
    expect(items).toEqual(investigated.filter(({ alert_type }) => alert_type === type));
  }
  second.process.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  for (const port of Object.values(ports)) expect(await isPortFree(Number(port))).toBe(true);
  expect(await serversIn(folder)).toEqual([]);
});
