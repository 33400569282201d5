import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ActivityDeps, createActivities } from '../../activities/index.js';
import { listSkills, type SkillSet } from '../../activities/skills/perform-skill.js';
import { describeConnectors } from '../../api/routes/connectors.js';
import { catalogue } from '../../connectors/catalogue.js';
import { implementations } from '../../connectors/implementations.js';
import { type Catalogue, isSecret, skillSlug } from '../../connectors/kit/define.js';
import { documentConnectors } from '../../dev/docs/connectors.js';
import { toSkillKey } from '../../domain/skill-key.js';

const set: SkillSet = { catalogue, implementations };
const connectors: Catalogue = catalogue;
const skills = listSkills(set).map((skill) => [skill.skillKey, skill] as const);

/** The skills that the specification names, by the connector's kind. */
const SPECIFIED_TITLES: Readonly<Record<string, readonly string[]>> = {
  'endpoint-detection': [
    'List alerts',
    'Get alert',
    'List machines',
    'Get machine',
    'List machine logon users',
    'Isolate machine',
    'Unisolate machine',
    'Run antivirus scan',
    'Collect investigation package',
    'Run live response',
    'Run advanced query',
    'List indicators',
    'Create indicator',
    'List vulnerabilities',
    'List machines vulnerabilities',
    'List recommendations',
    'Get machine action',
    'Get investigation package',
    'Get live response result',
    'Get scan result',
    'List machine actions',
  ],
  'incident-source': ['List Incidents for Detections', 'List Incidents', 'Get Incident'],
  'malware-protection': ['Retrieve Events', 'List computers', 'Create event stream'],
  'vulnerability-investigation': [
    'List investigations',
    'Get investigation',
    'List investigation alerts',
    'Search vulnerabilities of an asset',
  ],
  'travel-booking': ['Get Users', 'Search User Travel', 'Get Bookings'],
  'threat-intelligence': ['Get Playbook Alerts', 'List Alerts', 'Get Enrichment'],
};

const APP_REGISTRATION = {
  credentials: ['tenant_id', 'client_id', 'client_secret'],
  secrets: ['client_secret'],
  settings: ['auth_url', 'api_host', 'scope_resource'],
};
/** The fields that the specification names. */
const SPECIFIED_FIELDS: Record<string, { credentials: string[]; secrets: string[]; settings: string[] }> = {
  'endpoint-detection': APP_REGISTRATION,
  'incident-source': APP_REGISTRATION,
  'malware-protection': {
    credentials: ['api_client_id', 'api_key', 'stream'],
    secrets: ['api_key', 'stream'],
    settings: ['region', 'api_host'],
  },
  'vulnerability-investigation': {
    credentials: ['api_token'],
    secrets: ['api_token'],
    settings: ['region', 'region_api_host', 'key_type', 'web_host', 'deployment_host', 'storage_host'],
  },
  'travel-booking': {
    credentials: ['client_id', 'client_secret'],
    secrets: ['client_secret'],
    settings: ['base_url', 'region', 'users_path', 'users_paging'],
  },
  'threat-intelligence': { credentials: ['api_key'], secrets: ['api_key'], settings: ['api_host', 'token_header', 'alert_path'] },
};

type JsonSchema = Readonly<Record<string, unknown>>;
const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists every nested schema with its path. */
function* walk(schema: JsonSchema, path = ''): Generator<[path: string, schema: JsonSchema]> {
  yield [path, schema];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'default' || keyword === 'enum') continue;
    const isMap = keyword === 'properties' || keyword === '$defs';
    const inner = Array.isArray(value) || (isMap && isSchema(value)) ? Object.entries(value) : [['', value] as const];
    for (const [name, part] of inner) if (isSchema(part)) yield* walk(part, `${path}/${name || keyword}`);
  }
}

function listSchemas(schema: z.ZodType, io: 'input' | 'output'): [path: string, schema: JsonSchema][] {
  return [...walk({ ...z.toJSONSchema(schema, { io, unrepresentable: 'throw' }) })];
}

