import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_SOURCES = /^(?:node_modules|\.git|\.data.*|dist|pages|coverage)$/;
const SETUP_LIMIT_MS = 240_000;

const CONTRACT = `import { z } from 'zod';
import { defineConnector, defineSkill, origin, secret } from '../kit/define.js';
import { registrationCards } from './card.js';

export const domainRegistry = defineConnector({
  kind: 'domain-registry',
  title: 'Domain registry',
  products: ['Registry'],
  icon: 'intelligence',
  purpose: 'Registration data of internet domains.',
  credentials: z.object({ api_key: secret('API key', 'Shown once when you create it.') }),
  settings: z.object({ api_host: origin('API host', 'The address of the registry, without a path.') }),
  presets: [{ title: 'Public registry', settings: { api_host: 'https://registry.example' } }],
  rotation: null,
  routable: false,
  requestsPerMinute: 60,
  errors: { 401: { cause: 'Invalid API key', resolution: 'Create a new key and reconnect with it.' } },
  hosts: (settings) => [{ purpose: 'API', url: settings.api_host }],
  cards: registrationCards,
  ownNames: { people: ['lax $.contact'] },
  skills: {
    getRegistration: defineSkill({
      title: 'Get registration',
      purpose: 'Reads when a domain was registered.',
      effect: 'read',
      call: 'GET /v1/domains/{name}',
      timeoutSeconds: 30,
      answers: [
        {
          about: 'domain',
          input: { domain: { take: 'item' } },
          proves: [{ when: [{ path: 'age_days', is: 'below', value: 30 }], points: 20, says: 'Domain registered less than 30 days ago' }],
          shows: ['age_days', 'registrar'],
          why: 'Attackers often use domains that are only a few days old.',
        },
      ],
      input: z.object({ domain: z.string().min(1).max(253) }),
      output: z.object({ age_days: z.number().nullable(), registrar: z.string().nullable() }),
    }),
  },
});
`;

const CARD = `import type { CardRule } from '../../domain/alert/entity-cards.js';

export const registrationCards = {
  getRegistration: { card: 'reputation', titles: ['registrar'], fields: { age_days: 'Age in days' } },
} as const satisfies Record<string, CardRule>;
`;

const SKILLS = `import { z } from 'zod';
import { toRefusal } from '../kit/errors.js';
import type { HttpReply, Implementation, SkillContext } from '../kit/implement.js';
import { domainRegistry } from './contract.js';

const Registration = z.object({ registered_at: z.iso.datetime().nullable(), registrar: z.string().nullable() });
const DAY_MS = 24 * 3600 * 1000;

export const domainRegistryImplementation: Implementation<typeof domainRegistry> = {
  skills: {
    async getRegistration({ domain }, context) {
      const { registered_at, registrar } = Registration.parse((await get(context, domain)).json());
      return { age_days: registered_at === null ? null : Math.floor((Date.now() - Date.parse(registered_at)) / DAY_MS), registrar };
    },
  },
  lookups: {},
  async test(context) {
    const reply = await get(context, 'example.com');
    const permissions = Object.values(domainRegistry.skills).map(({ title }) => ({ skill_id: title, permission: null, granted: true }));
    return { credentials: { ok: true, detail: 'The registry accepts the key.' }, permissions, date: reply.headers['date'] ?? null };
  },
};

async function get({ connection, http }: SkillContext<typeof domainRegistry>, domain: string): Promise<HttpReply> {
  const reply = await http.request({
    method: 'GET',
    url: \`\${connection.settings.api_host}/v1/domains/\${encodeURIComponent(domain)}\`,
    headers: { 'x-api-key': connection.credentials.api_key },
  });
  if (reply.status !== 200) throw toRefusal(reply, domainRegistry.errors, reply.text);
  return reply;
}
`;

const STAND_IN = `import type { FastifyInstance } from 'fastify';
import type { StandInDefinition } from '../kit/stand-in/stand-in.js';

export interface DomainRegistryStandInState {
  apiKey: string;
}

export const standIn: StandInDefinition<DomainRegistryStandInState> = {
  define(app: FastifyInstance) {
    const state = { apiKey: 'registry-key' };
    app.get('/v1/domains/:name', async (request, reply) => {
      if (request.headers['x-api-key'] !== state.apiKey) return reply.code(401).send({ error: 'invalid key' });
      return { registered_at: '2020-01-01T00:00:00Z', registrar: 'Example registrar' };
    });
    return state;
  },
  connection: (url, state) => ({ settings: { api_host: url }, credentials: { api_key: state.apiKey } }),
};

declare module '../kit/stand-in/stand-in.js' {
  interface StandInStates {
    domainRegistry: DomainRegistryStandInState;
  }
}
`;

const SCRIPT = `import { catalogue } from './connectors/catalogue.js';
import { plannableSkills } from './connectors/kit/define.js';
import { CARDS, ownNameSources } from './connectors/skill-index.js';
import { startThirdParties } from './connectors/stand-ins.js';
import { describeConnectors } from './api/routes/connectors.js';
import { planFor } from './domain/playbook/planner.js';
import { documentConnectors } from './dev/docs/connectors.js';

const thirdParties = await startThirdParties();
const { connections, standIns } = thirdParties;
const plan = planFor('Reported phishing', plannableSkills(catalogue));
console.log(JSON.stringify({
  asks: plan.steps.flatMap((step) => (step.do === 'ask' ? [step.skill] : [])),
  forms: describeConnectors(),
  docs: documentConnectors(),
  cards: [...CARDS.keys()],
  ownNameSources,
  connection: { ...connections.domainRegistry, url: standIns.domainRegistry.url },
}));
await thirdParties.stop();
`;

