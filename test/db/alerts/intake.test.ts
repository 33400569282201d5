import { beforeEach, expect, it } from 'vitest';
import { type InsertedIds, insertAlerts, type NewAlert } from '../../../db/alerts/intake.js';
import type { Database } from '../../../db/client.js';
import { newUuid } from '../../../db/ids.js';
import { alertTypeKey } from '../../../domain/alert/alert.js';
import { asService } from '../../../services/context.js';
import { createOrganization } from '../../../services/organizations/create.js';
import { createProvider } from '../../../services/providers/create.js';
import { migratedDatabase } from '../support/database.js';

let database: Database;
let batch: NewAlert[];

const ORGANIZATIONS = ['NORTH', 'SOUTH'];
const PROVIDERS = ['siem', 'email-security'];
const TYPES = ['Odd sign-in', 'Reported phishing', 'Größe {,"NULL"} \\'];
const CONTENTS = ['plain', 'NULL', '', 'a "quote", a {brace}, a \\ and\na line\ttoo', 'Ω 🙂'];
const SOURCE_TIMES = [null, '1767225600', '9223372036854775807'];
const CREATORS = [
  { uuid: newUuid(), name: 'admin' },
  { uuid: newUuid(), name: 'sensor, "north"' },
];
const ROWS = 120;

beforeEach(async () => {
  const fresh = await migratedDatabase();
  ({ database } = fresh);
  const { db } = database;
  const organizations = await Promise.all(
    ORGANIZATIONS.map((code) => createOrganization(asService(db), { organization_code: code, name: code })),
  );
  const providers = await Promise.all(PROVIDERS.map((name) => createProvider(asService(db), name)));
  const nth = <Value>(values: readonly Value[], n: number): Value => {
    const value = values[n % values.length];
    if (value === undefined) throw new Error('there is none');
    return value;
  };
  // Divides by different primes, so that equal values are not adjacent.
  batch = Array.from({ length: ROWS }, (_, n): NewAlert => {
    const organization = nth(organizations, n);
    const provider = nth(providers, Math.floor(n / 3));
    const creator = nth(CREATORS, Math.floor(n / 7));
    const alertType = nth(TYPES, Math.floor(n / 5));
    return {
      alertUuid: newUuid(),
      organizationUuid: organization.organization_uuid,
      organizationCode: organization.organization_code,
      providerUuid: provider.provider_uuid,
      providerSegment: provider.segment,
      alertType,
      alertContent: nth(CONTENTS, n),
      createdAtSource: nth(SOURCE_TIMES, n),
      createdBy: creator.uuid,
      createdByName: creator.name,
      createdAt: 1_767_225_600 + (n % 2),
      idempotencyKey: null,
      bodyDigest: null,
    };
  });
});

const oneByOne = async () => {
  const ids: InsertedIds[] = [];
  for (const alert of batch) ids.push(await insertAlerts(database.pg, [alert]));
  return Object.assign({}, ...ids) as InsertedIds;
};
const withKeys = () =>
  insertAlerts(
    database.pg,
    batch.map((alert, n) => (n % 2 === 0 ? { ...alert, idempotencyKey: `key ${n}`, bodyDigest: 'digest' } : alert)),
  );
const together = () => insertAlerts(database.pg, batch);

it.each([
  ['together', together],
  ['together, half of them with a key', withKeys],
  ['one by one', oneByOne],
])('stores alerts inserted %s unchanged, with audit entries and numbers without gaps', async (_name, insert) => {
  const ids = await insert();
  const stored = await database.pg`
    select alert_uuid as "alertUuid", alert_id as "alertId", alerts.organization_uuid as "organizationUuid", provider_uuid as "providerUuid",
      alert_type as "alertType", alert_type_key as "alertTypeKey", alert_content as "alertContent", created_at_source::text as "createdAtSource",
      alerts.created_by as "createdBy", audit_log.principal_name as "createdByName", extract(epoch from created_at)::float8 as "createdAt"
    from alerts join audit_log on target = alert_id and action = 'alert.create' and principal_uuid = created_by and at = created_at
    where audit_log.organization_uuid = alerts.organization_uuid
    order by alert_uuid`;
  const given = batch.map(
    ({ organizationCode: _code, providerSegment: _segment, idempotencyKey: _key, bodyDigest: _digest, ...alert }) => ({
      ...alert,
      alertTypeKey: alertTypeKey(alert.alertType),
      alertId: ids[alert.alertUuid],
    }),
  );
  expect([...stored]).toEqual(given);

  const numbers = new Map<string, number[]>();
  for (const { alertUuid, organizationCode, providerSegment } of batch) {
    const prefix = `${organizationCode}-${providerSegment}-`;
    const id = ids[alertUuid] ?? '';
    expect(id.startsWith(prefix)).toBe(true);
    numbers.set(prefix, [...(numbers.get(prefix) ?? []), Number(id.slice(prefix.length))]);
  }
  expect(numbers.size).toBe(ORGANIZATIONS.length * PROVIDERS.length);
  for (const each of numbers.values()) expect(each.sort((a, b) => a - b)).toEqual(Array.from(each, (_, index) => index + 1));
});

it('writes one audit entry per alert, even when its principal has two names', async () => {
  const renamed = batch.map((alert, n) => ({ ...alert, createdByName: n % 2 === 0 ? alert.createdByName : 'a newer name' }));
  await insertAlerts(database.pg, renamed);
  const [{ entries } = { entries: 0 }] = await database.pg<{ entries: number }[]>`
    select count(*)::int as entries from audit_log where action = 'alert.create'`;
  expect(entries).toBe(ROWS);
});

it('continues the numbers of the first batch in a second one', async () => {
  const [first, second] = [batch.slice(0, ROWS / 2), batch.slice(ROWS / 2)];
  const ids = { ...(await insertAlerts(database.pg, first)), ...(await insertAlerts(database.pg, second)) };
  expect(new Set(Object.values(ids)).size).toBe(ROWS);
  const [{ highest } = { highest: 0 }] = await database.pg<
    { highest: number }[]
  >`select sum(last_number)::int as highest from alert_sequences`;
  expect(highest).toBe(ROWS);
});
