import { z } from 'zod';
import type { Category } from '../../domain/alert/category.js';
import { MALICIOUS_SCORE } from '../../domain/playbook/capability.js';
import type { SkillQuestion } from '../../domain/playbook/planner.js';
import { defineConnector, defineSkill, listOutput, maxItems, origin, secret } from '../kit/define.js';
import { enrichmentCards } from './card.js';
import { intelligenceAlertIntake } from './intake.js';
import { intelligenceAlertRecords } from './records.js';

/** Forms show it as date and time. */
const epochSeconds = z.int().min(0).max(4_102_444_800).meta({ format: 'epoch-seconds' });
const word = z.string().min(1).max(100);
const words = z.array(word).max(20);

const maybeText = z.string().nullable();
const Entity = z.object({ id: maybeText, name: maybeText, type: maybeText });

const Alert = z.object({
  id: z.string(),
  title: maybeText,
  type: maybeText,
  priority: maybeText.describe('If the third party sends one.'),
  review: z.object({ note: maybeText, status_in_portal: maybeText, assignee: maybeText, status: maybeText }),
  owner_organisation_details: z.object({
    organisations: z.array(z.object({ organisation_id: maybeText, organisation_name: maybeText })),
    enterprise_id: maybeText,
    enterprise_name: maybeText,
  }),
  url: z.object({ api: maybeText, portal: maybeText }),
  rule: z.object({ use_case_deprecation: z.unknown(), name: maybeText, id: maybeText, url: z.object({ portal: maybeText }) }),
  hits: z
    .array(
      z.object({
        id: maybeText,
        entities: z.array(Entity),
        document: z.object({ source: Entity.nullable(), title: maybeText, url: maybeText, authors: z.array(Entity) }),
        fragment: maybeText,
        language: maybeText,
        primary_entity: z.unknown(),
        analyst_note: z.unknown(),
      }),
    )
    .max(20),
  hits_total: z.number().describe('The number of hits. Only the first 20 are included.'),
  enriched_entities: z.array(z.unknown()),
  ai_insights: z.object({ comment: maybeText, text: maybeText }),
  log: z.object({
    note_author: maybeText,
    note_date: maybeText,
    status_date: maybeText,
    triggered: maybeText,
    status_change_by: maybeText,
  }),
  triggered_by: z.array(z.unknown()),
});

const PlaybookAlert = z.object({
  id: z.string(),
  category: maybeText,
  title: maybeText,
  status: maybeText,
  priority: maybeText,
  created: maybeText,
  updated: maybeText,
  owner_name: maybeText,
  organisation_name: maybeText,
  actions_taken: z.array(z.unknown()),
  panels: z.record(z.string(), z.unknown()).nullable().describe('The details, without secrets. Null if not requested or not available.'),
});

/** The number of playbook alerts read in detail: each needs a request. */
export const MAX_DETAILS = 25;

const ENRICHED = {
  ip: { kind: 'ip', technique: 'T1071' },
  domain: { kind: 'domain', technique: 'T1583.001' },
  url: { kind: 'url', technique: 'T1566.002' },
  hash: { kind: 'hash', technique: 'T1204.002' },
  cve: { kind: 'vulnerability', technique: 'T1190' },
} as const;

/** The platform itself calls a score of 65 or more malicious, and one of 25 or more suspicious. */
const SUSPICIOUS_SCORE = 25;
const atLeast = (value: number) => [{ path: 'score', is: 'at-least', value } as const];
const KNOWN_BELOW = [
  { path: 'found', is: 'true' },
  { path: 'score', is: 'below', value: SUSPICIOUS_SCORE },
] as const;

const enrichmentQuestions = Object.entries(ENRICHED).map(([about, { kind, technique }]): SkillQuestion => {
  const isVulnerability = kind === 'vulnerability';
  return {
    about: z.enum(['ip', 'domain', 'url', 'hash', 'cve']).parse(about),
    ...(about === 'ip' ? { only: 'public' } : {}),
    atMost: 20,
    input: { kind: { take: 'value', value: kind }, value: { take: 'item' } },
    proves: [
      {
        when: atLeast(MALICIOUS_SCORE),
        fact: isVulnerability ? 'dangerous-vulnerability' : 'malicious-reputation',
        techniques: [technique],
      },
      { when: atLeast(SUSPICIOUS_SCORE), fact: isVulnerability ? 'doubtful-vulnerability' : 'suspicious-reputation' },
      { when: [...KNOWN_BELOW], fact: isVulnerability ? 'harmless-vulnerability' : 'clean-reputation' },
      ...(isVulnerability ? [] : [{ when: [{ path: 'score', is: 'absent' } as const], fact: 'unknown-reputation' as const }]),
    ],
    shows: ['score', 'criticality_label', 'rules[]', 'last_seen'],
    provides: { reputation: { indicator: 'value', score: 'score' } },
    why: `The reputation of the ${about} is strong evidence for or against the alert.`,
  };
});