describe.each(Object.entries(connectors))('%s', (name, connector) => {
  it('has the skills of the specification, each with its own slug', () => {
    const contracts = Object.values(connector.skills);
    const titles = contracts.map(({ title }) => title);
    expect(titles).toEqual(SPECIFIED_TITLES[connector.kind] ?? titles);
    const slugs = contracts.map(skillSlug);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it('has the fields of the specification, each with a label and a help text', () => {
    const { credentials, settings } = connector;
    const fields = {
      credentials: Object.keys(credentials.shape),
      secrets: Object.keys(credentials.shape).filter((field) => isSecret(credentials.shape[field])),
      settings: Object.keys(settings.shape),
    };
    expect(fields).toEqual(SPECIFIED_FIELDS[connector.kind] ?? fields);
    for (const { shape } of [credentials, settings]) {
      for (const [field, schema] of Object.entries(shape)) {
        expect([field, z.toJSONSchema(schema as z.ZodType, { io: 'input' })]).toEqual([
          field,
          expect.objectContaining({ title: expect.stringMatching(/./), description: expect.stringMatching(/./) }),
        ]);
      }
    }
  });

  it('has a form and a section in the documentation', () => {
    expect(describeConnectors().map((form) => form.connector)).toContain(connector.kind);
    expect(documentConnectors()).toContain(`<a id="${connector.kind}"></a>\n\n## ${connector.title}`);
  });

  it('offers presets that its own settings allow', () => {
    expect(connector.presets.length).toBeGreaterThan(0);
    for (const preset of connector.presets) expect(connector.settings.safeParse(preset.settings)).toMatchObject({ success: true });
  });

  it('builds a valid input for its listing skill if it polls alerts', () => {
    if (connector.intake?.mode !== 'poll') return;
    const listing = connector.skills[connector.intake.verb];
    expect(listing?.effect).toBe('read');
    for (const until of [null, 1_772_360_000]) {
      const input = connector.intake.buildInput({ since: 1_772_359_000, until }, 1_772_359_500);
      // zod drops a field that the skill does not have, and the window would be unlimited.
      expect(listing?.input.safeParse(input).data).toMatchObject(input);
    }
  });

  it('names no other connector', async () => {
    const folder = new URL(`../../connectors/${connector.kind}/`, import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts') && !file.startsWith('stand-in'));
    const text = (await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))).join('\n');
    const others = Object.entries(connectors).filter(([other]) => other !== name);
    const isNamed = (word: string) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text);
    expect(others.flatMap(([other, { kind }]) => [other, kind]).filter(isNamed)).toEqual([]);
  });

  it('can look up the result of every write', () => {
    const writes = Object.entries(connector.skills).flatMap(([verb, { effect }]) => (effect === 'write' ? [verb] : []));
    expect(Object.keys(set.implementations[name]?.lookups ?? {}).sort()).toEqual(writes.sort());
  });
});

/** Lists the paths of all properties in a schema. */
const listKeys = (schema: z.ZodType, io: 'input' | 'output') => new Set(listSchemas(schema, io).map(([path]) => path.slice(1)));

