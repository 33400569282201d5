import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { COMPANY, INDICATORS, PEOPLE } from '../kit/stand-in/company.js';
import type { StandInDefinition } from '../kit/stand-in/stand-in.js';

export interface StandInAlert {
  readonly id: string;
  readonly title: string;
  readonly triggeredMs: number;
  readonly statusInPortal: string;
  readonly priority?: string;
  readonly hits: readonly { readonly fragment: string; readonly entities: readonly { id: string; name: string; type: string }[] }[];
}

export interface StandInPlaybookAlert {
  readonly playbook_alert_id: string;
  readonly category: string;
  readonly status: string;
  readonly priority: string;
  readonly created: string;
  readonly updated: string;
  readonly title: string;
  readonly entity: string;
  readonly panels: Readonly<Record<string, unknown>>;
}

interface Known {
  readonly type: string;
  readonly score: number;
  readonly evidence: readonly { readonly rule: string; readonly criticality: number; readonly text: string }[];
}

export interface ThreatIntelligenceStandInState {
  apiKey: string;
  tokenHeader: string;
  /** Query parameters that a simpler platform does not know. */
  readonly ignores: Set<'from' | 'orderBy' | 'triggered'>;
  /** The APIs of the subscription. The others answer 403. */
  readonly modules: { alerts: boolean; playbookAlerts: boolean; enrichment: boolean; lookupOfSeveral: boolean };
  readonly alerts: StandInAlert[];
  readonly playbookAlerts: StandInPlaybookAlert[];
  /** By `kind/value`. */
  readonly known: Map<string, Known>;
}

const DAY_MS = 24 * 3600 * 1000;
/** The API refuses to page further than this within one query. */
const MAX_ITEMS = 1000;
const CRITICALITY = ['None', 'Unusual', 'Suspicious', 'Malicious', 'Very Malicious'];
const [DANA] = PEOPLE;
const OWNER = {
  organisations: [{ organisation_id: 'uhash:harbour', organisation_name: COMPANY.name }],
  enterprise_id: 'uhash:harbour',
  enterprise_name: COMPANY.name,
};

export const standIn: StandInDefinition<ThreatIntelligenceStandInState> = {
  define: defineThreatIntelligenceStandIn,
  connection: (url, state) => ({ settings: { api_host: url }, credentials: { api_key: state.apiKey } }),
};

declare module '../kit/stand-in/stand-in.js' {
  interface StandInStates {
    threatIntelligence: ThreatIntelligenceStandInState;
  }
}

