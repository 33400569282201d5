import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { expect, test, vi } from 'vitest';
import { sendSignal } from '../../local/processes.js';
import { openDatabase } from './support/database.js';
import { createClient, freePorts, start } from './support/npm-start.js';
import { serversIn, temporaryFolder } from './support/scripts.js';

const ALERTS = 240;
const SENDERS = 20;
const FIRST_WAVE = 100;
const KILL_AFTER = 120;
const COMPLETED = 15;
const FAILED = 20;
const ADMIN_API_KEY = 'admin-of-the-crash-test-0123456789';

interface StoredAlert {
  readonly alert_id: string;
  readonly alert_content: string;
  readonly investigation_status: number;
  /** The number of cases that contain the alert, and the number that it opened. */
  readonly in_cases: number;
  readonly opened_cases: number;
}

const storedAlerts = (pg: postgres.Sql) => pg<StoredAlert[]>`
  select alert_id, alert_content, investigation_status,
    (select count(*)::int from case_alerts where case_alerts.alert_uuid = alerts.alert_uuid) as in_cases,
    (select count(*)::int from cases where cases.alert_uuid = alerts.alert_uuid) as opened_cases
  from alerts`;

/** Sends all alerts, without retries, and calls back with the number of acknowledged alerts. */
async function sendBurst(send: (number: number) => Promise<string>, onAnswer: (answers: number) => void): Promise<string[]> {
  const acknowledged: string[] = [];
  let next = 0;
  const sender = async () => {
    while (next < ALERTS) {
      const number = next++;
      // An alert without an acknowledgement may be lost. The sender does not send it again.
      const alertId = await send(number).catch(() => null);
      if (alertId === null) continue;
      acknowledged.push(alertId);
      onAnswer(acknowledged.length);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return acknowledged;
}

test('every acknowledged alert is investigated with exactly one case after a SIGKILL of all processes during a burst', {
  timeout: 420_000,
}, async () => {
  const folder = await temporaryFolder();
  const settings = { ...(await freePorts()), ADMIN_API_KEY };
  const first = start(folder, settings);
  await first.waitFor(/No data is lost/);
  const servers = await serversIn(folder);
  expect(servers.map(({ name }) => name)).toEqual(['Postgres', 'Temporal']);

  const pg = openDatabase(folder);
  // The other alerts wait for the first verdict, so that the kill interrupts alerts of every status.
  let firstVerdict: Promise<void> | undefined;
  const untilFirstVerdict = async () => {
    while (!(await storedAlerts(pg)).some((alert) => alert.investigation_status === COMPLETED)) await sleep(20);
  };
  const api = createClient(settings.PORT, ADMIN_API_KEY);
  const acknowledged = await sendBurst(
    async (number) => {
      if (number >= FIRST_WAVE) firstVerdict ??= untilFirstVerdict();
      await firstVerdict;
      const type = number % 2 === 0 ? 'Reported phishing' : 'Odd sign-in';
      return await api.sendAlert({ alert_type: type, alert_content: `alert ${number} from 203.0.113.7` });
    },
    (answers) => {
      if (answers !== KILL_AFTER) return;
      first.process.kill('SIGKILL');
      for (const { pid } of servers) sendSignal(pid, 'SIGKILL');
    },
  );
  expect(await first.ended).toBe('SIGKILL');
  await vi.waitFor(async () => expect(await serversIn(folder)).toEqual([]), { timeout: 60_000 });
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILL_AFTER);
  expect(acknowledged.length).toBeLessThan(ALERTS);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);

  const second = start(folder, settings);
  await second.waitFor(/No data is lost/);
  // Includes the alerts that were committed but not acknowledged.
  let stored = await storedAlerts(pg);
  while (stored.some((alert) => ![COMPLETED, FAILED].includes(alert.investigation_status))) {
    await sleep(500);
    stored = await storedAlerts(pg);
  }
  expect(acknowledged.filter((alertId) => !stored.some((alert) => alert.alert_id === alertId))).toEqual([]);
  expect(new Set(stored.map((alert) => alert.alert_id)).size).toBe(stored.length);
  expect(new Set(stored.map((alert) => alert.alert_content)).size).toBe(stored.length);
  expect(stored.filter((alert) => alert.in_cases !== 1 || alert.opened_cases !== 1)).toEqual([]);
  second.process.kill('SIGINT');
  expect(await second.ended).toBe(0);
});