describe.each(skills)('%s', (activityName, { contract, connector }) => {
  const { touches = [], namesHosts = [], namesOnAnyHost = [], ends, doneWhen, undoneBy, effect } = contract;

  it('names its target if and only if it changes something', () => {
    expect(contract.touches === undefined, 'a write declares its targets, or an empty list').toBe(effect === 'read');
    if (effect === 'read') expect([ends, doneWhen, undoneBy]).toEqual([undefined, undefined, undefined]);
  });

  it('refers to skills of its own connector, with valid inputs and output paths', () => {
    const named = [
      ...touches.map((each) => ({ ...each, effect: 'read', paths: [each.hosts, each.users, each.tags] })),
      ...(ends ? [{ ...ends, effect: 'read', paths: [ends.path] }] : []),
      ...(doneWhen ? [{ ...doneWhen, effect: 'read', paths: [doneWhen.path] }] : []),
      ...(undoneBy ? [{ ...undoneBy, effect: 'write', paths: [] }] : []),
    ];
    const inputPaths = [
      ...touches.flatMap(({ when, whenHost }) => [when, whenHost, ...(whenHost?.when ?? [])].flatMap((each) => each?.path ?? [])),
      ...[...namesHosts, ...namesOnAnyHost].flatMap(({ path, when }) => [path, ...when.map((each) => each.path)]),
    ];
    for (const path of inputPaths) expect(listKeys(contract.input, 'input')).toContain(path);
    for (const { verb, input, paths, effect: wanted } of named) {
      const other = connector.skills[verb];
      expect(other?.effect, `${verb} is a ${wanted}`).toBe(wanted);
      if (!other) continue;
      const taken = Object.entries(other.input.shape);
      expect(Object.keys(input).filter((field) => !taken.some(([name]) => name === field))).toEqual([]);
      const needed = taken.filter(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success).map(([name]) => name);
      expect(Object.keys(input), `${verb} needs ${needed}`).toEqual(expect.arrayContaining(needed));
      for (const source of Object.values(input)) {
        if (source.take === 'value' || source.take === 'proposedAt') continue;
        const side = source.take === 'host' ? 'input' : source.take;
        expect(listKeys(contract[side], side)).toContain(source.path);
      }
      for (const path of paths.filter((each) => each !== undefined))
        expect(listKeys(other.output, 'output')).toContain(path.replaceAll('[].', '/items/').replace('[]', ''));
    }
  });

  it('is an activity', () => {
    expect(activities).toHaveProperty([activityName], expect.any(Function));
  });

  it('declares its description, effect and time limits', () => {
    expect(contract.purpose).toMatch(/^[A-Z].*\.$/s);
    expect(contract.call).toMatch(/^(GET|POST|PUT|PATCH|DELETE) \/\S+$/);
    expect(contract.permission ?? 'none').not.toBe('');
    expect(contract.timeoutSeconds).toBeGreaterThanOrEqual(10);
    expect(contract.timeoutSeconds).toBeLessThanOrEqual(300);
    // A read that uses POST is a search. No other POST is a read.
    if (contract.effect === 'read') expect(contract.call).toMatch(/^GET |search$|run$|\/vm\/v4\/integration\//);
    else expect(contract.call).not.toMatch(/^GET /);
  });

  it('limits the length of every input', () => {
    const unbounded = listSchemas(contract.input, 'input').filter(
      ([, { type, enum: choices, const: only, maxLength, maxItems, properties, anyOf, oneOf, allOf }]) =>
        (type === 'string' && choices === undefined && only === undefined && maxLength === undefined) ||
        (type === 'array' && maxItems === undefined) ||
        (type === 'object' && properties === undefined) ||
        [type, choices, only, anyOf, oneOf, allOf].every((given) => given === undefined),
    );
    expect(unbounded.map(([path]) => path)).toEqual([]);
  });

  it('returns values that survive JSON: no dates, bigints or undefined fields', () => {
    const missing = listSchemas(contract.output, 'output').flatMap(([path, { properties, required }]) =>
      isSchema(properties)
        ? Object.keys(properties)
            .filter((key) => !(required as string[]).includes(key))
            .map((key) => `${path}/${key}`)
        : [],
    );
    expect(missing).toEqual([]);
  });
});

/** The test never calls these skills. */
const activities = createActivities({} as ActivityDeps);

it('registers a skill under the name that playbooks use', () => {
  const names = Object.entries(connectors).flatMap(([name, { skills }]) => Object.keys(skills).map((verb) => toSkillKey(name, verb)));
  expect(Object.keys(activities).filter((activity) => activity.includes('.'))).toEqual(names);
});

it('is documented in docs/connectors.md, which `npm run docs` writes', async () => {
  const document = await readFile(new URL('../../docs/connectors.md', import.meta.url), 'utf8');
  expect(documentConnectors()).toBe(document);
  for (const [, { contract }] of skills) expect(document).toContain(`| ${contract.title} |`);
});

it.each(
  Object.entries(connectors).flatMap(([name, { cards = {} }]) => Object.entries(cards).map(([verb, rule]) => [name, verb, rule] as const)),
)('the card of %s.%s shows fields of the answer', (name, verb, { list, titles, fields }) => {
  const output: z.ZodObject = connectors[name]?.skills[verb]?.output ?? z.object({});
  const entries = list === undefined ? output : output.shape[list];
  const schema = JSON.stringify(z.toJSONSchema(entries instanceof z.ZodType ? entries : z.never()));
  const names = [...titles, ...Object.keys(fields)].flatMap((field) => field.split('.')).map((part) => part.replace('[]', ''));
  expect(names.filter((part) => !schema.includes(`"${part}":`))).toEqual([]);
});