const status = (value: string) => ({ path: 'status', is: 'equals', value }) as const;
const category = (value: string) => ({ path: 'category', is: 'contains', value }) as const;
const priority = (value: string) => ({ path: 'priority', is: 'equals', value }) as const;
const OPEN = ['New', 'InProgress'];
/** A person who handled the alert found no danger, or removed it. */
const HANDLED = ['Dismissed', 'Resolved'];

/** Only the alerts of a category: alerts about a person name the company's domain too. */
const exposures = (about: string, techniques: readonly string[]): SkillQuestion['proves'] =>
  OPEN.map((state) => ({
    inOne: 'items[]',
    when: [status(state), category(about)],
    // An exposed password matters where an attacker may have used it.
    categories: ['leaked-credential', 'sign-in'],
    fact: 'exposed-credential',
    at: 'updated',
    techniques,
  }));

const abuses: SkillQuestion['proves'] = OPEN.flatMap((state) => {
  const when = [status(state), category('domain_abuse')];
  const proof = { inOne: 'items[]', at: 'updated', techniques: ['T1583.001'] } as const;
  return [
    { ...proof, when: [...when, priority('High')], fact: 'domain-abuse-high' as const },
    { ...proof, when, fact: 'domain-abuse' as const },
  ];
});

/** The alert names the page with the leak, so it is about the leak. */
const leaks: SkillQuestion['proves'] = OPEN.map((state) => ({
  inOne: 'items[]',
  when: [status(state), category('code_repo')],
  fact: 'exposed-credential',
  at: 'updated',
  techniques: ['T1552.001'],
}));

const handled = (about: string, categories?: readonly Category[]): SkillQuestion['proves'] =>
  HANDLED.map((state) => ({
    inOne: 'items[]',
    when: [status(state), category(about)],
    ...(categories === undefined ? {} : { categories }),
    fact: 'confirmed-benign',
    at: 'updated',
  }));

const PLAYBOOK_ALERTS = [
  {
    about: 'email',
    prefix: 'email:',
    proves: [
      ...exposures('identity', ['T1589.001', 'T1078']),
      ...exposures('code_repo', ['T1552.001']),
      ...handled('identity', ['leaked-credential']),
    ],
  },
  { about: 'domain', prefix: 'idn:', proves: [...abuses, ...handled('domain_abuse')] },
  { about: 'url', prefix: 'url:', proves: [...leaks, ...handled('code_repo')] },
] as const satisfies readonly (Pick<SkillQuestion, 'proves'> & { about: 'email' | 'domain' | 'url'; prefix: string })[];

const playbookAlertQuestions: readonly SkillQuestion[] = PLAYBOOK_ALERTS.map(({ about, prefix, proves }) => ({
  about,
  followsHops: false,
  input: {
    entities: { take: 'item-in-list', prefix },
    details: { take: 'value', value: false },
    max_items: { take: 'value', value: 200 },
  },
  proves,
  shows: ['items[].title', 'items[].category', 'items[].priority', 'items[].status'],
  why: `The platform may know a leak or an abuse of the ${about}.`,
}));

