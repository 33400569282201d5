import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEntityExtractor } from '../../activities/entities/extractor.js';
import { findDatabaseUrl } from '../../cli/running-database.js';
import { connectDatabase, type PgClient } from '../../db/client.js';
import { alertTypeKey } from '../../domain/alert/alert.js';
import { chooseSeverityForType } from '../../domain/alert/category.js';
import { findClosestName } from '../../domain/closest-name.js';
import type { Plan } from '../../domain/playbook/playbook.js';
import { slug } from '../../domain/text.js';
import type { Severity } from '../../domain/verdict/evidence.js';
import { loadEnvFile, readSettings } from '../../platform/settings.js';
import { StartError } from '../../platform/start-error.js';
import { planner } from '../../services/playbooks/planner.js';
import { exportName, writePlaybookList } from '../build/playbook-list.js';
import { type Ejected, playbookCode } from './ejected-code.js';
import { testCode } from './ejected-test.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Writes the current plan as TypeScript, with a test that passes. */
export async function ejectPlaybook(pg: PgClient, wanted: { alertType: string; organization?: string }, root = ROOT): Promise<string[]> {
  const ejected = await readPlan(pg, wanted);
  const files = [
    { file: path.join(root, 'workflows/playbooks', `${ejected.name}.ts`), text: async () => playbookCode(ejected) },
    { file: path.join(root, 'test/workflows/playbooks', `${ejected.name}.test.ts`), text: () => writeTest(ejected) },
  ];
  const present = files.find(({ file }) => existsSync(file));
  if (present) throw new StartError(`${present.file} exists already. Move or delete it first.`);
  for (const { file, text } of files) writeFileSync(file, await text(), { flag: 'wx' });
  writePlaybookList(`${path.join(root, 'workflows/playbooks')}/`);
  const written = files.map(({ file }) => file);
  format(root, written);
  return written;
}

async function writeTest(ejected: Ejected): Promise<string> {
  const extractor = createEntityExtractor();
  try {
    return await testCode(ejected, extractor);
  } finally {
    await extractor.close();
  }
}

function format(root: string, files: readonly string[]): void {
  const biome = path.join(root, 'node_modules/.bin/biome');
  const { status, stderr } = spawnSync(biome, ['check', '--write', ...files], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new StartError(`The files are written, but the formatter failed: ${stderr}`);
}

interface StoredPlan {
  readonly organization: string;
  readonly alertType: string;
  readonly severity: Severity | null;
  readonly version: number;
  readonly plan: Plan;
}

async function readPlan(pg: PgClient, { alertType, organization }: { alertType: string; organization?: string }): Promise<Ejected> {
  const key = alertTypeKey(alertType);
  const [written] = await pg<{ workflowType: string }[]>`
    select workflow_type as "workflowType" from playbook_alert_types join playbooks using (playbook_uuid)
    where alert_type_key = ${key} and playbook_alert_types.organization_uuid is null`;
  if (written) throw new StartError(`The written playbook ${written.workflowType} already investigates "${alertType}".`);
  const stored = await pg<StoredPlan[]>`
    select organization_code as organization, alert_type as "alertType", severity, playbook_plans.version, plan
    from playbook_alert_types as types join playbooks using (playbook_uuid)
      join organizations on organizations.organization_uuid = types.organization_uuid
      join playbook_plans on playbook_plans.playbook_uuid = playbooks.playbook_uuid
        and playbook_plans.version = coalesce(pinned_version, playbooks.version)
    where alert_type_key = ${key} and (${organization ?? null}::text is null or organization_code = ${organization ?? null})
    order by organization_code`;
  const [found, ...others] = stored;
  if (others.length > 0) {
    const codes = stored.map((each) => each.organization).join(', ');
    throw new StartError(`Several organizations have a plan for "${alertType}" (${codes}). Select one with --organization CODE.`);
  }
  if (!found) await refuseMisspelled(pg, alertType, organization);
  const type = (found?.alertType ?? alertType).trim();
  const origin = found
    ? `Ejected from version ${found.version} of ${found.organization}'s plan for "${type}"; it serves every organization.`
    : `Ejected from what the planner would do about "${type}"; it serves every organization.`;
  return {
    name: fileName(type),
    alertType: type,
    severity: found ? found.severity : chooseSeverityForType(type),
    origin,
    plan: found?.plan ?? planner.planFor(type),
  };
}

/** The planner has a plan for every name, so a misspelled alert type would become a playbook that investigates nothing. */
async function refuseMisspelled(pg: PgClient, alertType: string, organization: string | undefined): Promise<void> {
  const known = await pg<{ alertType: string; organization: string | null }[]>`
    select alert_type as "alertType", organization_code as organization from playbook_alert_types left join organizations using (organization_uuid)`;
  if (organization !== undefined && !known.some((each) => each.organization === organization))
    throw new StartError(`The organization ${organization} has no plan. Enter the code of an organization that has one.`);
  const meant = findClosestName(
    alertType,
    known.map((each) => each.alertType),
  );
  if (meant !== null) throw new StartError(`No playbook investigates "${alertType}". Did you mean "${meant}"?`);
}

/** `Odd DNS: beacon?` → `odd-dns-beacon`. A name begins with a letter. */
function fileName(alertType: string): string {
  const name = slug(alertType).slice(0, 60).replace(/-+$/, '');
  return /^[a-z]/.test(name) && name !== 'index' ? name : `alert-${name}`;
}

/** `alert-investigator playbook eject`. */
export async function reportEjectedPlaybook(wanted: { alertType: string; organization?: string }): Promise<void> {
  if (wanted.alertType.trim() === '') throw new StartError('The alert type is empty. Enter the alert type of a generated playbook.');
  loadEnvFile();
  const { pg, close } = connectDatabase(findDatabaseUrl(readSettings(process.env)), { poolSize: 1, name: 'alert-investigator eject' });
  try {
    const files = await ejectPlaybook(pg, wanted);
    const [playbook = '', test = ''] = files.map((file) => path.relative(process.cwd(), file));
    console.log(`Wrote ${playbook} and ${test}.`);
    console.log(`Edit the playbook, then run its test: npx vitest run ${test}`);
    console.log(`Record its history for the replay test: npm run histories:record -- ${exportName(path.basename(playbook, '.ts'))}`);
    console.log('The playbook takes effect when the worker restarts. Running investigations keep their plan.');
  } finally {
    await close();
  }
}
