import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { INDICATORS } from '../../activities/connectors/kit/stand-in/company.js';
import type { Verdict } from '../../domain/case/evidence.js';
import type { Plan } from '../../domain/playbook/playbook.js';
import { STORY_ALERTS } from '../../local/demo/story-alerts.js';
import { SETTING_NAMES } from '../../platform/settings.js';
import { comparePlaybook } from '../../tools/playbooks/compare-playbook.js';
import { startCommand, temporaryFolder } from '../local/support/scripts.js';
import { onRealWorker, type RealWorker } from '../support/playbook-kit.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
let worker: RealWorker;
beforeAll(async () => {
  worker = await onRealWorker();
});
afterAll(() => worker.stop());

const pg = () => worker.service.database.pg;

function compare(...args: string[]): Promise<{ code: unknown; said: string }> {
  return compareIn(ROOT, ...args);
}

async function compareIn(root: string, ...args: string[]): Promise<{ code: unknown; said: string }> {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTING_NAMES.includes(name)));
  const env = { ...inherited, DATABASE_URL: worker.service.settings.DATABASE_URL };
  const script = startCommand(['playbook', 'compare', ...args], { root, cwd: await temporaryFolder(), env });
  return { code: await script.ended, said: script.printed() };
}

it('finds no change for an unchanged written playbook', async () => {
  const story = STORY_ALERTS.find(({ playbook }) => playbook === 'reportedPhishing') ?? expect.fail('no such story');
  const verdicts: Verdict[] = [];
  for (const alert of [story.malicious, story.benign]) verdicts.push((await worker.investigate(alert)).conclusion.verdict);
  const [{ count } = { count: 0 }] = await pg()<{ count: number }[]>`select count(*)::int as count from skill_results`;
  expect(count).toBeGreaterThan(0);
  const comparisons = await comparePlaybook(pg(), 'reported-phishing');
  expect(comparisons.map(({ before, after }) => [before, after])).toEqual(verdicts.reverse().map((verdict) => [verdict, verdict]));
  expect(await comparePlaybook(pg(), 'reportedPhishing', 1)).toHaveLength(1);
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
  expect(unchanged).toEqual({ code: 0, said: 'impossible-travel over 2 past investigations: 0 would change their verdict.\n' });

  const file = path.join(copy, 'workflows/playbooks/impossible-travel.ts');
  const code = readFileSync(file, 'utf8');
  const asks = "await askStandardQuestions(context, 'sign-in');";
  const changed = code.replace(asks, `${asks}\n    context.evidence.finding(45, 'Too far', 'No person travels so fast.');`);
  expect(changed).not.toBe(code);
  writeFileSync(file, changed);
  const { code: ended, said } = await compareIn(copy, 'impossible-travel');
  expect(said).toBe(`impossible-travel over 2 past investigations: 1 would change its verdict.
  ${opened.alert_id}  benign → malicious  (+45 Too far)
`);
  expect(ended).toBe(0);
});

/** Copies the sources, so that a changed playbook does not change the checkout. */
async function copySources(): Promise<string> {
  const copy = await temporaryFolder();
  for (const entry of [
    'activities',
    'bin',
    'cli',
    'db',
    'domain',
    'local',
    'platform',
    'tools',
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
  expect(await comparePlaybook(pg(), 'never SEEN before')).toMatchObject([{ alertId, before: 'malicious', after: 'malicious' }]);
  const [made] = await pg()<{ id: string; plan: Plan }[]>`
    select playbook_uuid as id, plan from playbooks join playbook_plans using (playbook_uuid, version) where name = 'Never seen before'`;
  const steps = (made?.plan.steps ?? []).map((step) =>
    step.do === 'ask' ? { ...step, proves: step.proves.map((proof) => ({ ...proof, points: -45 })) } : step,
  );
  const edited = await worker.service.request('PUT', `/platformapi/playbooks/${made?.id}/plan`, {
    body: { made_from: 1, plan: { steps } },
  });
  expect(edited.status).toBe(200);
  const [changed] = await comparePlaybook(pg(), 'Never seen before');
  expect(changed).toMatchObject({ alertId, before: 'malicious', decidedBy: expect.stringContaining('-45 ') });
  expect(changed?.after).not.toBe('malicious');
  const { code, said } = await compare('Never seen before', '--last', '5');
  expect(said).toContain('Never seen before over 1 past investigation: 1 would change its verdict.');
  expect(said).toMatch(new RegExp(`${alertId} {2}malicious → ${changed?.after} {2}\\(-45 `));
  expect(code).toBe(0);
});

it('reports an unknown playbook and a missing argument', async () => {
  expect(await compare('no-such-playbook')).toEqual({ code: 1, said: expect.stringContaining('There is no playbook no-such-playbook') });
  expect(await compare()).toEqual({ code: 2, said: expect.stringContaining("missing required argument 'name'") });
});
