import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../../connectors/kit/stand-in/company.js';
import { ejectPlaybook } from '../../../dev/playbooks/eject-playbook.js';
import type { CaseDetail } from '../../../domain/case/case.js';
import { declaredPlaybooks, type RunningWorker, startWorker } from '../../../worker/worker.js';
import { bundleWorkflows } from '../../../worker/workflow-bundle.js';
import { onRealWorker, type RealWorker } from '../../support/playbook-kit.js';
import { log } from '../../support/service.js';
import * as workflows from '../../support/workflows.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TYPE = 'Beacon from a kiosk: "first" of its kind';
const NAME = 'beacon-from-a-kiosk-first-of-its-kind';
const CONTENT = `host=${COMPUTERS[0].dnsName} user=${PEOPLE[0].email} ${INDICATORS.maliciousIp} sha256 ${INDICATORS.malwareSha256}`;
const CHANGED = 'A line that a person changed';

let worker: RealWorker;
/** A copy of the sources, so that the checkout does not change. */
let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'alert-investigator-eject-'));
  for (const folder of [
    'activities',
    'api',
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
    'test/support',
    'test/workflows',
  ])
    cpSync(path.join(ROOT, folder), path.join(copy, folder), { recursive: true });
  for (const file of ['biome.json', 'package.json', 'tsconfig.json']) cpSync(path.join(ROOT, file), path.join(copy, file));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  worker = await onRealWorker();
});
afterAll(async () => {
  await worker?.stop();
  rmSync(copy, { recursive: true, force: true });
});

const inCopy = (...parts: string[]) => path.join(copy, ...parts);
/** Returns the output, which explains a failure. */
function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [inCopy('node_modules', command), ...args], {
    cwd: copy,
    encoding: 'utf8',
  });
  expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}
const listFindings = ({ evidence }: Pick<CaseDetail, 'evidence'>, investigationNo: number) =>
  evidence
    .filter((entry) => entry.kind === 'finding' && entry.investigation_no === investigationNo)
    .map(({ title, points, reason, techniques }) => ({ title, points, reason, techniques }))
    .sort((a, b) => a.title.localeCompare(b.title));

