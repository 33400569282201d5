import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../db/client.js';
import { newUuid } from '../../../db/ids.js';
import { findPlan, listPlanVersions, listPlaybooks } from '../../../db/playbooks/playbooks.js';
import type { Principal } from '../../../domain/identity/identity.js';
import { type Planner, planFor } from '../../../domain/playbook/planner.js';
import { GENERATED_WORKFLOW_TYPE, Plan } from '../../../domain/playbook/playbook.js';
import { NEW_PER_HOUR, UNUSED_DAYS } from '../../../domain/playbook/shared-playbook.js';
import { asService } from '../../../services/context.js';
import { createOrganization } from '../../../services/organizations/create.js';
import { createOwnPlaybook } from '../../../services/playbooks/create-own.js';
import { deletePlaybook } from '../../../services/playbooks/delete.js';
import { deleteUnusedPlaybooks } from '../../../services/playbooks/delete-unused.js';
import { editPlan } from '../../../services/playbooks/edit-plan.js';
import { findOrCreatePlaybook } from '../../../services/playbooks/find-or-create.js';
import { pinPlan } from '../../../services/playbooks/pin-plan.js';
import { registerWrittenPlaybooks } from '../../../services/playbooks/register-written.js';
import { adminPrincipal } from '../../support/principal.js';
import { idleContext } from '../../support/service-context.js';
import { migratedDatabase } from '../support/database.js';

let database: Database;
let north: string;
let south: string;

