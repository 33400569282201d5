import { beforeEach, describe, expect, it } from 'vitest';
import { findOrCreatePlaybook } from '../../../api/dispatch/find-or-create-playbook.js';
import type { Database } from '../../../db/client.js';
import { createOrganization } from '../../../db/identity/organizations.js';
import { editPlan, findPlan, listPlanVersions, listPlaybooks, pinPlan, registerWrittenPlaybooks } from '../../../db/playbooks/playbooks.js';
import type { Principal } from '../../../domain/identity/identity.js';
import { type Planner, planFor } from '../../../domain/playbook/planner.js';
import { GENERATED_WORKFLOW_TYPE, Plan } from '../../../domain/playbook/playbook.js';
import { migratedDatabase } from '../support/database.js';

let database: Database;
let north: string;
let south: string;

beforeEach(async () => {
  const fresh = await migratedDatabase();
  ({ database } = fresh);
  north = (await createOrganization(database.db, null, { organization_code: 'NORTH', name: 'North' })).organization_uuid;
  south = (await createOrganization(database.db, null, { organization_code: 'SOUTH', name: 'South' })).organization_uuid;
});

/** A planner without skills. `more` makes its plan different from other plans. */
const fakePlanner = (digest: string, more = ''): Planner => ({
  digest,
  planFor(type) {
    const { steps } = planFor(type, []);
    return { steps: steps.map((step) => ({ ...step, why: `${step.why}${more}` })) };
  },
});
const find = (organization: string, alertType: string, planner = fakePlanner('first')) =>
  findOrCreatePlaybook(database.pg, organization, alertType, planner);
const dana: Principal = { uuid: '0199f6a0-0000-7000-8000-000000000001', name: 'dana', role: 'admin', organizationUuid: null };
const listVersions = async (playbookUuid: string) =>
  (await listPlanVersions(database.db, playbookUuid, { limit: 100, after: null })).items.map(({ version, author }) => [version, author]);
const all = async (scope: string | null = null) => (await listPlaybooks(database.db, scope, { limit: 100, after: null })).items;

describe('an alert type without a playbook', () => {
  it('gets a playbook with a stored plan and keeps it', async () => {
    const made = await find(north, '  Strange  Beacon ');
    expect(made).toMatchObject({ name: 'Strange  Beacon', workflowType: GENERATED_WORKFLOW_TYPE, planVersion: 1, severity: 'high' });
    const [stored] = await all();
    expect(stored).toMatchObject({
      playbook_id: made.playbookUuid,
      origin: 'generated',
      organization_code: 'NORTH',
      alert_types: ['  Strange  Beacon '],
      version: 1,
    });
    Plan.parse(stored?.plan);
    expect(stored?.plan?.steps.map((step) => step.do)).toEqual(['extract-indicators', 'search-records', 'correlate', 'summarise']);
    expect(await find(north, 'strange BEACON')).toEqual(made);
    expect(await all()).toHaveLength(1);
  });

  it('gets one playbook when twenty requests are concurrent', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => find(north, index % 2 === 0 ? 'New type' : 'NEW  type')));
    expect(new Set(made.map(({ playbookUuid }) => playbookUuid)).size).toBe(1);
    expect(await all()).toHaveLength(1);
    expect(await database.pg`select target from audit_log where action = 'playbook.create'`).toEqual([{ target: made[0]?.playbookUuid }]);
  });

  it('gets one playbook per organization, which is visible only there', async () => {
    const [one, other] = [await find(north, 'Shared name'), await find(south, 'Shared name')];
    expect(one.playbookUuid).not.toBe(other.playbookUuid);
    expect((await all(north)).map((playbook) => playbook.playbook_id)).toEqual([one.playbookUuid]);
    expect(await all()).toHaveLength(2);
  });

  it('may have the maximum length', async () => {
    for (const alertType of ['t'.repeat(200), '\u{1F600}'.repeat(100), 'ﷺ'.repeat(200)]) {
      const made = await find(north, alertType);
      Plan.parse((await all()).find((playbook) => playbook.playbook_id === made.playbookUuid)?.plan);
      expect(await find(north, alertType)).toEqual(made);
    }
  });
});