export const threatIntelligence = defineConnector({
  kind: 'threat-intelligence',
  title: 'Threat intelligence platform',
  products: ['Recorded Future'],
  icon: 'intelligence',
  purpose: 'Reputation of addresses, domains, files and vulnerabilities, and alerts about the company’s exposure on the internet.',
  setup: [
    'Generate an API key as a user or admin with API access. It is displayed once.',
    'The subscription must include the APIs for alerts, playbook alerts and enrichment. A skill without its API leaves a gap. With the SOAR API, which looks up several indicators at once, the service needs fewer requests.',
  ],
  credentials: z.object({
    api_key: secret('API Key', 'A user or admin with API access generates it. It is displayed once.'),
  }),
  settings: z.object({
    api_host: origin('API host', 'The address of the platform, without a path.'),
    token_header: z
      .string()
      .max(64)
      .regex(/^[Xx]-[A-Za-z0-9-]+$/, 'must be the name of an X- header')
      .default('X-ThreatIntelToken')
      .meta({ title: 'Token header', description: 'The header that carries the API key.' }),
    alert_path: z
      .string()
      .max(200)
      .regex(/^(\/[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)+$/, 'must begin with a slash, without trailing slash, query or dot segments')
      .default('/alert/v3')
      .meta({ title: 'Alert path', description: 'The path that lists alerts.' }),
  }),
  presets: [
    {
      title: 'Recorded Future',
      settings: { api_host: 'https://api.recordedfuture.com', token_header: 'X-RFToken', alert_path: '/v3/alerts' },
    },
  ],
  rotation: { days: 90, advice: 'Replace the key every 90 days.' },
  routable: false,
  requestsPerMinute: 300,
  errors: {
    401: { cause: 'Invalid or expired key', resolution: 'Regenerate the API key at the platform and reconnect with it.' },
    403: {
      cause: 'Insufficient subscription tier',
      resolution: 'Ask the platform to add this API to your subscription, or use the key of a user who has access.',
    },
    404: {
      cause: 'Address not found',
      resolution: 'Check the API host and the alert path. The public product lists alerts at /v3/alerts.',
    },
    429: { cause: 'Request limit exceeded', resolution: 'No action needed: the service waits and retries.' },
    '5xx': { cause: 'Outage or rate limiting', resolution: 'No action needed: the service retries with backoff.' },
  },
  hosts: (settings) => [{ purpose: 'API', url: settings.api_host }],
  intake: intelligenceAlertIntake,
  records: [intelligenceAlertRecords],
  cards: enrichmentCards,
  skills: {
    getPlaybookAlerts: defineSkill({
      title: 'Get Playbook Alerts',
      purpose: 'Lists playbook alerts: look-alike domains, leaked credentials and code, exploited vulnerabilities.',
      effect: 'read',
      call: 'POST /playbook-alert/search',
      permission: 'Playbook alerts',
      answers: playbookAlertQuestions,
      timeoutSeconds: 120,
      reuseSeconds: 300,
      input: z.object({
        entities: z.array(z.string().min(1).max(500)).max(100).optional().describe("The platform's ids: idn:example.com, ip:192.0.2.1."),
        statuses: words.optional().describe('New, InProgress, Dismissed, Resolved.'),
        priorities: words.optional().describe('High, Moderate, Informational.'),
        categories: words.optional().describe('domain_abuse, identity_novel_exposures, code_repo_leakage, cyber_vulnerability …'),
        created_from: epochSeconds.optional(),
        created_to: epochSeconds.optional(),
        updated_from: epochSeconds.optional(),
        updated_to: epochSeconds.optional(),
        details: z.boolean().default(true).describe(`Also reads the panels of the newest ${MAX_DETAILS}.`),
        max_items: maxItems,
      }),
      output: listOutput(PlaybookAlert),
    }),
    listAlerts: defineSkill({
      title: 'List Alerts',
      purpose: 'Lists alerts, newest first. Filters by entity, status, priority and time.',
      effect: 'read',
      call: 'GET /alert/v3',
      permission: 'Alerts',
      timeoutSeconds: 120,
      input: z
        .object({
          entity: z.string().min(1).max(500).optional().describe('An entity in the hits, by name or id.'),
          status: word.optional().describe('The status in the portal: New, Pending, Dismissed, Resolved …'),
          priority: word
            .optional()
            .describe('Alerts with another priority are left out. `cut` gives the number of alerts without a priority.'),
          from: epochSeconds.optional().describe('Triggered at this time or later. Default: one day before `to`.'),
          to: epochSeconds.optional().describe('Triggered at this time or earlier. Default: now.'),
          max_items: maxItems,
        })
        .refine(({ from, to }) => from === undefined || to === undefined || from <= to, { error: 'from must not be after to' }),
      output: listOutput(Alert),
    }),
    getEnrichment: defineSkill({
      title: 'Get Enrichment',
      purpose: 'Returns the risk score of an indicator, the rules that it triggers and their evidence.',
      effect: 'read',
      call: 'GET /v2/{ip|domain|url|hash|vulnerability|company}/{value}',
      permission: 'Enrichment',
      answers: enrichmentQuestions,
      timeoutSeconds: 30,
      reuseSeconds: 600,
      input: z.object({
        kind: z.enum(['url', 'domain', 'ip', 'company', 'vulnerability', 'hash']),
        value: z
          .string()
          .min(1)
          .max(2048)
          .refine((value) => !/^[.\s]+$/.test(value), { error: 'must be more than dots' })
          .describe("For a company: its domain or the platform's id."),
      }),
      output: z.object({
        found: z.boolean().describe('False if the platform does not know it, which says nothing about its risk.'),
        kind: z.string(),
        value: z.string(),
        entity: Entity.nullable(),
        score: z.number().min(0).max(100).nullable(),
        criticality: z.number().nullable(),
        criticality_label: maybeText,
        summary: maybeText,
        rules: z.array(z.string()),
        evidence: z.array(z.object({ rule: maybeText, criticality: maybeText, text: maybeText, at: maybeText })).max(50),
        first_seen: maybeText,
        last_seen: maybeText,
        cvss_score: z.number().nullable().default(null).describe('Of a vulnerability.'),
        description: maybeText.default(null).describe('Of a vulnerability.'),
      }),
    }),
  },
});