/** Routes of the threat intelligence platform. It knows the attacker's addresses and one password of Dana. */
export function defineThreatIntelligenceStandIn(app: FastifyInstance): ThreatIntelligenceStandInState {
  const state: ThreatIntelligenceStandInState = {
    apiKey: 'intelligence-key',
    tokenHeader: 'x-threatinteltoken',
    ignores: new Set(),
    modules: { alerts: true, playbookAlerts: true, enrichment: true, lookupOfSeveral: true },
    alerts: alertsBefore(Date.now()),
    playbookAlerts: playbookAlertsBefore(Date.now()),
    known: knownIndicators(),
  };

  const listAlerts = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!mayAsk(state, request, reply, state.modules.alerts)) return reply;
    const query = z.record(z.string(), z.string()).parse(request.query);
    const limit = Number(query['limit'] ?? 10);
    const from = state.ignores.has('from') ? 0 : Number(query['from'] ?? 0);
    const range = /^\[([^,\]]*),([^,\]]*)\]$/.exec(query['triggered'] ?? '');
    if (!range) return refuse(reply, 400, 'triggered must be [start,end]');
    if (limit > MAX_ITEMS || from + limit > MAX_ITEMS) return refuse(reply, 400, `from and limit must not pass ${MAX_ITEMS}`);
    const [startMs, endMs] = [Date.parse(range[1] ?? ''), Date.parse(range[2] ?? '')];
    const found = state.alerts
      .filter(({ triggeredMs }) => state.ignores.has('triggered') || (triggeredMs >= startMs && triggeredMs <= endMs))
      .filter(({ statusInPortal }) => (query['statusInPortal'] ?? statusInPortal) === statusInPortal)
      .sort((one, other) => (state.ignores.has('orderBy') ? 0 : other.triggeredMs - one.triggeredMs));
    const data = found.slice(from, from + limit).map(alertBody);
    return { data, counts: { returned: data.length, total: found.length } };
  };
  app.get('/alert/v3', listAlerts);
  app.get('/v3/alerts', listAlerts);

  app.post('/playbook-alert/search', async (request, reply) => {
    if (!mayAsk(state, request, reply, state.modules.playbookAlerts)) return reply;
    const search = PlaybookSearch.safeParse(request.body).data;
    if (!search) return reply.code(400).send({ message: 'Invalid search', status_code: 400, trace_id: 'stand-in' });
    const found = state.playbookAlerts.filter(
      (alert) =>
        (search.entity?.includes(alert.entity) ?? true) &&
        (search.statuses?.includes(alert.status) ?? true) &&
        (search.priority?.some((each) => each === alert.priority) ?? true) &&
        (search.category?.includes(alert.category) ?? true) &&
        isWithin(alert.created, search.created_range) &&
        isWithin(alert.updated, search.updated_range),
    );
    const rows = found.slice(search.from, search.from + search.limit);
    return {
      status: { status_code: 'Ok', status_message: 'Playbook alert search successful' },
      data: rows.map(({ panels: _, entity: __, ...row }) => ({
        ...row,
        owner_id: 'uhash:harbour',
        owner_name: COMPANY.name,
        organisation_id: 'uhash:harbour',
        organisation_name: COMPANY.name,
        owner_organisation_details: OWNER,
        actions_taken: [],
      })),
      counts: { returned: rows.length, total: found.length },
    };
  });

  app.post<{ Params: { segment: string; id: string } }>('/playbook-alert/:segment/:id', async (request, reply) => {
    if (!mayAsk(state, request, reply, state.modules.playbookAlerts)) return reply;
    const { segment, id } = request.params;
    const category = segment === 'vulnerability' ? 'cyber_vulnerability' : segment;
    const alert = state.playbookAlerts.find((each) => each.playbook_alert_id === id && each.category === category);
    if (!alert) return reply.code(404).send({ message: 'Not found', status_code: 404, trace_id: 'stand-in' });
    return { status: { status_code: 'Ok', status_message: 'Success' }, data: { playbook_alert_id: id, ...alert.panels } };
  });

  const enrich = (kind: string, value: string, request: FastifyRequest, reply: FastifyReply) => {
    if (!mayAsk(state, request, reply, state.modules.enrichment)) return reply;
    const known = state.known.get(`${kind}/${value}`);
    return known ? reply.send(enrichmentBody(value, known)) : refuse(reply, 404, 'Not found');
  };
  app.post('/soar/v3/enrichment', async (request, reply) => {
    if (!mayAsk(state, request, reply, state.modules.lookupOfSeveral)) return reply;
    const asked = SeveralIndicators.safeParse(request.body).data;
    if (!asked) return refuse(reply, 400, 'Invalid request');
    const results = Object.entries(asked).flatMap(([kind, values]) =>
      values.map((value) => describeOneOfSeveral(kind, value, state.known.get(`${kind}/${value}`))),
    );
    return { data: { results }, counts: { returned: results.length, total: results.length } };
  });
  app.get<{ Params: { domain: string } }>('/v2/company/by_domain/:domain', async (request, reply) =>
    enrich('company', request.params.domain, request, reply),
  );
  app.get<{ Params: { kind: string; value: string } }>('/v2/:kind/:value', async (request, reply) =>
    enrich(request.params.kind, request.params.value, request, reply),
  );

  return state;
}

const Range = z.object({ from: z.string().optional(), until: z.string().optional() }).optional();
const PlaybookSearch = z.object({
  from: z.int().min(0),
  limit: z.int().min(1).max(1000),
  entity: z.array(z.string()).optional(),
  statuses: z.array(z.string()).optional(),
  priority: z.array(z.enum(['High', 'Moderate', 'Informational'])).optional(),
  category: z.array(z.string()).optional(),
  created_range: Range,
  updated_range: Range,
});

const Indicators = z.array(z.string()).max(1000).default([]);
const SeveralIndicators = z.strictObject({ ip: Indicators, domain: Indicators, url: Indicators, hash: Indicators });
const TYPES: Readonly<Record<string, string>> = { ip: 'IpAddress', domain: 'InternetDomainName', url: 'URL', hash: 'Hash' };