beforeEach(async () => {
  const fresh = await migratedDatabase();
  ({ database } = fresh);
  north = (await createOrganization(asService(database.db), { organization_code: 'NORTH', name: 'North' })).organization_uuid;
  south = (await createOrganization(asService(database.db), { organization_code: 'SOUTH', name: 'South' })).organization_uuid;
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
const dana = adminPrincipal('dana', '0199f6a0-0000-7000-8000-000000000001');
const as = (by: Principal) => ({ ...idleContext({ database }), by });
const listVersions = async (playbookUuid: string) =>
  (await listPlanVersions(database.db, playbookUuid, { limit: 100, after: null })).items.map(({ version, author }) => [version, author]);
const all = async (scope: string | null = null) => (await listPlaybooks(database.db, scope, { limit: 100, after: null })).items;
/** The playbooks of alert types, without those of categories. */
const ofTypes = async (scope: string | null = null) => (await all(scope)).filter(({ is_shared }) => !is_shared);
const readPlan = async (playbookUuid: string) => Plan.parse((await findPlan(database.db, null, playbookUuid, null))?.plan);

describe('an alert type without a playbook', () => {
  it('gets a playbook with a stored plan and keeps it', async () => {
    const made = await find(north, '  Strange  Beacon ');
    expect(made).toMatchObject({ name: 'Strange Beacon', workflowType: GENERATED_WORKFLOW_TYPE, planVersion: 1, severity: 'high' });
    const [category, stored] = await all();
    expect(category).toMatchObject({ playbook_id: made.planUuid, name: 'Command and control alerts', is_shared: true, plan_of: null });
    expect(stored).toMatchObject({
      playbook_id: made.playbookUuid,
      name: 'Strange Beacon',
      origin: 'generated',
      organization_code: 'NORTH',
      alert_types: ['  Strange  Beacon '],
      is_shared: false,
      plan_of: { playbook_id: made.planUuid, name: 'Command and control alerts' },
      version: 1,
      severity: 'high',
    });
    const plan = await readPlan(made.playbookUuid);
    expect(plan.steps.map((step) => step.do)).toEqual(['extract-indicators', 'search-records', 'correlate', 'summarise']);
    expect(await find(north, 'strange BEACON')).toEqual(made);
    expect(await all()).toHaveLength(2);
  });

  it('has the name of the type without hidden characters', async () => {
    expect((await find(north, 'Pay\u202eroll\u0007\n login  <b>')).name).toBe('Payroll login <b>');
    expect((await find(north, '\u200b\u2060')).name).toBe('Alert type without a visible name');
  });

  it('gets one playbook when twenty requests are concurrent', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => find(north, index % 2 === 0 ? 'New type' : 'NEW  type')));
    expect(new Set(made.map(({ playbookUuid }) => playbookUuid)).size).toBe(1);
    expect(await all()).toHaveLength(2);
    const created = await database.pg`select target from audit_log where action = 'playbook.create' order by target`;
    expect(created).toEqual([{ target: made[0]?.planUuid }, { target: made[0]?.playbookUuid }]);
  });

  it('gets one playbook per organization, which is visible only there', async () => {
    const [one, other] = [await find(north, 'Shared name'), await find(south, 'Shared name')];
    expect(one.playbookUuid).not.toBe(other.playbookUuid);
    expect((await all(north)).map((playbook) => playbook.playbook_id)).toEqual([one.planUuid, one.playbookUuid]);
    expect(await all()).toHaveLength(4);
  });

  it('shares the plan of its category with the other types', async () => {
    const first = await find(north, 'Malware in the cloud');
    const second = await find(north, 'Cloud trojan');
    expect([second.planUuid, second.playbookUuid !== first.playbookUuid]).toEqual([first.planUuid, true]);
    expect((await find(north, 'Trojan')).planUuid).not.toBe(first.planUuid);
    const unknown = await find(north, 'Odd thing');
    expect(await find(north, 'Another thing')).toMatchObject({ planUuid: unknown.planUuid });
    const stored = await all();
    expect(stored.filter(({ is_shared }) => is_shared).map(({ name, alert_types, used_by }) => [name, alert_types, used_by])).toEqual([
      ['Malware and cloud alerts', [], 2],
      ['Malware alerts', [], 1],
      ['Other alerts', [], 2],
    ]);
    expect((await ofTypes()).map(({ name, plan_of }) => [name, plan_of?.name])).toEqual([
      ['Malware in the cloud', 'Malware and cloud alerts'],
      ['Cloud trojan', 'Malware and cloud alerts'],
      ['Trojan', 'Malware alerts'],
      ['Odd thing', 'Other alerts'],
      ['Another thing', 'Other alerts'],
    ]);
    expect(await database.pg`select count(*)::int as plans from playbook_plans`).toEqual([{ plans: 3 }]);
  });

  it('uses the general plan when the organization got too many new types within the hour, and has its own playbook later', async () => {
    const { planUuid } = await find(north, 'Odd thing');
    await database.pg`
      insert into playbooks (playbook_uuid, organization_uuid, name, origin, workflow_type, plan_of, created_at, modified_at)
      select gen_random_uuid(), ${north}, 'p', 'generated', 'generated', ${planUuid}, now(), now() from generate_series(1, ${NEW_PER_HOUR.types})`;
    const many = await Promise.all([find(north, 'Phishing'), find(north, 'Cloud trojan'), find(north, 'Phishing')]);
    for (const chosen of many)
      expect(chosen).toMatchObject({
        name: 'Other alerts',
        planVersion: 1,
        reason: expect.stringContaining('the general plan'),
        isFinal: false,
      });
    expect(new Set(many.map(({ playbookUuid }) => playbookUuid)).size).toBe(1);
    expect(await find(south, 'Phishing')).toMatchObject({ name: 'Phishing' });
    expect(await find(north, 'Phishing', fakePlanner('newer', ' More.'))).toMatchObject({ name: 'Other alerts', planVersion: 2 });
    await database.pg`update playbooks set created_at = now() - interval '61 minutes'`;
    expect(await find(north, 'Phishing')).toMatchObject({ name: 'Phishing' });
  });

  it('gets its name from a later version of the service if an earlier one shared the playbook', async () => {
    const { planUuid } = await find(north, 'Odd thing');
    await database.pg`
      insert into playbook_alert_types (organization_uuid, alert_type_key, alert_type, playbook_uuid)
      values (${north}, 'old thing', 'Old thing', ${planUuid})`;
    const found = await Promise.all([1, 2, 3].map(() => find(north, 'Old thing')));
    for (const each of found) expect(each).toMatchObject({ name: 'Old thing', planUuid, playbookUuid: found[0]?.playbookUuid });
    expect(await ofTypes()).toHaveLength(2);
  });

  it('lists at most a hundred of the types that share a playbook', async () => {
    const { planUuid } = await find(north, 'Odd thing');
    await database.pg`
      insert into playbook_alert_types (organization_uuid, alert_type_key, alert_type, playbook_uuid)
      select ${north}, 'key ' || n, 'Type ' || n, ${planUuid} from generate_series(1, 300) as n`;
    const [stored] = await all();
    expect([stored?.alert_types.length, stored?.alert_type_count]).toEqual([100, 300]);
  });

  it('is a small row, and pages list all 1,500 types', async () => {
    const { planUuid } = await find(north, 'Odd thing');
    await database.pg`
      with made as (
        insert into playbooks (playbook_uuid, organization_uuid, name, origin, workflow_type, plan_of, created_at, modified_at)
        select gen_random_uuid(), ${north}, 'Type ' || n, 'generated', 'generated', ${planUuid}, now(), now() from generate_series(1, 1500) as n
        returning playbook_uuid, name
      ), used as (
        insert into investigations (alert_uuid, investigation_no, playbook_uuid, status, attempt, started_at)
        select gen_random_uuid(), 1, playbook_uuid, 'Completed', 1, now() from made
      )
      insert into playbook_alert_types (organization_uuid, alert_type_key, alert_type, playbook_uuid, investigator_uuid)
      select ${north}, name, name, ${planUuid}, playbook_uuid from made`;
    await database.pg`analyze`;
    const names: string[] = [];
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const page = await listPlaybooks(database.db, north, { limit: 200, after });
      names.push(...page.items.map(({ name }) => name));
      after = page.next;
    }
    expect([names.length, new Set(names).size]).toEqual([1502, 1502]);
    expect(await database.pg`select count(*)::int as plans from playbook_plans`).toEqual([{ plans: 1 }]);
  });

  it('may have the maximum length', async () => {
    for (const alertType of ['t'.repeat(200), '\u{1F600}'.repeat(100), 'ﷺ'.repeat(200)]) {
      const made = await find(north, alertType);
      await readPlan(made.playbookUuid);
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

  it('belongs to the type from the first edit on; older versions stay, and other types keep the plan of the category', async () => {
    const made = await find(north, 'Odd thing');
    const other = await find(north, 'Another thing');
    await find(north, 'Odd thing', fakePlanner('better', ' More.'));
    const plan = fakePlanner('x', ' By hand.').planFor('');
    await editPlan(as(dana), made.playbookUuid, { made_from: 2, plan });
    expect(await listVersions(made.playbookUuid)).toEqual([
      [3, 'dana'],
      [2, null],
      [1, null],
    ]);
    expect((await findPlan(database.db, null, made.playbookUuid, 1))?.plan).toEqual(fakePlanner('first').planFor(''));
    const edited = { playbookUuid: made.playbookUuid, planUuid: made.playbookUuid, planVersion: 3 };
    expect(await find(north, 'Odd thing')).toMatchObject({
      ...edited,
      reason: 'An analyst edited or pinned the plan for this alert type.',
    });
    expect(await find(north, 'Another thing')).toMatchObject({ planUuid: other.planUuid, planVersion: 2 });
    expect(await listVersions(other.planUuid)).toHaveLength(2);
    expect((await ofTypes()).map(({ plan_of }) => plan_of?.name)).toEqual([undefined, 'Other alerts']);
  });

  it('is kept when another planner creates the same plan, or when a user pinned or edited it', async () => {
    const { playbookUuid } = await find(north, 'New type');
    expect(await find(north, 'New type', fakePlanner('second'))).toMatchObject({ planVersion: 1 });
    expect(await pinPlan(as(dana), playbookUuid, 1)).toMatchObject({ pinned_version: 1 });
    expect(await find(north, 'New type', fakePlanner('third', ' More.'))).toMatchObject({ planVersion: 1 });
    await pinPlan(as(dana), playbookUuid, null);
    await editPlan(as(dana), playbookUuid, { made_from: 1, plan: fakePlanner('x', ' By hand.').planFor('New type') });
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
    const edits = await Promise.allSettled([1, 2].map(() => editPlan(as(dana), playbookUuid, { made_from: 1, plan })));
    expect(edits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await listVersions(playbookUuid)).toHaveLength(2);
  });
});

describe('a plan of its own', () => {
  const create = (alertType: string) => createOwnPlaybook(as(dana), { organization_code: 'NORTH', alert_type: alertType });

  it('takes one type out of its category, with a copy of the plan in use', async () => {
    const odd = await find(north, 'Odd thing');
    await find(north, 'Another thing');
    const plan = fakePlanner('x', ' By hand.').planFor('');
    await editPlan(as(dana), odd.planUuid, { made_from: 1, plan });
    const created = await create('ODD thing');
    expect(created).toMatchObject({ playbook_id: odd.playbookUuid, plan_of: null });
    expect(await find(north, 'Odd thing')).toMatchObject({ name: 'Odd thing', planUuid: created.playbook_id, planVersion: 2 });
    expect((await findPlan(database.db, null, created.playbook_id, null))?.plan).toEqual(plan);
    expect(await find(north, 'Another thing')).toMatchObject({ planUuid: odd.planUuid });
    await expect(create('Odd thing')).rejects.toThrow('has a plan of its own already');
    const entries = await database.pg`select target from audit_log where action = 'playbook.create' and principal_name = 'dana'`;
    expect(entries).toEqual([{ target: created.playbook_id }]);
  });

  it('is refused for a type that no alert brought, or that a written playbook declares', async () => {
    await expect(create('Never seen')).rejects.toThrow('no playbook for this alert type yet');
    await registerWrittenPlaybooks(asService(database.db), [{ name: 'wiper', alertTypes: ['Wiper'] }]);
    await expect(create('Wiper')).rejects.toThrow('written in TypeScript');
  });
});

describe('a deleted playbook', () => {
  it('leaves the list, and the next alert of its type gets a new one', async () => {
    const first = await find(north, 'Odd thing');
    await deletePlaybook(as(dana), first.playbookUuid);
    expect(await ofTypes()).toEqual([]);
    await expect(deletePlaybook(as(dana), first.playbookUuid)).rejects.toThrow('No playbook with this id');
    // A running investigation still reads it.
    expect(await findPlan(database.db, null, first.playbookUuid, 1)).not.toBeNull();
    const second = await find(north, 'Odd thing');
    expect(second.playbookUuid).not.toBe(first.playbookUuid);
    await expect(deletePlaybook(as({ ...dana, organizationUuid: south }), second.playbookUuid)).rejects.toThrow('No playbook with this id');
  });

  it('was that of a category: those of its types go with it', async () => {
    const odd = await find(north, 'Odd thing');
    await find(north, 'Another thing');
    await deletePlaybook(as(dana), odd.planUuid);
    expect(await all()).toEqual([]);
    expect(await findPlan(database.db, null, odd.playbookUuid, 1)).not.toBeNull();
    const again = await find(north, 'Odd thing');
    expect([again.playbookUuid !== odd.playbookUuid, again.planUuid !== odd.planUuid]).toEqual([true, true]);
  });

  it('was written: it stays', async () => {
    await registerWrittenPlaybooks(asService(database.db), [{ name: 'wiper', alertTypes: ['Wiper'] }]);
    const [written] = await all();
    await expect(deletePlaybook(as(dana), written?.playbook_id ?? '')).rejects.toThrow('wiper is written in TypeScript');
  });

  it('was generated, edited by no person and unused for a long time', async () => {
    const [unused, edited, pinned, used, young] = await Promise.all(
      ['Odd thing', 'Phishing', 'Trojan', 'Cloud access', 'Ransomware'].map((type) => find(north, type)),
    );
    if (!unused || !edited || !pinned || !used || !young) throw new Error('no playbook');
    await editPlan(as(dana), edited.playbookUuid, { made_from: 1, plan: fakePlanner('x', ' By hand.').planFor('') });
    await pinPlan(as(dana), pinned.playbookUuid, 1);
    await registerWrittenPlaybooks(asService(database.db), [{ name: 'wiper', alertTypes: ['Wiper'] }]);
    await database.pg`
      update playbooks set created_at = now() - make_interval(days => ${UNUSED_DAYS + 1}) where playbook_uuid <> ${young.playbookUuid}`;
    for (const [playbookUuid, days] of [
      [used.playbookUuid, 200],
      [used.playbookUuid, 1],
      [unused.playbookUuid, 200],
    ] as const)
      await database.pg`
        insert into investigations (alert_uuid, investigation_no, playbook_uuid, status, attempt, started_at)
        values (${newUuid()}, 1, ${playbookUuid}, 'Completed', 1, now() - make_interval(days => ${days}))`;
    await deleteUnusedPlaybooks(database.pg);
    const names = (await all()).map(({ name }) => name).sort();
    const kept = ['Cloud access', 'Cloud alerts', 'Phishing', 'Ransomware', 'Ransomware alerts', 'Trojan', 'wiper'];
    expect(names).toEqual([...kept, 'Other alerts'].sort());
    // No type uses its plan any more.
    await deleteUnusedPlaybooks(database.pg);
    expect((await all()).map(({ name }) => name).sort()).toEqual(kept);
    const stored = async () => (await database.pg`select from playbooks where playbook_uuid = ${unused.playbookUuid}`).length;
    // An investigation refers to it.
    await database.pg`update playbooks set deleted_at = now() - interval '2 days' where deleted_at is not null`;
    await deleteUnusedPlaybooks(database.pg);
    expect(await stored()).toBe(1);
    await database.pg`delete from investigations where playbook_uuid = ${unused.playbookUuid}`;
    await deleteUnusedPlaybooks(database.pg);
    expect(await stored()).toBe(0);
  });
});

describe('a written playbook', () => {
  it('has its declared severity and updates it when the declaration changes', async () => {
    const severe = { name: 'wiper', alertTypes: ['Wiper'], severity: 'critical' } as const;
    await registerWrittenPlaybooks(asService(database.db), [severe]);
    expect(await find(north, 'Wiper')).toMatchObject({ severity: 'critical', planVersion: null });
    await registerWrittenPlaybooks(asService(database.db), [{ ...severe, severity: 'high' }]);
    expect(await find(north, 'Wiper')).toMatchObject({ severity: 'high' });
    await registerWrittenPlaybooks(asService(database.db), [{ name: 'wiper', alertTypes: ['Wiper'] }]);
    expect(await find(north, 'Wiper')).toMatchObject({ severity: null });
  });

  it('has its title as its name, also when the title changes, and keeps its id', async () => {
    const wiper = { name: 'wiper', alertTypes: ['Wiper'] };
    await registerWrittenPlaybooks(asService(database.db), [wiper]);
    const before = await find(north, 'Wiper');
    expect(before).toMatchObject({ name: 'wiper', workflowType: 'wiper' });
    await registerWrittenPlaybooks(asService(database.db), [{ ...wiper, title: 'Wiper on a server' }]);
    expect(await find(north, 'Wiper')).toMatchObject({ ...before, name: 'Wiper on a server' });
  });

  const phishing = { name: 'reportedPhishing', alertTypes: ['Reported phishing', 'Phishing report'] };

  it('handles its alert types in every organization, even those with a generated playbook', async () => {
    const generated = await find(north, 'reported PHISHING');
    await registerWrittenPlaybooks(asService(database.db), [phishing]);
    for (const organization of [north, south])
      expect(await find(organization, 'Reported  phishing')).toMatchObject({ name: 'reportedPhishing', workflowType: 'reportedPhishing' });
    const listed = await all(south);
    expect(listed).toMatchObject([
      { origin: 'written', organization_code: null, alert_types: expect.arrayContaining(phishing.alertTypes) },
    ]);
    expect((await all()).map((playbook) => playbook.playbook_id)).toContain(generated.playbookUuid);
  });

  it('keeps its id over restarts, even when five workers start concurrently', async () => {
    await Promise.all(Array.from({ length: 5 }, () => registerWrittenPlaybooks(asService(database.db), [phishing])));
    const [before] = await all();
    await registerWrittenPlaybooks(asService(database.db), [phishing]);
    expect(await all()).toEqual([before]);
  });

  it('handles no more alerts after the worker no longer has it', async () => {
    await registerWrittenPlaybooks(asService(database.db), [phishing]);
    await registerWrittenPlaybooks(asService(database.db), []);
    expect(await find(north, 'Reported phishing')).toMatchObject({ workflowType: GENERATED_WORKFLOW_TYPE });
  });
});

describe('an alert type without an exact playbook', () => {
  const malware = { name: 'malwareOnHost', alertTypes: ['Malware detected'], categories: ['malware'], severity: 'high' } as const;

  it('gets the written playbook that clearly fits, and no generated one', async () => {
    await registerWrittenPlaybooks(asService(database.db), [malware]);
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
    expect(generated).toMatchObject({ workflowType: GENERATED_WORKFLOW_TYPE, reason: expect.stringContaining('a generated plan') });
    await registerWrittenPlaybooks(asService(database.db), [malware]);
    expect((await find(north, type)).workflowType).toBe('malwareOnHost');
    await pinPlan(as(dana), generated.playbookUuid, 1);
    expect(await find(north, type)).toMatchObject({
      playbookUuid: generated.playbookUuid,
      reason: 'An analyst edited or pinned the plan for this alert type.',
    });
    expect((await find(south, type)).workflowType).toBe('malwareOnHost');
  });

  it('gets a generated plan again where the worker no longer declares the category', async () => {
    await registerWrittenPlaybooks(asService(database.db), [malware]);
    await registerWrittenPlaybooks(asService(database.db), [{ ...malware, categories: [] }]);
    expect((await find(north, 'Malware on a kiosk')).workflowType).toBe(GENERATED_WORKFLOW_TYPE);
    await registerWrittenPlaybooks(asService(database.db), [malware]);
    await registerWrittenPlaybooks(asService(database.db), []);
    expect((await find(north, 'Malware on a tablet')).workflowType).toBe(GENERATED_WORKFLOW_TYPE);
  });
});
