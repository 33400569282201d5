import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { ENTITY_KINDS, type EntityKind } from '../../domain/entity/entity.js';
import { table } from './markdown.js';

const ENTITY_EXAMPLES: Readonly<Record<EntityKind, string>> = {
  ip: '`203.0.113.7`, `2001:db8::1`',
  domain: '`login.example.net`',
  url: '`http://203.0.113.7/login`',
  hash: 'MD5, SHA-1 or SHA-256 in hexadecimal',
  cve: '`CVE-2026-1234`',
  email: '`dana@example.com`',
  user: '`dana@example.com`, `EXAMPLE\\dana`, `dana`',
  host: '`hr-ws-014.example.com`',
  'machine-id': 'id of a device at the endpoint platform (40 hexadecimal digits)',
  'incident-id': 'id of an incident at the incident source',
  'alert-id': 'id of an alert at a third party: endpoint alert, intelligence alert or playbook alert',
  'investigation-id': 'id or resource name of an investigation at the investigation platform',
};

/** These replace the comments of the code, which address maintainers and not the authors of playbooks. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'PlaybookContext.alert': 'The alert, see below.',
  'PlaybookContext.entities': 'The entities that the alert contains, see [Entities](#entities).',
  'PlaybookContext.skills': 'The read skills of all connectors, see [Skills](#skills).',
  'PlaybookContext.evidence': 'Collects findings, gaps and notes, see [Evidence](#evidence).',
  'PlaybookContext.correlate': 'Finds earlier alerts with the same entities, see [Correlation](#correlation).',
  'PlaybookContext.findLikelyOwn':
    'Returns the domains among these that several machines or people of the organization use, according to its third parties. No admin confirmed them.',
  'PlaybookContext.isConnected': 'Says whether the organization has a connection to the third party, by its name in the catalogue.',
  'PlaybookContext.searchRecords': 'Finds alerts, incidents and investigations of the third parties that contain one of the values.',
  'PlaybookContext.propose': 'The write skills of all connectors. An analyst decides, see [Proposals](#proposals).',
  'PlaybookContext.followUp': 'Schedules another investigation of the alert, see [Follow-ups](#follow-ups).',
  'PlaybookContext.plan': 'The steps of a generated playbook. `null` in a written one.',
  'AlertFacts.id': 'The alert id, for example `DEMO-SIEM-1`.',
  'AlertFacts.type': 'The alert type.',
  'AlertFacts.provider': 'The name of the provider.',
  'AlertFacts.organization': 'The code of the organization.',
  'AlertFacts.createdAt': 'The time when the service stored the alert, in epoch seconds.',
  'AlertFacts.createdAtSource':
    'The time that the sender gave, in epoch seconds. `alertTime(alert)` returns it, or `createdAt` if it is missing or not plausible.',
  'AlertFacts.content': 'The first part of the content: a workflow history must stay small.',
  'AlertFacts.contentTruncated': '`true` if `content` is shorter than the content of the alert. Entities come from the whole content.',
  'SharedEntity.kind': 'The kind of the entity.',
  'SharedEntity.value': 'Its value.',
  'SharedEntity.alertCount': 'The number of earlier alerts with it.',
  'SharedEntity.alertIds': 'Their ids, newest first, not necessarily all.',
  'EvidenceLog.finding': 'Adds points for (+) or against (−) the verdict malicious, at most 100 either way.',
  'EvidenceLog.fact': 'Adds a finding whose points the rules give, see [The verdict rule](#the-verdict-rule).',
  'EvidenceLog.gap': 'A question without an answer. It lowers the confidence. The same title and reason count once.',
  'EvidenceLog.leftOut': 'A gap for a part of the alert that was not examined. It rules out the verdict benign.',
  'EvidenceLog.note': 'An entry without points.',
  'EvidenceLog.entries': 'All entries so far.',
  'EvidenceOptions.step': 'The id of the entry. A later entry with the same id replaces the earlier one. Default: made from the title.',
  'EvidenceOptions.source': 'The source of the entry, if it is not an answer of a skill.',
  'EvidenceOptions.from': 'The answer of a skill that the entry rests on. The case shows its source.',
  'EvidenceOptions.techniques': 'Ids of MITRE ATT&CK techniques, for example `T1078`.',
  askStandardQuestions:
    'Asks every connected third party about the entities of the alert, gives the answers their points by the common rules and proposes responses. Start with it.',
  listValues: 'The values of the entities of one kind.',
  onlySome: 'The values that a question takes, such as public addresses only.',
  selectEntities: 'The values of the entities that a step of a plan names.',
  limitItems: 'The first 10 items (or `max`), without duplicates. It adds a gap if it leaves items out.',
  findMachines:
    'The devices of the alert at the endpoint platform, each with the answer that it came from. It adds a note for an unknown host.',
  toShortHostName: '`hr-ws-014` for `hr-ws-014.harbour-reed.example`.',
  alertTime: 'The time of the event in epoch seconds: the time of the sender, or the time of the intake.',
  isPlausibleSourceTime: 'Whether the time of the sender is a time in epoch seconds that the alert can have.',
  toIsoString: 'ISO 8601 for epoch seconds.',
  daysBefore: 'Epoch seconds some days earlier.',
  placesIn: 'The places that the content names, in lower case, without duplicates.',
  hasBegun: 'Whether a local date can have begun at that time, in any time zone.',
};

interface Signature {
  readonly name: string;
  readonly code: string;
  readonly description: string;
}

/** The generated blocks of docs/authoring-playbooks.md, by name. */
export function describePlaybookApi(): Readonly<Record<string, string>> {
  const helpers = [
    'workflows/lib/standard-questions.ts',
    'workflows/lib/playbook-helpers.ts',
    'domain/alert/source-time.ts',
    'domain/playbook/place.ts',
  ].map((file) => [`From \`${file}\`:`, toTable(listExportedFunctions(file), 'Function')].join('\n\n'));
  return {
    context: toTable(listMembers('PlaybookContext'), 'Member'),
    alert: toTable(listMembers('AlertFacts'), 'Member'),
    'shared-entity': toTable(listMembers('SharedEntity'), 'Member'),
    evidence: toTable(listMembers('EvidenceLog'), 'Method'),
    'evidence-options': toTable(listMembers('EvidenceOptions'), 'Option'),
    'entity-kinds': table(
      ['Kind', 'Example'],
      ENTITY_KINDS.map((kind) => [`\`${kind}\``, ENTITY_EXAMPLES[kind]]),
    ),
    helpers: helpers.join('\n\n'),
  };
}