/** Rules by their id, and no times of the indicator. */
function describeOneOfSeveral(kind: string, value: string, known: Known | undefined) {
  const { score = 0, evidence = [] } = known ?? {};
  const rules = evidence.map(({ rule, criticality, text }) => ({
    count: 1,
    rule,
    level: criticality,
    description: text,
    timestamp: '2026-01-10T08:00:00.000Z',
  }));
  return {
    entity: { id: known ? `${known.type.toLowerCase()}:${value}` : null, name: value, type: known?.type ?? TYPES[kind] },
    risk: {
      score,
      level: Math.max(0, ...rules.map(({ level }) => level)),
      context: {},
      rule: {
        count: rules.length,
        mostCritical: rules[0]?.rule ?? '',
        maxCount: known ? 64 : 0,
        evidence: Object.fromEntries(rules.map((rule, index) => [`rule${index}`, rule])),
        summary: [],
      },
    },
  };
}

function isWithin(date: string, range: z.output<typeof Range>): boolean {
  return date >= (range?.from ?? '') && date <= (range?.until ?? '9');
}

function mayAsk(state: ThreatIntelligenceStandInState, request: FastifyRequest, reply: FastifyReply, isIncluded: boolean): boolean {
  if (request.headers[state.tokenHeader] !== state.apiKey) refuse(reply, 401, 'Authentication failed');
  else if (!isIncluded) refuse(reply, 403, 'Your subscription does not include this API');
  else return true;
  return false;
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ error: { message, status }, traceId: 'stand-in' });
}

function alertBody(alert: StandInAlert) {
  const at = new Date(alert.triggeredMs).toISOString();
  return {
    review: { note: null, status_in_portal: alert.statusInPortal, assignee: null, status: 'no-action' },
    owner_organisation_details: OWNER,
    url: { api: `https://api.intelligence.example/alert/v3/${alert.id}`, portal: `https://app.intelligence.example/alert/${alert.id}` },
    rule: {
      use_case_deprecation: null,
      name: 'Mentions of the company',
      id: 'rule-1',
      url: { portal: 'https://app.intelligence.example/rule/rule-1' },
    },
    id: alert.id,
    ...(alert.priority === undefined ? {} : { priority: alert.priority }),
    hits: alert.hits.map((hit, index) => ({
      entities: hit.entities,
      document: {
        source: { id: 'source:1', name: 'Example forum', type: 'Source' },
        title: 'A thread',
        url: null,
        authors: [],
      },
      fragment: hit.fragment,
      id: `${alert.id}-${index}`,
      language: 'eng',
      primary_entity: null,
      analyst_note: null,
    })),
    enriched_entities: [],
    ai_insights: { comment: 'More references are needed for a summary.', text: null },
    log: { note_author: null, note_date: null, status_date: null, triggered: at, status_change_by: null },
    triggered_by: [],
    title: alert.title,
    type: 'REFERENCE',
  };
}

function enrichmentBody(value: string, { type, score, evidence }: Known) {
  const criticality = Math.max(0, ...evidence.map((each) => each.criticality));
  return {
    data: {
      entity: { id: `${type.toLowerCase()}:${value}`, name: value, type },
      risk: {
        score,
        criticality,
        criticalityLabel: CRITICALITY[criticality],
        riskString: `${evidence.length}/64`,
        riskSummary: `${evidence.length} of 64 Risk Rules currently observed.`,
        rules: evidence.length,
        evidenceDetails: evidence.map((each) => ({
          rule: each.rule,
          criticality: each.criticality,
          criticalityLabel: CRITICALITY[each.criticality],
          evidenceString: each.text,
          mitigationString: '',
          timestamp: '2026-01-10T08:00:00.000Z',
        })),
      },
      timestamps: { firstSeen: '2025-12-30T04:12:00.000Z', lastSeen: '2026-01-10T08:00:00.000Z' },
    },
  };
}

/** Three a day for the last four weeks. */
function alertsBefore(nowMs: number): StandInAlert[] {
  return Array.from({ length: 84 }, (_, index) => ({
    id: `alert-${index}`,
    title: index % 7 === 0 ? `${INDICATORS.maliciousDomain} was registered` : `${COMPANY.name} was mentioned`,
    triggeredMs: nowMs - 3_600_000 - index * (DAY_MS / 3),
    statusInPortal: index % 5 === 0 ? 'Resolved' : 'New',
    hits: [
      {
        fragment: `A forum post mentions ${COMPANY.name}.`,
        entities: [
          { id: 'company:harbour', name: COMPANY.name, type: 'Company' },
          ...(index % 7 === 0
            ? [{ id: `idn:${INDICATORS.maliciousDomain}`, name: INDICATORS.maliciousDomain, type: 'InternetDomainName' }]
            : []),
        ],
      },
    ],
  }));
}

