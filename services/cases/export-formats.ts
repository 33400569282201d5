import { v5 as deriveUuid } from 'uuid';
import { toIsoString } from '../../domain/alert/intake-source.js';
import type { CaseDetail } from '../../domain/case/case.js';
import type { Entity } from '../../domain/entity/entity.js';
import type { Attachment } from '../attachments/wire.js';
import type { CaseTask } from '../case-tasks/wire.js';

/** What belongs to a case and is stored elsewhere. */
export interface CaseParts {
  readonly entities: readonly Entity[];
  readonly tasks: readonly CaseTask[];
  readonly attachments: readonly Attachment[];
}

/** The case as data. Each time is there a second time in a form that people read. */
export function asJson(found: CaseDetail, parts: CaseParts): object {
  const { opened_at: openedAt, modified_at: modifiedAt, closed_at: closedAt, timeline } = found;
  return {
    ...found,
    ...parts,
    opened: toIsoString(openedAt),
    modified: toIsoString(modifiedAt),
    closed: closedAt === null ? null : toIsoString(closedAt),
    timeline: timeline.map((entry) => ({ ...entry, time: toIsoString(entry.at) })),
  };
}

/** Markdown for a ticket or a wiki. Text from outside goes into code spans, where it cannot act as Markdown. */
export function asMarkdown(found: CaseDetail, { entities, tasks, attachments }: CaseParts): string {
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]);
  return [
    `# ${quoted(found.title)}`,
    '',
    `- Case: ${found.case_id}; verdict: ${found.verdict ?? 'under investigation'}`,
    `- Status: ${found.status}; severity: ${found.severity ?? '–'}; score ${found.score ?? '–'}, confidence ${found.confidence ?? '–'}`,
    `- Organization: ${found.organization_code}; investigator: ${quoted(found.playbook ?? '–')}; assignee: ${quoted(found.assignee ?? 'unassigned')}`,
    `- Opened ${toIsoString(found.opened_at)}${found.closed_at === null ? '' : `, closed ${toIsoString(found.closed_at)}`}`,
    `- Alerts: ${found.alert_ids.join(', ')}`,
    ...(found.tags.length > 0 ? [`- Tags: ${found.tags.map(quoted).join(', ')}`] : []),
    ...(found.techniques.length > 0 ? [`- ATT&CK: ${found.techniques.join(', ')}`] : []),
    ...(found.analyst_verdict === null
      ? []
      : [`- Analyst verdict: ${found.analyst_verdict}: ${quoted(found.analyst_verdict_reason ?? '')}`]),
    ...section('Why', fenced(found.summary)),
    ...section(
      'Evidence',
      found.evidence.flatMap((entry) => [
        `### ${entry.points > 0 ? '+' : ''}${entry.points} ${entry.kind}: ${quoted(entry.title)}`,
        '',
        ...fenced(entry.reason),
        '',
      ]),
    ),
    ...section(
      'Entities',
      entities.map(({ kind, value }) => `- ${kind}: ${quoted(value)}`),
    ),
    ...section(
      'Proposed actions',
      found.proposals.map((proposal) => `- ${quoted(proposal.sentence)} (${proposal.state}): ${quoted(proposal.reason)}`),
    ),
    ...section(
      'Tasks',
      tasks.map(
        ({ title, done_by: doneBy, done_at: doneAt }) =>
          `- [${doneAt === null ? ' ' : 'x'}] ${quoted(title)}${doneAt === null ? '' : `, done by ${quoted(doneBy ?? '')} ${toIsoString(doneAt)}`}`,
      ),
    ),
    ...section(
      'Files',
      attachments.map(
        ({ name, size, sha256, added_at: at }) => `- ${quoted(name)}, ${size} bytes, SHA-256 ${sha256}, added ${toIsoString(at)}`,
      ),
    ),
    ...section(
      'Timeline',
      found.timeline.map(
        (entry) => `- ${toIsoString(entry.at)} ${entry.kind}${entry.by === null ? '' : ` by ${quoted(entry.by)}`}: ${quoted(entry.text)}`,
      ),
    ),
    '',
  ].join('\n');
}

/** A fence longer than any run of backticks in the text, so that the text cannot close it. */
function fenceFor(text: string, atLeast: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(atLeast, longest + 1));
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const fence = fenceFor(line, 1);
  return line === '' ? '–' : `${fence} ${line} ${fence}`;
}