function toTable(signatures: readonly Signature[], heading: string): string {
  return table(
    [heading, 'Signature', 'Description'],
    signatures.map(({ name, code, description }) => [`\`${name}\``, `\`${code}\``, description]),
  );
}

function read(file: string) {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const { program, comments } = parseSync(file, text);
  const describe = (start: number): string => {
    const before = comments.findLast(({ end }) => end <= start && /^\s*(?:readonly\s*)?$/.test(text.slice(end, start)));
    return before?.value.startsWith('*')
      ? before.value
          .slice(1)
          .replace(/\s*\n\s*\*?\s*/g, ' ')
          .trim()
      : '';
  };
  const slice = ({ start, end }: { start: number; end: number }) => text.slice(start, end).replace(/\s+/g, ' ').replace(/;$/, '');
  const statements = program.body.map((statement) => ({
    start: statement.start,
    declaration: statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement,
    isExported: statement.type === 'ExportNamedDeclaration',
  }));
  return { text, describe, slice, statements };
}

function listExportedFunctions(file: string): Signature[] {
  const { text, describe, statements } = read(file);
  return statements.flatMap(({ start, declaration, isExported }) => {
    if (!isExported || declaration?.type !== 'FunctionDeclaration' || !declaration.id || !declaration.body) return [];
    const code = text
      .slice(declaration.id.start, declaration.body.start)
      .replace(/\s+/g, ' ')
      .replace('( ', '(')
      .replace(', )', ')')
      .trim();
    const { name } = declaration.id;
    return [{ name, code, description: DESCRIPTIONS[name] ?? describe(start) }];
  });
}

/** The members of an interface. */
function listMembers(name: string): Signature[] {
  const file = findFile(name);
  const { describe, slice, statements } = read(file);
  const found = statements
    .map(({ declaration }) => declaration)
    .find((each) => each && 'id' in each && each.id && 'name' in each.id && each.id.name === name);
  if (found?.type === 'TSInterfaceDeclaration') {
    return found.body.body.flatMap((member) => {
      if (!('key' in member) || member.key.type !== 'Identifier') return [];
      const description = DESCRIPTIONS[`${name}.${member.key.name}`] ?? describe(member.start);
      return [{ name: member.key.name, code: slice(member).replace(/^readonly /, ''), description }];
    });
  }
  throw new Error(`${name} in ${file} is not an interface.`);
}

const FOLDERS = ['workflows', 'workflows/lib', 'domain/investigation', 'domain/alert', 'domain/playbook'];

function findFile(name: string): string {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`../../${folder}`, import.meta.url)).flatMap((file) => (file.endsWith('.ts') ? [`${folder}/${file}`] : [])),
  );
  const declares = new RegExp(`^(?:export )?interface ${name}\\b`, 'm');
  const found = files.find((file) => declares.test(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')));
  if (found === undefined) throw new Error(`No file of ${FOLDERS.join(', ')} declares ${name}. Change dev/docs/playbook-api.ts.`);
  return found;
}
