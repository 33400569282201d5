import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSettings, SETTING_NAMES } from '../../platform/settings.js';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

const LONG_RUNNING = ['postgres', 'temporal', 'temporal-ui', 'api', 'worker'];
/** Started with a profile only. */
const OPTIONAL = ['agent'];
const ONE_SHOT = ['database-role', 'temporal-schema', 'temporal-namespace', 'migrate'];

describe('docker-compose.yml', () => {
  let compose: string;
  let services: Map<string, string>;
  const service = (name: string) => services.get(name) ?? '';

  beforeAll(async () => {
    compose = await read('docker-compose.yml');
    const [, body = ''] = /^services:\n((?: .*\n|\n)*)/m.exec(compose) ?? [];
    services = new Map(
      [...body.matchAll(/^ {2}(?<name>[a-z-]+):\n(?<text>(?: {4}.*\n|\n)*)/gm)].map(({ groups }) => [
        groups?.name ?? '',
        groups?.text ?? '',
      ]),
    );
  });

  it('runs the whole production topology', () => {
    expect([...services.keys()].sort()).toEqual([...LONG_RUNNING, ...ONE_SHOT, ...OPTIONAL].sort());
  });

  it('checks the health of every long-running service', () => {
    for (const name of LONG_RUNNING) expect(service(name), name).toMatch(/^ {4}healthcheck:\n(?: {6}.*\n)* {6}test:/m);
  });

  it('waits for every one-shot service', () => {
    for (const name of ONE_SHOT) {
      expect(
        [...services.values()].some((text) => text.includes(`${name}: { condition: service_completed_successfully }`)),
        name,
      ).toBe(true);
    }
  });

  it('lets the worker scale: it has no fixed name and no host port', () => {
    expect(service('worker')).not.toMatch(/container_name|ports:/);
    expect(compose).not.toContain('container_name');
  });

  it('opens ports only to this machine by default', () => {
    const ports = [...compose.matchAll(/^ {4}ports:\n(?<list>(?: {6}.*\n)*)/gm)].flatMap(
      ({ groups }) => groups?.list?.match(/^ {6}- .*$/gm) ?? [],
    );
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/- (?:127\.0\.0\.1|\$\{HOST:-127\.0\.0\.1\}):/);
  });

  it('pins every image by its digest', async () => {
    const images = [...compose.matchAll(/^\s+image: (?:&\S+ )?(?<image>[^*\s]\S*)$/gm)].map(({ groups }) => groups?.image ?? '');
    const bases = [...(await read('Dockerfile')).matchAll(/^FROM (?<image>\S+)/gm)].map(({ groups }) => groups?.image ?? '');
    expect(images.length + bases.length).toBeGreaterThan(6);
    for (const image of [...images, ...bases]) expect(image).toMatch(/:(?:local|\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64})$/);
  });

  it('gives containers no capabilities and no writable files', () => {
    for (const [name, text] of services) expect(text, name).toMatch(/^ {4}<<: \*(?:hardened|app)$/m);
    expect(compose).toMatch(/^x-hardened: .*\n {2}cap_drop: \[ALL\]\n {2}security_opt: \[no-new-privileges:true\]\n {2}read_only: true$/m);
    expect(compose).toMatch(/^x-app: .*\n {2}<<: \*hardened$/m);
    expect(compose).not.toContain('read_only: false');
  });

  it('reads secrets from .env and names a missing one', () => {
    for (const name of ['ADMIN_API_KEY', 'POSTGRES_PASSWORD', 'DATABASE_PASSWORD']) {
      expect(compose).toMatch(new RegExp(`\\$\\{${name}:\\?set ${name} in \\.env`));
      expect(compose).not.toMatch(new RegExp(`\\$\\{${name}(?!:\\?|[A-Z_])`));
    }
  });

  it('reads the master key from a file', () => {
    const env = new Map([['MASTER_KEY_FILE', '/secrets/master-key']]);
    const [, shared = ''] = /^x-app-environment: .*\n((?: .*\n)*)/m.exec(compose) ?? [];
    const lines = [...shared.matchAll(/^ {2}(?<key>MASTER_KEY\w*): \$\{(?<name>\w+):-\}$/gm)];
    const given = Object.fromEntries(lines.map(({ groups }) => [groups?.key ?? '', env.get(groups?.name ?? '') ?? '']));
    const { MASTER_KEY, MASTER_KEY_FILE } = readSettings(given);
    expect({ MASTER_KEY, MASTER_KEY_FILE }).toEqual({ MASTER_KEY: undefined, MASTER_KEY_FILE: '/secrets/master-key' });
  });

  it('uses only variables that .env.example documents', async () => {
    const example = await read('.env.example');
    for (const { groups } of compose.matchAll(/\$\{(?<name>[A-Z_]+)/g)) expect(example).toMatch(new RegExp(`^#?${groups?.name}=`, 'm'));
  });

  it('passes every setting that .env.example documents, and each setting is documented', async () => {
    const documented = [...(await read('.env.example')).matchAll(/^#?(?<name>[A-Z_]+)=/gm)].map(({ groups }) => groups?.name ?? '');
    expect([...documented].sort()).toEqual([...SETTING_NAMES, 'POSTGRES_PASSWORD', 'DATABASE_PASSWORD'].sort());
    // Only `npm start` uses these: it runs an embedded Postgres and Temporal.
    const unused = ['DATA_DIR', 'TEMPORAL_CLI'];
    const passed = new Set([...compose.matchAll(/^ +(?<key>[A-Z_]+):/gm)].map(({ groups }) => groups?.key));
    // The password is part of DATABASE_URL.
    const inUrl = ['DATABASE_PASSWORD'];
    expect(documented.filter((name) => !passed.has(name) && !unused.includes(name) && !inUrl.includes(name))).toEqual([]);
    // A variable with a fixed value in the containers is an address inside the network of docker compose.
    const fixed = ['DATABASE_URL', 'HOST', 'PORT', 'WORKER_HOST', 'WORKER_PORT'];
    const substituted = new Set([...compose.matchAll(/\$\{(?<name>[A-Z_]+)/g)].map(({ groups }) => groups?.name));
    expect(documented.filter((name) => !substituted.has(name) && !fixed.includes(name) && !unused.includes(name))).toEqual([]);
  });

  it('sets only settings that exist', () => {
    for (const name of ['migrate', 'api', 'worker', 'agent']) {
      const own = [...service(name).matchAll(/^ {6}(?<key>[A-Z_]+):/gm)].map(({ groups }) => groups?.key);
      expect(SETTING_NAMES, name).toEqual(expect.arrayContaining(own));
    }
    const [, shared = ''] = /^x-app-environment: .*\n((?: .*\n)*)/m.exec(compose) ?? [];
    const keys = [...shared.matchAll(/^ {2}(?<key>[A-Z_]+):/gm)].map(({ groups }) => groups?.key);
    expect(keys).toContain('DATABASE_URL');
    expect(SETTING_NAMES).toEqual(expect.arrayContaining(keys));
  });
});

describe('Dockerfile', () => {
  it('runs as an unprivileged user and checks its health', async () => {
    const dockerfile = await read('Dockerfile');
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  });

  it('starts only operator commands, which dist/ contains', async () => {
    const dockerfile = await read('Dockerfile');
    expect(dockerfile).toContain('ENTRYPOINT ["node", "bin/alert-investigator"]');
    const compose = await read('docker-compose.yml');
    const started = [...compose.matchAll(/^ {4}command: \[(?<command>[a-z ,]+)\]$/gm)].map(({ groups }) => groups?.command);
    expect([...started].sort()).toEqual(['agent', 'api', 'migrate', 'worker']);
    expect(dockerfile).toContain('CMD ["api"]');
    const commands = await read('cli/program.ts');
    for (const command of started) expect(commands).toContain(`.command('${command}')`);
  });

  it('keeps secrets and data out of the image', async () => {
    const ignored = (await read('.dockerignore')).split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.env', '.data', '.git', '**/node_modules']));
  });
});

const Step = z.object({ name: z.string().optional(), run: z.string().optional(), with: z.record(z.string(), z.unknown()).optional() });
const Workflow = z.object({
  jobs: z.record(z.string(), z.object({ 'timeout-minutes': z.number(), strategy: z.unknown().optional(), steps: z.array(Step) })),
});

describe('.github/workflows/ci.yml', () => {
  let jobs: z.output<typeof Workflow>['jobs'];
  const commands = (name: string) => jobs[name]?.steps.flatMap(({ run }) => (run === undefined ? [] : [run])) ?? [];

  beforeAll(async () => {
    ({ jobs } = Workflow.parse(parse(await read('.github/workflows/ci.yml'))));
  });

  it('runs the same commands as .ci/run', async () => {
    const script = await read('.ci/run');
    const run = ['test', 'full', 'check'].flatMap(commands);
    expect(run).toEqual(['npm ci', 'npm test', 'npm ci', 'npm run test:full -- --project full', 'npm ci', 'npm run check']);
    for (const command of run) expect(script).toContain(command);
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(await read('package.json')));
    for (const command of run) expect(Object.keys(scripts)).toContain(/npm (?:run )?(?!ci)(\S+)/.exec(command)?.[1] ?? 'test');
  });

  it('tests the supported Node versions, and checks with the version of the image', async () => {
    expect(jobs['test']?.strategy).toMatchObject({ matrix: { node: [20, 22, 24] } });
    const version = (await read('.nvmrc')).trim();
    expect(await read('Dockerfile')).toContain(`FROM node:${version}.`);
    for (const name of ['check', 'full']) expect(jobs[name]?.steps[1]?.with).toMatchObject({ 'node-version-file': '.nvmrc' });
  });

  /** Runs the last step of the job as GitHub does, with a program that prints a text and ends with a code. */
  const runLastStep = (job: string, program: string, text: string, code: number) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-workflow-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const replacement = `#!/bin/sh\necho "$@" >> called.txt\necho '${text}'\nexit ${code}\n`;
    writeFileSync(path.join(folder, program), replacement, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    const { status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', commands(job).at(-1) ?? ''], { cwd: folder, env });
    return { status, called: readFileSync(path.join(folder, 'called.txt'), 'utf8').trim().split('\n') };
  };
  const checkImage = (text: string, code: number) => runLastStep('image', 'docker', text, code);

  it('starts each command of the image with its entry point', async () => {
    const { status, called } = checkImage('Set DATABASE_URL.', 1);
    expect(status).toBe(0);
    const image = jobs['image']?.steps.find((step) => step.with?.['tags'] !== undefined)?.with?.['tags'];
    const started = called.map((call) => call.replace(`run --rm ${image} `, ''));
    expect(started).toEqual(['api', 'worker', 'agent', 'migrate']);
    const known = await read('cli/program.ts');
    for (const command of started) expect(known).toContain(`.command('${command}')`);
  });

  it('fails for an image that starts without settings, or ends for another reason', () => {
    expect(checkImage('Set DATABASE_URL.', 0).status).not.toBe(0);
    expect(checkImage('Cannot find module dist/api/main.js', 1).status).not.toBe(0);
  });

  it('fails for a known vulnerability, and not for a registry that does not know any', () => {
    const audit = (text: string, code: number) => runLastStep('audit', 'npm', text, code);
    expect(audit('found 0 vulnerabilities', 0)).toEqual({ status: 0, called: ['audit --omit=dev --audit-level=high'] });
    expect(audit('1 high severity vulnerability', 1).status).not.toBe(0);
    expect(audit('npm error audit endpoint returned an error', 1).status).toBe(0);
  });
});

const WorkflowRights = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), z.object({ permissions: z.record(z.string(), z.string()).optional(), steps: z.array(z.unknown()) })),
});

