import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { createOrganization } from '../../db/organizations.js';
import { findOrCreatePlaybook, listPlaybooks, registerWrittenPlaybooks } from '../../db/playbooks.js';
import { planFor } from '../../domain/planner.js';
import { GENERATED_WORKFLOW_TYPE, Plan } from '../../domain/playbook.js';
import { emptyDatabase } from './support/database.js';

let database: Database;
let north: string;
let south: string;

beforeEach(async () => {
  const fresh = await emptyDatabase();
  ({ database } = fresh);
  await migrate(fresh.url);
  north = (await createOrganization(database.db, null, { organization_code: 'NORTH', name: 'North' })).organization_uuid;
  south = (await createOrganization(database.db, null, { organization_code: 'SOUTH', name: 'South' })).organization_uuid;
});

const find = (organization: string, alertType: string) =>
  findOrCreatePlaybook(database.sql, organization, alertType, (type) => planFor(type, []));
const all = async (scope: string | null = null) => (await listPlaybooks(database.db, scope, { limit: 100, after: null })).items;

describe('an alert type without a playbook', () => {
  it('gets one with a stored plan, and keeps it', async () => {
    const made = await find(north, '  Strange  Beacon ');
    expect(made).toMatchObject({ name: 'Strange  Beacon', workflowType: GENERATED_WORKFLOW_TYPE });
    const [stored] = await all();
    expect(stored).toMatchObject({
      playbook_id: made.playbookUuid,
      origin: 'generated',
      organization_code: 'NORTH',
      alert_types: ['  Strange  Beacon '],
      version: 1,
    });
    Plan.parse(stored?.plan);
    expect(stored?.plan?.steps.map((step) => step.do)).toEqual(['extract-indicators', 'correlate', 'summarise']);
    expect(await find(north, 'strange BEACON')).toEqual(made);
    expect(await all()).toHaveLength(1);
  });

  it('gets one, not two, when twenty ask at the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => find(north, index % 2 === 0 ? 'New type' : 'NEW  type')));
    expect(new Set(made.map(({ playbookUuid }) => playbookUuid)).size).toBe(1);
    expect(await all()).toHaveLength(1);
    expect(await database.sql`select target from audit_log where action = 'playbook.create'`).toEqual([{ target: made[0]?.playbookUuid }]);
  });

  it('gets one in each organization, which sees its own alone', async () => {
    const [one, other] = [await find(north, 'Shared name'), await find(south, 'Shared name')];
    expect(one.playbookUuid).not.toBe(other.playbookUuid);
    expect((await all(north)).map((playbook) => playbook.playbook_id)).toEqual([one.playbookUuid]);
    expect(await all()).toHaveLength(2);
  });

  it('may be as long as a type may be', async () => {
    for (const alertType of ['t'.repeat(200), '\u{1F600}'.repeat(100), 'ﷺ'.repeat(200)]) {
      const made = await find(north, alertType);
      Plan.parse((await all()).find((playbook) => playbook.playbook_id === made.playbookUuid)?.plan);
      expect(await find(north, alertType)).toEqual(made);
    }
  });
});

describe('a written playbook', () => {
  const phishing = { name: 'reportedPhishing', alertTypes: ['Reported phishing', 'Phishing report'] };

  it('takes its alert types in every organization, also where one was generated before', async () => {
    const generated = await find(north, 'reported PHISHING');
    await registerWrittenPlaybooks(database.db, [phishing]);
    for (const organization of [north, south])
      expect(await find(organization, 'Reported  phishing')).toMatchObject({ name: 'reportedPhishing', workflowType: 'reportedPhishing' });
    const listed = await all(south);
    expect(listed).toMatchObject([
      { origin: 'written', organization_code: null, plan: null, alert_types: expect.arrayContaining(phishing.alertTypes) },
    ]);
    expect((await all()).map((playbook) => playbook.playbook_id)).toContain(generated.playbookUuid);
  });

  it('keeps its id over restarts, also when five workers start at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => registerWrittenPlaybooks(database.db, [phishing])));
    const [before] = await all();
    await registerWrittenPlaybooks(database.db, [phishing]);
    expect(await all()).toEqual([before]);
  });

  it('that the worker no longer carries takes no more alerts', async () => {
    await registerWrittenPlaybooks(database.db, [phishing]);
    await registerWrittenPlaybooks(database.db, []);
    expect(await find(north, 'Reported phishing')).toMatchObject({ workflowType: GENERATED_WORKFLOW_TYPE });
  });
});
