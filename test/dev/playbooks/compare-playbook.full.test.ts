import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { INDICATORS } from '../../../connectors/kit/stand-in/company.js';
import { comparePlaybook } from '../../../dev/playbooks/compare-playbook.js';
import type { PlanEffect } from '../../../domain/playbook/comparison.js';
import type { Plan } from '../../../domain/playbook/playbook.js';
import type { Verdict } from '../../../domain/verdict/evidence.js';
import { STORY_ALERTS } from '../../../local/demo/story-alerts.js';
import type { Playbook } from '../../../services/playbooks/wire.js';
import { type Ended, runCommand } from '../../cli/support/run-command.js';
import { temporaryFolder } from '../../local/support/scripts.js';
import { onRealWorker, type RealWorker } from '../../support/playbook-kit.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
let worker: RealWorker;
beforeAll(async () => {
  worker = await onRealWorker();
});
afterAll(() => worker.stop());

const pg = () => worker.service.database.pg;
const database = () => worker.service.database;

const compare = (...args: string[]) => compareIn(ROOT, ...args);

async function compareIn(root: string, ...args: string[]): Promise<Ended> {
  const settings = { DATABASE_URL: worker.service.settings.DATABASE_URL };
  return runCommand(['playbook', 'compare', ...args], { root, cwd: await temporaryFolder(), settings });
}

it('finds no change for an unchanged written playbook', async () => {
  const story = STORY_ALERTS.find(({ playbook }) => playbook === 'reportedPhishing') ?? expect.fail('no such story');
  const verdicts: Verdict[] = [];
  for (const alert of [story.malicious, story.benign]) verdicts.push((await worker.investigate(alert)).conclusion.verdict);
  const [{ count } = { count: 0 }] = await pg()<{ count: number }[]>`select count(*)::int as count from skill_results`;
  expect(count).toBeGreaterThan(0);
  const comparisons = await comparePlaybook(database(), 'reported-phishing');
  expect(comparisons.map(({ after }) => after.verdict)).toEqual(verdicts.reverse());
  for (const { before, after } of comparisons) expect(after).toEqual(before);
  expect(comparisons.some(({ before }) => before.proposals.length > 0)).toBe(true);
  expect(await comparePlaybook(database(), 'reportedPhishing', { last: 1 })).toHaveLength(1);
  expect(await comparePlaybook(database(), 'reportedPhishing', { organization: 'DEMO' })).toHaveLength(2);
  await expect(comparePlaybook(database(), 'reportedPhishing', { organization: 'NONE' })).rejects.toThrow('There is no organization NONE.');
  const [{ after } = { after: 0 }] = await pg()<{ after: number }[]>`select count(*)::int as after from skill_results`;
  expect(after).toBe(count);
});

it('lists the verdicts that a changed TypeScript playbook would change', async () => {
  const story = STORY_ALERTS.find(({ playbook }) => playbook === 'impossibleTravel') ?? expect.fail('no such story');
  expect((await worker.investigate(story.malicious)).conclusion.verdict).toBe('malicious');
  const { opened, conclusion } = await worker.investigate(story.benign);
  expect(conclusion.verdict).toBe('benign');

  const copy = await copySources();
  const unchanged = await compareIn(copy, 'impossible-travel');
  expect(unchanged).toEqual({ code: 0, said: 'impossible-travel over 2 past investigations: 0 would change, 0 of them the verdict.\n' });

  const file = path.join(copy, 'workflows/playbooks/impossible-travel.ts');
  const code = readFileSync(file, 'utf8');
  const asks = "await askStandardQuestions(context, 'sign-in');";
  const changed = code.replace(asks, `${asks}\n    context.evidence.finding(45, 'Too far', 'No person travels so fast.');`);
  expect(changed).not.toBe(code);
  writeFileSync(file, changed);
  const { code: ended, said } = await compareIn(copy, 'impossible-travel');
  expect(said).toContain('impossible-travel over 2 past investigations: 1 would change, 1 of them the verdict.');
  expect(said).toMatch(new RegExp(`${opened.alert_id} {2}benign → malicious, score 0 → \\d+.*\\(\\+45 Too far\\)`));
  expect(ended).toBe(0);

  writeFileSync(file, code.replace(asks, `context.evidence.finding(-50, 'Never mind', 'It is quiet here.');`));
  const dismissing = await compareIn(copy, 'impossible-travel');
  expect(dismissing.said).toMatch(/malicious → benign, score \d+ → 0.*proposals −.*\(-50 Never mind\)/);
  expect(dismissing.said).toContain('1 would change from malicious to benign.');
  expect(dismissing.code).toBe(1);

  writeFileSync(file, code.replace(asks, `${asks}\n    context.entities[999].value.trim();`));
  const throwing = await compareIn(copy, 'impossible-travel');
  expect(throwing.said).toMatch(
    /^The playbook impossible-travel fails for the alert \S+ at workflows\/playbooks\/impossible-travel\.ts:\d+: TypeError: .*\n$/,
  );
  expect(throwing.code).toBe(1);
});