describe('the plan of a generated playbook', () => {
  it('is replaced once when a planner creates a different plan', async () => {
    const { playbookUuid } = await find(north, 'New type');
    const better = fakePlanner('better', ' More is asked.');
    const found = await Promise.all(Array.from({ length: 10 }, () => find(north, 'NEW type', better)));
    expect(new Set(found.map(({ planVersion }) => planVersion))).toEqual(new Set([2]));
    expect(await listVersions(playbookUuid)).toEqual([
      [2, null],
      [1, null],
    ]);
    expect((await findPlan(database.db, null, playbookUuid, null))?.plan).toEqual(better.planFor('New type'));
    expect((await findPlan(database.db, null, playbookUuid, 1))?.plan).toEqual(fakePlanner('first').planFor('New type'));
    expect(await database.pg`select details from audit_log where action = 'playbook.plan'`).toEqual([{ details: { version: 2 } }]);
  });

  it('does not alternate when an old and a new release run in parallel', async () => {
    const { playbookUuid } = await find(north, 'New type');
    for (const planner of [fakePlanner('better', ' More.'), fakePlanner('first'), fakePlanner('better', ' More.'), fakePlanner('first')])
      expect(await find(north, 'New type', planner)).toMatchObject({ planVersion: planner.digest === 'first' ? expect.any(Number) : 2 });
    expect(await find(north, 'New type')).toMatchObject({ planVersion: 2 });
    expect(await listVersions(playbookUuid)).toHaveLength(2);
  });

  it('is kept when another planner creates the same plan, or when a user pinned or edited it', async () => {
    const { playbookUuid } = await find(north, 'New type');
    expect(await find(north, 'New type', fakePlanner('second'))).toMatchObject({ planVersion: 1 });
    expect(await pinPlan(database.db, dana, playbookUuid, 1)).toMatchObject({ outcome: 'changed' });
    expect(await find(north, 'New type', fakePlanner('third', ' More.'))).toMatchObject({ planVersion: 1 });
    await pinPlan(database.db, dana, playbookUuid, null);
    await editPlan(database.db, dana, playbookUuid, { madeFrom: 1, plan: fakePlanner('x', ' By hand.').planFor('New type') });
    expect(await find(north, 'New type', fakePlanner('fourth', ' More.'))).toMatchObject({ planVersion: 2 });
    expect(await listVersions(playbookUuid)).toEqual([
      [2, 'dana'],
      [1, null],
    ]);
  });

  it('is replaced when it was stored without a planner digest', async () => {
    const { playbookUuid } = await find(north, 'Ransomware');
    await database.pg`update playbook_plans set planner = null`;
    await database.pg`update playbooks set severity = null`;
    expect(await find(north, 'Ransomware', fakePlanner('new', ' More.'))).toMatchObject({
      playbookUuid,
      planVersion: 2,
      severity: 'critical',
    });
  });

  it('accepts one of two concurrent edits of the same version', async () => {
    const { playbookUuid } = await find(north, 'New type');
    const plan = fakePlanner('x', ' By hand.').planFor('New type');
    const edits = await Promise.all([1, 2].map(() => editPlan(database.db, dana, playbookUuid, { madeFrom: 1, plan })));
    expect(edits.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'outdated']);
    expect(await listVersions(playbookUuid)).toHaveLength(2);
  });
});

describe('a written playbook', () => {
  it('has its declared severity and updates it when the declaration changes', async () => {
    const severe = { name: 'wiper', alertTypes: ['Wiper'], severity: 'critical' } as const;
    await registerWrittenPlaybooks(database.db, [severe]);
    expect(await find(north, 'Wiper')).toMatchObject({ severity: 'critical', planVersion: null });
    await registerWrittenPlaybooks(database.db, [{ ...severe, severity: 'high' }]);
    expect(await find(north, 'Wiper')).toMatchObject({ severity: 'high' });
    await registerWrittenPlaybooks(database.db, [{ name: 'wiper', alertTypes: ['Wiper'] }]);
    expect(await find(north, 'Wiper')).toMatchObject({ severity: null });
  });

  const phishing = { name: 'reportedPhishing', alertTypes: ['Reported phishing', 'Phishing report'] };

  it('handles its alert types in every organization, even those with a generated playbook', async () => {
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

  it('keeps its id over restarts, even when five workers start concurrently', async () => {
    await Promise.all(Array.from({ length: 5 }, () => registerWrittenPlaybooks(database.db, [phishing])));
    const [before] = await all();
    await registerWrittenPlaybooks(database.db, [phishing]);
    expect(await all()).toEqual([before]);
  });

  it('handles no more alerts after the worker no longer has it', async () => {
    await registerWrittenPlaybooks(database.db, [phishing]);
    await registerWrittenPlaybooks(database.db, []);
    expect(await find(north, 'Reported phishing')).toMatchObject({ workflowType: GENERATED_WORKFLOW_TYPE });
  });
});

describe('an alert type without an exact playbook', () => {
  const malware = { name: 'malwareOnHost', alertTypes: ['Malware detected'], categories: ['malware'], severity: 'high' } as const;

  it('gets the written playbook that clearly fits, and no generated one', async () => {
    await registerWrittenPlaybooks(database.db, [malware]);
    const exact = await find(north, 'malware  DETECTED');
    expect(exact).toMatchObject({ workflowType: 'malwareOnHost', reason: 'The playbook declares this alert type.' });
    expect(await find(north, '[SIEM] Detected malwares')).toEqual({
      ...exact,
      reason: 'The alert type means the same as "Malware detected".',
    });
    expect(await find(north, 'Malware on a kiosk')).toEqual({ ...exact, reason: 'The alert type belongs to the category malware.' });
    expect(await all()).toHaveLength(1);
  });

  it('keeps its generated plan where a person edited or pinned it', async () => {
    const type = 'Malware on a kiosk';
    const generated = await find(north, type);
    expect(generated).toMatchObject({ workflowType: GENERATED_WORKFLOW_TYPE, reason: expect.stringContaining('generated a plan') });
    await registerWrittenPlaybooks(database.db, [malware]);
    expect((await find(north, type)).workflowType).toBe('malwareOnHost');
    await pinPlan(database.db, dana, generated.playbookUuid, 1);
    expect(await find(north, type)).toMatchObject({
      playbookUuid: generated.playbookUuid,
      reason: 'An analyst edited or pinned the plan for this alert type.',
    });
    expect((await find(south, type)).workflowType).toBe('malwareOnHost');
  });

  it('gets a generated plan again where the worker no longer declares the category', async () => {
    await registerWrittenPlaybooks(database.db, [malware]);
    await registerWrittenPlaybooks(database.db, [{ ...malware, categories: [] }]);
    expect((await find(north, 'Malware on a kiosk')).workflowType).toBe(GENERATED_WORKFLOW_TYPE);
    await registerWrittenPlaybooks(database.db, [malware]);
    await registerWrittenPlaybooks(database.db, []);
    expect((await find(north, 'Malware on a tablet')).workflowType).toBe(GENERATED_WORKFLOW_TYPE);
  });
});