function playbookAlertsBefore(nowMs: number): StandInPlaybookAlert[] {
  const at = (days: number) => new Date(nowMs - days * DAY_MS).toISOString();
  const status = (priority: string, entity: string, label: string) => ({
    status: 'New',
    priority,
    case_rule_label: label,
    entity_id: entity,
    risk_score: priority === 'High' ? 90 : 45,
    owner_organisation_details: OWNER,
    targets: [{ name: COMPANY.domain }],
  });
  return [
    {
      playbook_alert_id: 'task:00000000-0000-4000-8000-00000000aa01',
      category: 'identity_novel_exposures',
      status: 'New',
      priority: 'High',
      created: at(1),
      updated: at(1),
      title: DANA.email,
      entity: `email:${DANA.email}`,
      panels: {
        panel_status: status('High', `email:${DANA.email}`, 'Novel Identity Exposure'),
        panel_evidence_summary: {
          subject: DANA.email,
          authorization_url: `https://login.${COMPANY.domain}/`,
          exposed_secret: {
            type: 'clear',
            effectively_clear: true,
            details: {
              properties: ['Letter', 'Number', 'AtLeast12Characters'],
              rank: [],
              clear_text_value: 'Herfst-Haven-2025',
              clear_text_hint: 'He',
            },
            hashes: [{ algorithm: 'SHA1', hash: '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c' }],
          },
          dump: { name: 'Stealer logs', description: `${DANA.email}:Herfst-Haven-2025 seen in a log of an information stealer` },
          malware_family: { id: 'malware:1', name: 'Example Stealer' },
          compromised_host: { os_username: DANA.account, computer_name: 'HR-WS-014' },
        },
      },
    },
    {
      playbook_alert_id: 'task:00000000-0000-4000-8000-00000000aa02',
      category: 'domain_abuse',
      status: 'New',
      priority: 'Moderate',
      created: at(3),
      updated: at(2),
      title: `harbour-read.example`,
      entity: 'idn:harbour-read.example',
      panels: {
        panel_status: status('Moderate', 'idn:harbour-read.example', 'Domain Abuse'),
        panel_evidence_summary: {
          explanation: `harbour-read.example looks like ${COMPANY.domain}.`,
          resolved_record_list: [{ entity: `ip:${INDICATORS.maliciousIp}`, record_type: 'A', risk_score: 89, criticality: 'High' }],
        },
      },
    },
  ];
}

function knownIndicators(): Map<string, Known> {
  const bad = (rule: string, text: string) => ({ rule, criticality: 3, text });
  const old = { rule: 'Historically Reported in Threat List', criticality: 1, text: 'Previous sightings on 2 sources.' };
  return new Map<string, Known>([
    [
      `ip/${INDICATORS.maliciousIp}`,
      { type: 'IpAddress', score: 89, evidence: [old, bad('Validated C&C Server', '6 sightings on 1 source: command and control.')] },
    ],
    [`ip/${INDICATORS.benignIp}`, { type: 'IpAddress', score: 0, evidence: [] }],
    [
      `domain/${INDICATORS.maliciousDomain}`,
      { type: 'InternetDomainName', score: 92, evidence: [bad('Recent Phishing Lure', 'A page that copies a parcel service.')] },
    ],
    [`url/${INDICATORS.maliciousUrl}`, { type: 'URL', score: 91, evidence: [bad('Recently Active URL on Phishing Site', '3 sightings.')] }],
    [
      `hash/${INDICATORS.malwareSha256}`,
      { type: 'Hash', score: 95, evidence: [bad('Positive Malware Verdict', 'Seen as a loader of Example Stealer.')] },
    ],
    [`domain/${INDICATORS.benignDomain}`, { type: 'InternetDomainName', score: 0, evidence: [] }],
    [`url/${INDICATORS.benignUrl}`, { type: 'URL', score: 0, evidence: [] }],
    [`hash/${INDICATORS.benignSha256}`, { type: 'Hash', score: 0, evidence: [] }],
    [
      `vulnerability/${INDICATORS.exploitedCve}`,
      { type: 'CyberVulnerability', score: 99, evidence: [bad('Exploited in the Wild by Malware', 'Active exploitation reported.')] },
    ],
    [`vulnerability/${INDICATORS.quietCve}`, { type: 'CyberVulnerability', score: 5, evidence: [old] }],
    [`company/${COMPANY.domain}`, { type: 'Company', score: 35, evidence: [old] }],
  ]);
}