/** Copies the sources, so that a changed playbook does not change the checkout. */
async function copySources(): Promise<string> {
  const copy = await temporaryFolder();
  for (const entry of [
    'activities',
    'api',
    'bin',
    'channels',
    'cli',
    'connectors',
    'db',
    'domain',
    'local',
    'platform',
    'services',
    'dev',
    'worker',
    'workflows',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(path.join(ROOT, entry), path.join(copy, entry), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

it('lists the verdicts that a changed plan would change, and the decisive evidence', async () => {
  const content = `${INDICATORS.maliciousIp} ${INDICATORS.malwareSha256} ${INDICATORS.maliciousUrl}`;
  const { opened, conclusion } = await worker.investigate({ type: 'Never seen before', content });
  expect(conclusion.verdict).toBe('malicious');
  const alertId = opened.alert_id;
  const [same] = await comparePlaybook(database(), 'never SEEN before');
  expect(same?.before).toMatchObject({ verdict: 'malicious' });
  expect(same?.after).toEqual(same?.before);
  const [made] = await pg()<{ id: string; plan: Plan }[]>`
    select playbook_uuid as id, plan from playbook_alert_types join playbooks using (playbook_uuid) join playbook_plans using (playbook_uuid, version)
    where alert_type = 'Never seen before'`;
  const steps = (made?.plan.steps ?? []).map((step) =>
    step.do === 'ask' ? { ...step, proves: step.proves.map((proof) => ({ ...proof, points: -45 })) } : step,
  );
  const dry = await worker.service.request<{ version: number; effect: PlanEffect }>(
    'PUT',
    `/platformapi/playbooks/${made?.id}/plan?dry_run=true`,
    { body: { made_from: 1, plan: { steps } } },
  );
  expect(dry).toMatchObject({
    status: 200,
    body: { version: 2, effect: { compared: 1, changed: [{ alert_id: alertId, before: { verdict: 'malicious' } }] } },
  });
  expect(dry.body.effect.changed[0]?.after.verdict).not.toBe('malicious');
  const unchanged = await worker.service.request<{ effect: PlanEffect }>('PUT', `/platformapi/playbooks/${made?.id}/plan?dry_run=true`, {
    body: { made_from: 1, plan: made?.plan },
  });
  expect(unchanged.body.effect).toEqual({ compared: 1, changed: [] });
  const planFile = path.join(await temporaryFolder(), 'plan.json');
  writeFileSync(planFile, JSON.stringify({ plan: { steps } }));
  const [fromFile] = await comparePlaybook(database(), 'Never seen before', { plan: planFile, organization: 'DEMO' });
  expect(fromFile?.after).toEqual(dry.body.effect.changed[0]?.after);
  expect((await worker.service.request<Playbook>('GET', `/platformapi/playbooks/${made?.id}`)).body.version).toBe(1);
  const misspelled = JSON.stringify({ steps }).replaceAll('"score"', '"scroe"');
  writeFileSync(planFile, misspelled);
  await expect(comparePlaybook(database(), 'Never seen before', { plan: planFile })).rejects.toThrow(
    /has no field scroe\. Did you mean score\?/,
  );

  const edited = await worker.service.request('PUT', `/platformapi/playbooks/${made?.id}/plan`, {
    body: { made_from: 1, plan: { steps } },
  });
  expect(edited.status).toBe(200);
  const [changed] = await comparePlaybook(database(), 'Never seen before');
  expect(changed).toMatchObject({ alert_id: alertId, before: { verdict: 'malicious' }, decided_by: expect.stringContaining('-45 ') });
  expect(changed?.after.verdict).not.toBe('malicious');
  const { code, said } = await compare('Never seen before', '--last', '5');
  expect(said).toContain('Never seen before over 1 past investigation: 1 would change, 1 of them the verdict.');
  expect(said).toMatch(new RegExp(`${alertId} {2}malicious → ${changed?.after.verdict}, .* {2}\\(-45 `));
  expect(code).toBe(0);
});

it('reports an unknown playbook and a missing argument', async () => {
  expect(await compare('no-such-playbook')).toEqual({ code: 1, said: expect.stringContaining('There is no playbook no-such-playbook') });
  expect(await compare()).toEqual({ code: 2, said: expect.stringContaining("missing required argument 'name'") });
});