describe('npm run playbook:eject', () => {
  let before: CaseDetail;

  it('writes the plan in use as TypeScript, with its test', async () => {
    ({ opened: before } = await worker.investigate({ type: TYPE, content: CONTENT }));
    const files = await ejectPlaybook(worker.service.database.pg, { alertType: TYPE.toUpperCase() }, copy);
    expect(files).toEqual([inCopy('workflows/playbooks', `${NAME}.ts`), inCopy('test/workflows/playbooks', `${NAME}.test.ts`)]);
    const code = readFileSync(files[0] ?? '', 'utf8');
    expect(code).toContain("alertTypes: ['Beacon from a kiosk: \"first\" of its kind'], severity: 'high'");
    expect(code).toContain('const plan: Plan = {');
    expect(code).toContain("id: 'threat-intelligence-get-enrichment-ip',");
    expect(code).toContain("why: 'The reputation of the ip is strong evidence for or against the alert.',");
    expect(code).toContain("fact: 'malicious-reputation',");
    expect(code).toContain("skill: 'endpointDetection.isolateMachine',");
    expect(code).toContain('await runPlan(context, plan);');
    expect(readFileSync(inCopy('workflows/playbooks/index.ts'), 'utf8')).toContain(`from './${NAME}.js'`);
  });

  it('does not overwrite files', async () => {
    const { pg } = worker.service.database;
    await expect(ejectPlaybook(pg, { alertType: TYPE }, copy)).rejects.toThrow('exists already');
    await expect(ejectPlaybook(pg, { alertType: 'Reported phishing' }, copy)).rejects.toThrow('written playbook reportedPhishing');
    const misspelled = TYPE.replace('kiosk', 'kisok');
    await expect(ejectPlaybook(pg, { alertType: misspelled }, copy)).rejects.toThrow(`Did you mean "${TYPE}"?`);
    await expect(ejectPlaybook(pg, { alertType: 'Unheard of', organization: 'NONE' }, copy)).rejects.toThrow(
      'organization NONE has no plan',
    );
  });

  it('writes a playbook that compiles, lints and passes its test, also after a change', async () => {
    // The plan compares answers with the alert.
    const others = await ejectPlaybook(worker.service.database.pg, { alertType: 'Odd sign-in' }, copy);
    expect(readFileSync(others[0] ?? '', 'utf8')).toContain("is: 'alert-place',");
    const file = inCopy('workflows/playbooks', `${NAME}.ts`);
    const code = readFileSync(file, 'utf8');
    const changed = code.replace('await runPlan(', `context.evidence.note('${CHANGED}', 'By hand.');\n    await runPlan(`);
    expect(changed).not.toBe(code);
    writeFileSync(file, changed);
    writeFileSync(
      inCopy('vitest.alone.ts'),
      "export default { test: { include: ['test/**/*.test.ts'], testTimeout: 60_000, isolate: false, maxWorkers: 1 } };\n",
    );
    run('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', file, inCopy('test/workflows/playbooks', `${NAME}.test.ts`), ...others);
    const tsconfig = JSON.parse(readFileSync(inCopy('tsconfig.json'), 'utf8'));
    const files = [file, inCopy('test/workflows/playbooks', `${NAME}.test.ts`), inCopy('test/support/global-setup.ts'), ...others];
    writeFileSync(inCopy('tsconfig.ejected.json'), JSON.stringify({ ...tsconfig, include: ['connectors/*/stand-in.ts'], files }));
    run('@typescript/native/bin/tsc', '-p', 'tsconfig.ejected.json', '--singleThreaded');
    const said = run('vitest/vitest.mjs', 'run', '--config', 'vitest.alone.ts', NAME, 'odd-sign-in');
    expect(said).toMatch(/6 passed/);
  });

  it('is used after the worker restarts, with the same findings for the same alert', async () => {
    const { service } = worker;
    await service.stopWorker();
    const code = await bundleWorkflows(inCopy('test/support/workflows.ts'), { root: inCopy('.') });
    const bundlePath = inCopy('workflow-bundle.js');
    writeFileSync(bundlePath, code);
    const declarations = [...declaredPlaybooks(workflows), { name: 'beaconFromAKioskFirstOfItsKind', alertTypes: [TYPE] }];
    const restarted: RunningWorker = await startWorker({ settings: service.settings, log, workflows: { bundlePath, declarations } });
    try {
      expect(await service.request('POST', `/platformapi/alerts/${before.alert_id}/investigate`)).toMatchObject({ status: 202 });
      const done = await service.waitForStatus(before.alert_id, 15, 20);
      const after = await service.readCase(before.alert_id);
      expect(done.investigation_status, after.summary).toBe(15);
      expect(done.playbook).toBe('beaconFromAKioskFirstOfItsKind');
      expect(after.verdict).toBe(before.verdict);
      expect(after.score).toBe(before.score);
      expect(listFindings(after, 2)).toEqual(listFindings(before, 1));
      expect(listFindings(after, 2).length).toBeGreaterThan(3);
      expect(after.evidence.some((entry) => entry.title === CHANGED)).toBe(true);
      expect(after.proposals.map(({ proposal_id }) => proposal_id).sort()).toEqual(
        before.proposals.map(({ proposal_id }) => proposal_id).sort(),
      );
    } finally {
      await restarted.stop();
    }
  });
});

it('plans a type without a plan, and requires an organization if several have one', async () => {
  const { pg } = worker.service.database;
  const files = await ejectPlaybook(pg, { alertType: '42 strange things' }, copy);
  expect(files[0]).toBe(inCopy('workflows/playbooks/alert-42-strange-things.ts'));
  expect(readFileSync(files[0] ?? '', 'utf8')).toContain('Ejected from what the planner would do about "42 strange things"');
  expect(await pg`select from playbook_alert_types where alert_type = '42 strange things'`).toHaveLength(0);
  await worker.service.request('POST', '/platformapi/organizations', { body: { organization_code: 'SECOND', name: 'Second' } });
  const alert = { alert_type: 'Shared type', alert_content: 'nothing' };
  for (const organization_code of ['DEMO', 'SECOND']) await worker.service.sendAlert({ ...alert, organization_code });
  await expect
    .poll(async () => (await pg`select from playbook_alert_types where alert_type = 'Shared type'`).length, { timeout: 60_000 })
    .toBe(2);
  await expect(ejectPlaybook(pg, { alertType: 'Shared type' }, copy)).rejects.toThrow('(DEMO, SECOND). Select one with --organization');
  expect(await ejectPlaybook(pg, { alertType: 'Shared type', organization: 'SECOND' }, copy)).toHaveLength(2);
});