function fenced(text: string): string[] {
  const fence = fenceFor(text, 3);
  return [fence, text, fence];
}

type StixObject = { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>;

/** The namespace that STIX 2.1 prescribes for the ids of observables: the same address has the same id everywhere. */
const OBSERVABLES = '00abedb4-aa42-466c-9c01-fed23315a9b7';
/** A fixed namespace, so that every export of a case has the same ids. */
const OURS = '6f1f5a54-6c0e-5f8a-9a4e-6d2c4b1f0a37';

/** A STIX 2.1 bundle: the incident, its observables, the techniques, and a report that groups them. */
export function asStix(found: CaseDetail, { entities }: Pick<CaseParts, 'entities'>): object {
  const created = toIsoString(found.opened_at);
  const modified = toIsoString(found.modified_at);
  const common = { spec_version: '2.1', created, modified };
  const ours = (type: string, name: string) => `${type}--${deriveUuid(`${type} ${name}`, OURS)}`;
  const author: StixObject = {
    type: 'identity',
    id: ours('identity', found.organization_code),
    ...common,
    modified: created,
    name: found.organization_code,
    identity_class: 'organization',
  };
  const incident: StixObject = {
    type: 'incident',
    id: ours('incident', found.case_id),
    ...common,
    created_by_ref: author.id,
    name: `${found.title} (${found.case_id})`,
    description: found.summary || 'Under investigation.',
    labels: [found.verdict, found.severity, ...found.tags].filter((label) => label !== null),
  };
  const observed = entities.flatMap((entity) => toObservables(entity, { ...common, modified: created }));
  const known = [...new Map(observed.map((object) => [object.id, object])).values()];
  const techniques = found.techniques.map(
    (technique): StixObject => ({
      type: 'attack-pattern',
      id: ours('attack-pattern', technique),
      ...common,
      modified: created,
      name: technique,
      external_references: [
        { source_name: 'mitre-attack', external_id: technique, url: `https://attack.mitre.org/techniques/${technique.replace('.', '/')}/` },
      ],
    }),
  );
  const relations = [...known, ...techniques].map(
    (target): StixObject => ({
      type: 'relationship',
      id: ours('relationship', `${found.case_id} ${target.id}`),
      ...common,
      modified: created,
      created_by_ref: author.id,
      relationship_type: 'related-to',
      source_ref: incident.id,
      target_ref: target.id,
    }),
  );
  const parts = [incident, ...known, ...techniques, ...relations];
  const report: StixObject = {
    type: 'report',
    id: ours('report', found.case_id),
    ...common,
    created_by_ref: author.id,
    name: `${found.title} (${found.case_id}): ${found.verdict ?? 'under investigation'}`,
    description: found.summary || 'Under investigation.',
    published: modified,
    object_refs: parts.map(({ id }) => id),
  };
  return { type: 'bundle', id: ours('bundle', `${found.case_id} ${modified}`), objects: [author, report, ...parts] };
}

const HASHES: Readonly<Record<number, string>> = { 32: 'MD5', 40: 'SHA-1', 64: 'SHA-256', 128: 'SHA-512' };

/** Returns no object for kinds that STIX cannot express. */
function toObservables({ kind, value }: Entity, common: object): StixObject[] {
  const observable = (type: string, identifying: Readonly<Record<string, unknown>>): StixObject[] => [
    { type, spec_version: '2.1', id: `${type}--${deriveUuid(JSON.stringify(identifying), OBSERVABLES)}`, ...identifying },
  ];
  switch (kind) {
    case 'ip':
      return observable(value.includes(':') ? 'ipv6-addr' : 'ipv4-addr', { value });
    case 'domain':
    case 'host':
      return observable('domain-name', { value });
    case 'url':
      return observable('url', { value });
    case 'email':
      return observable('email-addr', { value });
    case 'user':
      return observable('user-account', { account_login: value });
    case 'hash': {
      const algorithm = HASHES[value.length];
      return algorithm === undefined ? [] : observable('file', { hashes: { [algorithm]: value } });
    }
    case 'cve':
      return [
        {
          type: 'vulnerability',
          ...common,
          id: `vulnerability--${deriveUuid(`vulnerability ${value}`, OURS)}`,
          name: value,
          external_references: [{ source_name: 'cve', external_id: value }],
        },
      ];
    default:
      return [];
  }
}