interface Findings {
  readonly asks: readonly string[];
  readonly forms: readonly { readonly connector: string }[];
  readonly docs: string;
  readonly cards: readonly string[];
  readonly ownNameSources: readonly unknown[];
  readonly connection: { readonly connector: string; readonly url: string; readonly settings: Readonly<Record<string, string>> };
}

/** A copy of the project with one more connector: its folder, and a line in each of the two lists. */
describe('a new connector', () => {
  let copy: string;
  let findings: Findings;
  let changed: readonly string[];
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, args, { cwd: copy, maxBuffer: 64_000_000 }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
    });

  beforeAll(async () => {
    copy = await mkdtemp(path.join(tmpdir(), 'alert-investigator-new-connector-'));
    await cp(ROOT, copy, { recursive: true, filter: (source) => !NOT_SOURCES.test(path.relative(ROOT, source)) });
    await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
    const folder = path.join(copy, 'connectors/domain-registry');
    await mkdir(folder);
    await writeFile(path.join(folder, 'contract.ts'), CONTRACT);
    await writeFile(path.join(folder, 'card.ts'), CARD);
    await writeFile(path.join(folder, 'skills.ts'), SKILLS);
    await writeFile(path.join(folder, 'stand-in.ts'), STAND_IN);
    await addLine('catalogue.ts', "import { domainRegistry } from './domain-registry/contract.js';", 'domainRegistry');
    await addLine(
      'implementations.ts',
      "import { domainRegistryImplementation } from './domain-registry/skills.js';",
      'domainRegistry: domainRegistryImplementation',
    );
    changed = await listChanged();
    await writeFile(path.join(copy, 'findings.ts'), SCRIPT);
    findings = JSON.parse((await run('--import', 'tsx', 'findings.ts')).stdout);
  }, SETUP_LIMIT_MS);
  afterAll(() => rm(copy, { recursive: true, force: true }));

  async function addLine(list: string, importLine: string, entry: string): Promise<void> {
    const file = path.join(copy, 'connectors', list);
    const text = await readFile(file, 'utf8');
    await writeFile(file, `${importLine}\n${text.replace(/^export const \w+ = \{\n/m, (line) => `${line}  ${entry},\n`)}`);
  }

  /** The changed sources, with the number of lines that each has more than before. */
  async function listChanged(): Promise<string[]> {
    const files = await readdir(copy, { recursive: true, withFileTypes: true });
    const changes = files.flatMap((entry) => {
      const file = path.relative(copy, path.join(entry.parentPath, entry.name));
      return entry.isFile() && !file.startsWith('node_modules') ? [describeChange(file)] : [];
    });
    return (await Promise.all(changes)).filter((change) => change !== null).toSorted();
  }

  async function describeChange(file: string): Promise<string | null> {
    const [before = '', after = ''] = await Promise.all(
      [ROOT, copy].map((folder) => readFile(path.join(folder, file), 'utf8').catch(() => '')),
    );
    if (before === after) return null;
    return before === '' ? file : `${file}: ${after.split('\n').length - before.split('\n').length} more lines`;
  }

  it('touches its folder and, in two lists, an import and an entry', () => {
    const folder = ['card', 'contract', 'skills', 'stand-in'].map((name) => `connectors/domain-registry/${name}.ts`);
    const lists = ['catalogue', 'implementations'].map((name) => `connectors/${name}.ts: 2 more lines`);
    expect(changed).toEqual([...folder, ...lists].toSorted());
  });

  it('has its cards and its names of people', () => {
    expect(findings.cards).toContain('domainRegistry.getRegistration');
    expect(findings.ownNameSources).toContainEqual({ connectorKind: 'domain-registry', people: ['lax $.contact'] });
  });

  it('compiles', async () => {
    await run('node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.json', '--singleThreaded');
  }, 240_000);

  it('is used by generated plans', () => {
    expect(findings.asks).toContain('domainRegistry.getRegistration');
  });

  it('has a form', () => {
    expect(findings.forms.find(({ connector }) => connector === 'domain-registry')).toMatchObject({
      title: 'Domain registry',
      credentials: [{ name: 'api_key', label: 'API key', secret: true, required: true }],
      settings: [{ name: 'api_host', label: 'API host', secret: false, required: true }],
      feeds_intake: false,
      skills: [{ skill_id: 'Get registration', skill_key: 'domainRegistry.getRegistration', slug: 'get-registration' }],
    });
  });

  it('is documented', () => {
    expect(findings.docs).toContain('## Domain registry');
    expect(findings.docs).toContain('| Get registration | `domainRegistry.getRegistration` | read | `GET /v1/domains/{name}` |');
  });

  it('has a stand-in', () => {
    const { connector, settings, url } = findings.connection;
    expect(connector).toBe('domain-registry');
    expect(settings).toEqual({ api_host: url });
  });

  it('passes the tests of every connector', async () => {
    await run('--import', 'tsx', 'dev/docs/write-docs.ts');
    await writeFile(path.join(copy, 'connectors.config.mjs'), 'export default { test: { testTimeout: 60_000 } };\n');
    const tests = ['catalogue', 'stand-ins'].map((name) => `test/connectors/${name}.test.ts`);
    const { stdout } = await run(
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'connectors.config.mjs',
      '--reporter',
      'verbose',
      ...tests,
    );
    expect(stdout).toContain('domainRegistry.getRegistration');
  }, 240_000);
});