describe.each(readdirSync(new URL('../../.github/workflows/', import.meta.url)))('.github/workflows/%s', (file) => {
  const readWorkflow = () => read(`.github/workflows/${file}`);

  it('pins every action by the digest of a version', async () => {
    const used = [...(await readWorkflow()).matchAll(/^ +(?:- )?uses: (?<action>.+)$/gm)].map(({ groups }) => groups?.action ?? '');
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('gives the token of the workflow only what a job needs', async () => {
    const { permissions, jobs } = WorkflowRights.parse(parse(await readWorkflow()));
    expect(permissions).toEqual({ contents: 'read' });
    const granted = Object.values(jobs).flatMap((job) => Object.entries(job.permissions ?? {}));
    const published = [
      ['contents', 'read'],
      ['packages', 'write'],
      ['id-token', 'write'],
      ['attestations', 'write'],
    ];
    expect(granted).toEqual(file === 'release.yml' ? published : []);
  });

  it('leaves no token in the checkout, and runs for no untrusted event with rights', async () => {
    const text = await readWorkflow();
    const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
    expect(text.match(/persist-credentials: false/g)).toHaveLength(checkouts.length);
    expect(text).not.toContain('pull_request_target');
  });
});

describe('.github/workflows/release.yml', () => {
  it('publishes the image with its provenance and its list of parts', async () => {
    const release = parse(await read('.github/workflows/release.yml'));
    const { steps } = Workflow.parse(release).jobs['image'] ?? { steps: [] };
    expect(steps.map((step) => step.with)).toContainEqual(expect.objectContaining({ push: true, provenance: 'mode=max', sbom: true }));
    expect(steps.at(-1)?.with).toMatchObject({ 'subject-digest': expect.stringContaining('outputs.digest'), 'push-to-registry': true });
  });
});
