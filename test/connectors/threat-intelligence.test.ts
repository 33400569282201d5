import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COMPANY, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { createAuthority, type RecordedRequest, type StandIn, startStandIn } from '../../connectors/kit/stand-in/stand-in.js';
import { threatIntelligence } from '../../connectors/threat-intelligence/contract.js';
import { enrichmentGroup } from '../../connectors/threat-intelligence/enrichment.js';
import { threatIntelligenceImplementation } from '../../connectors/threat-intelligence/skills.js';
import {
  defineThreatIntelligenceStandIn,
  type StandInAlert,
  type ThreatIntelligenceStandInState,
} from '../../connectors/threat-intelligence/stand-in.js';
import { readRecordedReplies } from '../support/recorded-replies.js';
import { contextFor, perform, refused } from '../support/third-parties.js';

const recorded = readRecordedReplies('threat-intelligence');
const fixture = recorded.json;

const DAY_SECONDS = 86_400;
const [DANA] = PEOPLE;
const nowSeconds = () => Math.floor(Date.now() / 1000);
const parseQuery = ({ url }: RecordedRequest) => new URL(url, 'https://stand-in.example').searchParams;
const alertAt = (id: string, triggeredMs: number): StandInAlert => ({ id, title: id, triggeredMs, statusInPortal: 'New', hits: [] });

describe('threat intelligence', () => {
  let standIn: StandIn<ThreatIntelligenceStandInState>;
  let pristine: ThreatIntelligenceStandInState;

  beforeAll(async () => {
    standIn = await startStandIn({ authority: await createAuthority(), define: defineThreatIntelligenceStandIn });
    pristine = { ...standIn.state };
  });
  afterAll(() => standIn.stop());
  beforeEach(() => {
    standIn.requests.length = 0;
    Object.assign(standIn.state, pristine, {
      ignores: new Set(),
      modules: { alerts: true, playbookAlerts: true, enrichment: true, lookupOfSeveral: true },
    });
  });
  afterEach(() => standIn.faults.clear());

  const context = (given: { key?: string; settings?: Record<string, string> } = {}) =>
    contextFor(threatIntelligence, standIn, {
      settings: { api_host: standIn.url, ...given.settings },
      credentials: { api_key: given.key ?? 'intelligence-key' },
    });
  const run = <Verb extends keyof typeof threatIntelligence.skills>(
    verb: Verb,
    input: Parameters<typeof perform<typeof threatIntelligence, Verb>>[3],
    given?: Parameters<typeof context>[0],
  ) => perform(threatIntelligence, threatIntelligenceImplementation, verb, input, context(given));

  describe('settings', () => {
    it('default to the specification and offer the public product as a preset', () => {
      expect(threatIntelligence.settings.parse({ api_host: 'https://api.intelligence.example' })).toEqual({
        api_host: 'https://api.intelligence.example',
        token_header: 'X-ThreatIntelToken',
        alert_path: '/alert/v3',
      });
      const [preset] = threatIntelligence.presets;
      expect(threatIntelligence.settings.parse(preset.settings)).toEqual({
        api_host: 'https://api.recordedfuture.com',
        token_header: 'X-RFToken',
        alert_path: '/v3/alerts',
      });
    });

    it.each([
      { token_header: 'Host' },
      { token_header: 'X-Token: x' },
      { alert_path: 'alert/v3' },
      { alert_path: '/alert/v3/' },
      { alert_path: '/../admin' },
      { alert_path: '//elsewhere.example' },
      { alert_path: '/alert?x=1' },
      { api_host: 'https://api.intelligence.example/' },
    ])('reject %o', (given) => {
      expect(threatIntelligence.settings.safeParse({ api_host: 'https://api.intelligence.example', ...given }).success).toBe(false);
    });

    it('support the public product', async () => {
      standIn.state.tokenHeader = 'x-rftoken';
      const { items } = await run('listAlerts', {}, { settings: { token_header: 'X-RFToken', alert_path: '/v3/alerts' } });
      expect(items.length).toBeGreaterThan(0);
      expect(standIn.requests.map(({ url }) => url.split('?')[0])).toEqual(['/v3/alerts']);
    });
  });

  describe('Get Enrichment of several indicators', () => {
    const indicators = [
      { kind: 'ip', value: INDICATORS.maliciousIp },
      { kind: 'ip', value: '192.0.2.99' },
      { kind: 'domain', value: INDICATORS.maliciousDomain },
      { kind: 'url', value: INDICATORS.benignUrl },
      { kind: 'hash', value: INDICATORS.malwareSha256 },
    ] as const;
    const lookUp = (inputs: Parameters<typeof enrichmentGroup.ask>[0]) => enrichmentGroup.ask(inputs, context());

    it('answers as for each alone, without the times of the indicator, with one call', async () => {
      const alone = await Promise.all(indicators.map((indicator) => run('getEnrichment', indicator)));
      standIn.requests.length = 0;
      const together = await lookUp(indicators);
      expect(together).toEqual(alone.map((answer) => ({ ...answer, first_seen: null, last_seen: null })));
      expect(standIn.requests.map(({ url }) => url)).toEqual(['/soar/v3/enrichment']);
    });

    it('leaves vulnerabilities and companies to single calls', () => {
      expect(enrichmentGroup.keyOf({ kind: 'vulnerability', value: INDICATORS.exploitedCve })).toBeNull();
      expect(enrichmentGroup.keyOf({ kind: 'company', value: COMPANY.domain })).toBeNull();
    });
  });

  describe('List Alerts', () => {
    it('requests the time range in the format of the specification, one day by default', async () => {
      const { items, total, cut } = await run('listAlerts', {});
      expect({ items: items.map(({ id }) => id), total, cut }).toEqual({ items: ['alert-0', 'alert-1', 'alert-2'], total: 3, cut: null });
      const [request] = standIn.requests;
      expect(request?.url).toMatch(/^\/alert\/v3\?triggered=%5B[^[\]]+%5D&limit=100&/);
      expect(request?.headers).toMatchObject({ 'x-threatinteltoken': 'intelligence-key', accept: 'application/json' });
      const [from = '', to = ''] = (parseQuery(request as RecordedRequest).get('triggered') ?? '').slice(1, -1).split(',');
      expect(Date.parse(to) - Date.parse(from)).toBe(DAY_SECONDS * 1000);
    });

    it('returns the fields of the specification', async () => {
      const { items } = await run('listAlerts', {});
      expect(items[0]).toEqual({
        id: 'alert-0',
        title: `${INDICATORS.maliciousDomain} was registered`,
        type: 'REFERENCE',
        priority: null,
        review: { note: null, status_in_portal: 'Resolved', assignee: null, status: 'no-action' },
        owner_organisation_details: {
          organisations: [{ organisation_id: 'uhash:harbour', organisation_name: COMPANY.name }],
          enterprise_id: 'uhash:harbour',
          enterprise_name: COMPANY.name,
        },
        url: { api: expect.stringContaining('alert-0'), portal: expect.stringContaining('alert-0') },
        rule: {
          use_case_deprecation: null,
          name: 'Mentions of the company',
          id: 'rule-1',
          url: { portal: 'https://app.intelligence.example/rule/rule-1' },
        },
        hits: [
          {
            id: 'alert-0-0',
            entities: [expect.objectContaining({ type: 'Company' }), expect.objectContaining({ name: INDICATORS.maliciousDomain })],
            document: { source: { id: 'source:1', name: 'Example forum', type: 'Source' }, title: 'A thread', url: null, authors: [] },
            fragment: `A forum post mentions ${COMPANY.name}.`,
            language: 'eng',
            primary_entity: null,
            analyst_note: null,
          },
        ],
        hits_total: 1,
        enriched_entities: [],
        ai_insights: { comment: 'More references are needed for a summary.', text: null },
        log: { note_author: null, note_date: null, status_date: null, triggered: expect.any(String), status_change_by: null },
        triggered_by: [],
      });
    });

    it('filters by entity, status and priority', async () => {
      const month = { from: nowSeconds() - 30 * DAY_SECONDS, to: nowSeconds() };
      const all = await run('listAlerts', month);
      expect(all.items).toHaveLength(84);
      const ofDomain = await run('listAlerts', { ...month, entity: INDICATORS.maliciousDomain.toUpperCase() });
      expect(ofDomain.items).toHaveLength(12);
      const ofId = await run('listAlerts', { ...month, entity: `idn:${INDICATORS.maliciousDomain}` });
      expect(ofId.items).toEqual(ofDomain.items);
      const resolved = await run('listAlerts', { ...month, status: 'Resolved' });
      expect(new Set(resolved.items.map(({ review }) => review.status_in_portal))).toEqual(new Set(['Resolved']));
      expect(resolved.items).toHaveLength(17);
      Object.assign(standIn.state, {
        alerts: [
          { ...alertAt('high', Date.now() - 1000), priority: 'High' },
          { ...alertAt('low', Date.now() - 2000), priority: 'Informational' },
          alertAt('unsaid', Date.now() - 3000),
        ],
      });
      const high = await run('listAlerts', { priority: 'high' });
      expect(high.items.map(({ id }) => id)).toEqual(['high']);
      expect(high.cut).toBe('Left out 1 alerts without a priority: the platform reports no priority for them.');
      expect(high.total).toBeNull();
      // The platform refuses unknown parameters.
      expect(parseQuery(standIn.requests.at(-1) as RecordedRequest).has('priority')).toBe(false);
    });

    it('finds an entity outside the hits, and names the alerts without hits that it leaves out', async () => {
      const body = (alert: object) => ({ review: {}, log: { triggered: new Date().toISOString() }, ...alert });
      const entity = { id: 'idn:shop.example', name: 'shop.example', type: 'InternetDomainName' };
      const data = [
        body({ id: 'enriched', enriched_entities: [entity] }),
        body({ id: 'trigger', hits: [], triggered_by: [{ reference_id: 'x', triggered_by_strings: ['a'], entity }] }),
        body({ id: 'other', hits: [{ entities: [{ id: 'x', name: 'other.example', type: 'InternetDomainName' }] }] }),
        body({ id: 'silent' }),
      ];
      standIn.faults.next({ body: { data, counts: { returned: 4, total: 4 } } });
      const { items, cut } = await run('listAlerts', { entity: 'shop.example' });
      expect(items.map(({ id }) => id)).toEqual(['enriched', 'trigger']);
      expect(cut).toBe('Left out 1 alerts without hits: they name no entity.');
    });

    it('splits a window of more than a thousand alerts and returns each alert once', async () => {
      const toMs = nowSeconds() * 1000;
      // Most alerts are within one hour of the month, so half windows exceed the limit too.
      const alerts = Array.from({ length: 2600 }, (_, index) =>
        alertAt(`a${index}`, toMs - 5000 - (index < 2400 ? index * 1500 : index * 900_000)),
      );
      Object.assign(standIn.state, { alerts });
      const { items, total, cut } = await run('listAlerts', { from: nowSeconds() - 30 * DAY_SECONDS, to: toMs / 1000, max_items: 10_000 });
      expect(new Set(items.map(({ id }) => id))).toEqual(new Set(alerts.map(({ id }) => id)));
      expect({ items: items.length, total, cut }).toEqual({ items: 2600, total: 2600, cut: null });
      for (const request of standIn.requests) expect(Number(parseQuery(request).get('from'))).toBeLessThanOrEqual(900);
    });

    it('reads on by time windows if the platform ignores the page and the order', async () => {
      const toMs = nowSeconds() * 1000;
      const alerts = Array.from({ length: 450 }, (_, index) => alertAt(`a${index}`, toMs - 5000 - ((index * 7919) % 450) * 60_000));
      Object.assign(standIn.state, { alerts });
      for (const name of ['from', 'orderBy'] as const) standIn.state.ignores.add(name);
      const { items, total, cut } = await run('listAlerts', { max_items: 10_000 });
      expect({ items: items.length, total, cut }).toEqual({ items: 450, total: 450, cut: null });
      const times = items.map(({ log }) => Date.parse(log.triggered ?? ''));
      expect(times).toEqual(times.toSorted((one, other) => other - one));
    });

    it('states that alerts are missing if the platform ignores the time range too', async () => {
      const alerts = Array.from({ length: 250 }, (_, index) => alertAt(`a${index}`, Date.now() - 5000 - index * 60_000));
      Object.assign(standIn.state, { alerts });
      for (const name of ['from', 'triggered'] as const) standIn.state.ignores.add(name);
      const { items, cut } = await run('listAlerts', { max_items: 10_000 });
      expect(items).toHaveLength(100);
      expect(cut).toContain('ignores the page and the time range');
    });

    it('reports truncation when one second has more alerts than the limit', async () => {
      const atMs = (nowSeconds() - 100) * 1000;
      Object.assign(standIn.state, { alerts: Array.from({ length: 1100 }, (_, index) => alertAt(`a${index}`, atMs)) });
      const { items, cut } = await run('listAlerts', { max_items: 10_000 });
      expect(items).toHaveLength(1000);
      expect(cut).toContain('within one second');
    });

    it('reads the next page when the platform returns no count', async () => {
      const body = (first: number, length: number) => ({ data: Array.from({ length }, (_, index) => ({ id: `a${first + index}` })) });
      standIn.faults.next({ body: body(0, 100) });
      standIn.faults.next({ body: body(99, 42) });
      const { items, total, cut } = await run('listAlerts', {});
      expect({ items: items.length, total, cut }).toEqual({ items: 141, total: null, cut: null });
    });

    it('limits hits and removes likely passwords from them', async () => {
      const hits = Array.from({ length: 30 }, (_, index) => ({
        fragment: index === 0 ? `combo ${DANA.email}:Herfst-1 db_password = "Winter-2"` : 'long '.repeat(2000),
        entities: [],
      }));
      Object.assign(standIn.state, { alerts: [{ ...alertAt('big', Date.now() - 1000), hits }] });
      const { items } = await run('listAlerts', {});
      expect(items[0]?.hits_total).toBe(30);
      expect(items[0]?.hits).toHaveLength(20);
      expect(items[0]?.hits[0]?.fragment).toBe(`combo ${DANA.email}:[redacted] db_password = "[redacted]"`);
      expect(items[0]?.hits[1]?.fragment).toHaveLength(2000);
    });

    it('rejects a range that ends before it begins', () => {
      expect(threatIntelligence.skills.listAlerts.input.safeParse({ from: 2, to: 1 }).success).toBe(false);
    });
  });

  describe('Get Playbook Alerts', () => {
    it('returns a leaked credential without the secret, and a look-alike domain', async () => {
      const { items, total, cut } = await run('getPlaybookAlerts', {});
      expect({ total, cut }).toEqual({ total: 2, cut: null });
      expect(items.map(({ category }) => category)).toEqual(['identity_novel_exposures', 'domain_abuse']);
      expect(items[0]).toMatchObject({ title: DANA.email, priority: 'High', status: 'New', organisation_name: COMPANY.name });
      expect(items[0]?.panels?.['panel_evidence_summary']).toMatchObject({
        subject: DANA.email,
        exposed_secret: {
          type: 'clear',
          effectively_clear: true,
          details: {
            properties: ['Letter', 'Number', 'AtLeast12Characters'],
            clear_text_value: '[redacted]',
            clear_text_hint: '[redacted]',
          },
          hashes: [{ algorithm: 'SHA1', hash: '[redacted]' }],
        },
        malware_family: { name: 'Example Stealer' },
      });
      expect(JSON.stringify(items)).not.toMatch(/Herfst|0f1e2d3c/);
      expect(items[1]?.panels?.['panel_evidence_summary']).toMatchObject({
        resolved_record_list: [{ entity: `ip:${INDICATORS.maliciousIp}` }],
      });
    });

    it('redacts the value of every key that suggests a secret', async () => {
      const panels = {
        panel_evidence_summary: {
          password: 'p1',
          Passwords: ['p2', { plain: 'p3' }],
          credential_value: { deep: { deeper: 'p4', pin: 12_345 } },
          session_cookies: 'p5',
          api_key: null,
          note: 'API_KEY=p6 and so on',
          kept: { name: 'fine', count: 7, is_valid: true },
        },
      };
      const [alert] = pristine.playbookAlerts;
      Object.assign(standIn.state, { playbookAlerts: [{ ...alert, panels }] });
      const { items } = await run('getPlaybookAlerts', {});
      expect(items[0]?.panels).toEqual({
        panel_evidence_summary: {
          password: '[redacted]',
          Passwords: ['[redacted]', { plain: '[redacted]' }],
          credential_value: { deep: { deeper: '[redacted]', pin: '[redacted]' } },
          session_cookies: '[redacted]',
          api_key: null,
          note: 'API_KEY=[redacted] and so on',
          kept: { name: 'fine', count: 7, is_valid: true },
        },
      });
    });

    it('sends its filters and reads details only on request', async () => {
      const { items } = await run('getPlaybookAlerts', {
        entities: ['idn:harbour-read.example'],
        statuses: ['New'],
        priorities: ['Moderate'],
        categories: ['domain_abuse'],
        created_from: nowSeconds() - 30 * DAY_SECONDS,
        updated_to: nowSeconds(),
        details: false,
      });
      expect(items).toEqual([expect.objectContaining({ title: 'harbour-read.example', panels: null })]);
      expect(standIn.requests.map(({ url, body }) => ({ url, body }))).toEqual([
        {
          url: '/playbook-alert/search',
          body: {
            from: 0,
            limit: 100,
            order_by: 'created',
            direction: 'desc',
            entity: ['idn:harbour-read.example'],
            statuses: ['New'],
            priority: ['Moderate'],
            category: ['domain_abuse'],
            created_range: { from: expect.stringMatching(/Z$/) },
            updated_range: { until: expect.stringMatching(/Z$/) },
          },
        },
      ]);
    });

    it('reads all pages, and details of the first alerts only', async () => {
      const [alert] = pristine.playbookAlerts;
      const many = Array.from({ length: 130 }, (_, index) => ({
        ...alert,
        playbook_alert_id: `task:${index}`,
        category: 'cyber_vulnerability',
        panels: { panel_status: { index } },
      }));
      Object.assign(standIn.state, { playbookAlerts: many });
      const { items } = await run('getPlaybookAlerts', {});
      expect(items).toHaveLength(130);
      expect(items.filter(({ panels }) => panels !== null)).toHaveLength(25);
      expect(standIn.requests.map(({ url }) => url)).toContain('/playbook-alert/vulnerability/task%3A24');
    });

    it('omits the detail of a category that has none', async () => {
      standIn.faults.next({
        status: 400,
        body: { message: 'No such category', status_code: 400 },
        match: ({ url }) => !url.endsWith('/search'),
      });
      const { items } = await run('getPlaybookAlerts', {});
      expect(items.map(({ panels }) => panels === null)).toEqual([true, false]);
    });
  });

  describe('Get Enrichment', () => {
    it.each([
      ['ip', INDICATORS.maliciousIp, 89, 'Malicious'],
      ['ip', INDICATORS.benignIp, 0, 'None'],
      ['domain', INDICATORS.maliciousDomain, 92, 'Malicious'],
      ['url', INDICATORS.maliciousUrl, 91, 'Malicious'],
      ['hash', INDICATORS.malwareSha256, 95, 'Malicious'],
      ['hash', INDICATORS.benignSha256, 0, 'None'],
      ['vulnerability', INDICATORS.exploitedCve, 99, 'Malicious'],
      ['vulnerability', INDICATORS.quietCve, 5, 'Unusual'],
      ['company', COMPANY.domain, 35, 'Unusual'],
    ] as const)('knows the %s %s', async (kind, value, score, label) => {
      const result = await run('getEnrichment', { kind, value });
      expect(result).toMatchObject({ found: true, kind, value, score, criticality_label: label, entity: { name: value } });
    });

    it('returns the rules and the evidence, most severe first', async () => {
      const result = await run('getEnrichment', { kind: 'ip', value: INDICATORS.maliciousIp });
      expect(result.rules).toEqual(['Validated C&C Server', 'Historically Reported in Threat List']);
      expect(result.evidence[0]).toEqual({
        rule: 'Validated C&C Server',
        criticality: 'Malicious',
        text: '6 sightings on 1 source: command and control.',
        at: '2026-01-10T08:00:00.000Z',
      });
      expect(result).toMatchObject({ first_seen: '2025-12-30T04:12:00.000Z', last_seen: '2026-01-10T08:00:00.000Z' });
      expect(standIn.requests[0]?.url).toBe(`/v2/ip/${INDICATORS.maliciousIp}?fields=entity%2Crisk%2Ctimestamps`);
    });

    it.each([{}, { entity: null, risk: {} }, { entity: null, risk: { score: null, evidenceDetails: [] }, timestamps: {} }])(
      'returns no match for a reply without entity and risk: %j',
      async (data) => {
        standIn.faults.next({ body: { data } });
        expect(await run('getEnrichment', { kind: 'ip', value: '203.0.113.1' })).toMatchObject({ found: false, score: null });
      },
    );

    it('reads the CVSS score and the description of a vulnerability', async () => {
      const data = { entity: { id: 'x', name: 'CVE-2024-1', type: 'CyberVulnerability' }, risk: { score: 80 } };
      const v3 = { cvss: { score: 7.5 }, cvssv3: { baseScore: 9.8 }, nvdDescription: 'A flaw in a gateway.' };
      standIn.faults.next({ body: { data: { ...data, ...v3 } } });
      const result = await run('getEnrichment', { kind: 'vulnerability', value: 'CVE-2024-1' });
      expect(result).toMatchObject({ found: true, cvss_score: 9.8, description: 'A flaw in a gateway.' });
      expect(parseQuery(standIn.requests[0] as RecordedRequest).get('fields')).toBe('entity,risk,timestamps,cvss,cvssv3,nvdDescription');
      standIn.faults.next({ body: { data: { ...data, cvss: { score: 7.5 } } } });
      expect(await run('getEnrichment', { kind: 'vulnerability', value: 'CVE-2024-1' })).toMatchObject({ cvss_score: 7.5 });
    });

    it('returns no match when the platform does not know the indicator', async () => {
      expect(await run('getEnrichment', { kind: 'url', value: 'https://nobody.example/?a=b&c=/../d' })).toEqual({
        found: false,
        kind: 'url',
        value: 'https://nobody.example/?a=b&c=/../d',
        entity: null,
        score: null,
        criticality: null,
        criticality_label: null,
        summary: null,
        rules: [],
        evidence: [],
        first_seen: null,
        last_seen: null,
        cvss_score: null,
        description: null,
      });
      expect(standIn.requests[0]?.url).toMatch(/^\/v2\/url\/https%3A%2F%2Fnobody\.example%2F%3Fa%3Db%26c%3D%2F\.\.%2Fd\?fields=/);
    });

    it('does not take a host without the API for a platform that knows nothing', async () => {
      const unknown = { kind: 'ip', value: '203.0.113.200' } as const;
      standIn.faults.next({ status: 404, body: '<html>', times: 3 });
      expect(await refused(run('getEnrichment', unknown))).toMatchObject({ code: 'Misconfigured' });
      // The alert path alone can be wrong.
      expect(await run('getEnrichment', unknown, { settings: { alert_path: '/elsewhere' } })).toMatchObject({ found: false });
    });

    it('looks up a company by ID or domain and rejects a value of dots only', async () => {
      await run('getEnrichment', { kind: 'company', value: 'B_HE4' });
      await run('getEnrichment', { kind: 'company', value: 'nobody.example' });
      const paths = standIn.requests.map(({ url }) => url.split('?')[0]).filter((path) => path?.startsWith('/v2/'));
      expect(paths).toEqual(['/v2/company/B_HE4', '/v2/company/by_domain/nobody.example']);
      expect(threatIntelligence.skills.getEnrichment.input.safeParse({ kind: 'ip', value: '..' }).success).toBe(false);
    });
  });

  describe('errors', () => {
    it.each([
      [401, 'CredentialsRejected', 'Regenerate the API key'],
      [403, 'NotPermitted', 'subscription'],
      [404, 'Misconfigured', 'alert path'],
      [429, 'RateLimited', 'waits and retries'],
      [500, 'Unavailable', 'retries with backoff'],
      [503, 'Unavailable', 'retries with backoff'],
    ])('maps %i to %s with a resolution', async (status, code, resolution) => {
      standIn.faults.next({ status, body: { error: { status, message: 'as it says' } } });
      const error = await refused(run('listAlerts', {}));
      expect(error).toMatchObject({
        code,
        status,
        resolution: expect.stringContaining(resolution),
        message: expect.stringContaining('as it says'),
      });
      expect(error.retryable).toBe(status >= 500);
    });

    it('reads the other error format and omits the key from the message', async () => {
      standIn.faults.next({ status: 400, body: { message: 'not intelligence-key', status_code: 400 } });
      const error = await refused(run('getPlaybookAlerts', {}));
      expect(error).toMatchObject({ code: 'BadRequest', message: 'HTTP 400: not [hidden]' });
    });

    it('names a response with the wrong shape', async () => {
      standIn.faults.next({ body: { data: { not: 'a list' } } });
      await expect(run('listAlerts', {})).rejects.toMatchObject({ code: 'UnexpectedReply' });
    });
  });

  describe('the connection test', () => {
    const test = (given?: Parameters<typeof context>[0]) => threatIntelligenceImplementation.test(context(given));
    const granted = (result: Awaited<ReturnType<typeof test>>) =>
      Object.fromEntries(result.permissions.map((permission) => [permission.skill_id, permission.granted]));

    it('passes with valid credentials and all permissions', async () => {
      const result = await test();
      expect(result.credentials.ok).toBe(true);
      expect(granted(result)).toEqual({ 'Get Playbook Alerts': true, 'List Alerts': true, 'Get Enrichment': true });
      expect(Date.parse(result.date ?? '')).toBeGreaterThan(0);
    });

    it('reports an invalid key', async () => {
      const result = await test({ key: 'old' });
      expect(result.credentials).toEqual({ ok: false, detail: expect.stringMatching(/Invalid or expired key.*Regenerate/) });
      expect(standIn.requests).toHaveLength(1);
    });

    it('reports the modules that the subscription lacks', async () => {
      Object.assign(standIn.state.modules, { alerts: false, playbookAlerts: false });
      const result = await test();
      expect(result.credentials.ok).toBe(true);
      expect(granted(result)).toEqual({ 'Get Playbook Alerts': false, 'List Alerts': false, 'Get Enrichment': true });
    });

    it('fails when the platform fails', async () => {
      standIn.faults.next({ status: 500, body: '' });
      expect(await refused(test())).toMatchObject({ code: 'Unavailable', status: 500 });
    });
  });

  describe.skipIf(recorded.names.length === 0)('responses of the public product', () => {
    const given = (name: string, status = 200) => standIn.faults.next({ status, body: fixture(name) });
    const fed: Readonly<Record<string, () => Promise<void>>> = {
      'list-alerts-v3-page1.json': async () => {
        given('list-alerts-v3-page1.json');
        const { items, total } = await run('listAlerts', {});
        expect(total).toBe(2);
        // Both rows have the same ID.
        expect(items[0]).toMatchObject({
          id: 'ABCD1234XYZ',
          review: { assignee: 'John' },
          hits: [{ language: 'eng', analyst_note: { id: 'abcdef' } }],
        });
      },
      'list-alerts-v3-empty.json': async () => {
        given('list-alerts-v3-empty.json');
        expect(await run('listAlerts', {})).toEqual({ items: [], total: null, cut: null, omitted: 0 });
      },
      'get-alert-v3.json': async () => {
        standIn.faults.next({ body: { data: [(fixture('get-alert-v3.json') as { data: unknown }).data] } });
        const { items } = await run('listAlerts', { entity: 'bobby.cat' });
        expect(items[0]).toMatchObject({ id: 'w1KF1z', title: null, log: { triggered: null }, hits: [{ fragment: 'Example fragment' }] });
      },
      'search-playbook-alerts-page1.json': async () => {
        given('search-playbook-alerts-page1.json');
        given('get-playbook-alert-domain-abuse.json');
        const { items } = await run('getPlaybookAlerts', {});
        expect(items.map(({ id }) => id)).toEqual(['task:abcd', 'task:efgh']);
        expect(items[0]?.panels).toMatchObject({
          panel_status: { risk_score: 99 },
          panel_evidence_dns: { mx_list: [{ criticality: 'Low' }] },
        });
      },
      'get-playbook-alert-domain-abuse.json': async () => fed['search-playbook-alerts-page1.json']?.(),
      'search-playbook-alerts-with-counts.json': async () => {
        given('search-playbook-alerts-with-counts.json');
        given('get-playbook-alert-code-repo-leakage.json');
        const { items, total, cut } = await run('getPlaybookAlerts', { max_items: 1 });
        expect({ total, cut: cut !== null }).toEqual({ total: 722_801, cut: true });
        expect(items[0]?.panels).toMatchObject({ panel_evidence_summary: { repository: { name: 'repo' } } });
      },
      'get-playbook-alert-code-repo-leakage.json': async () => fed['search-playbook-alerts-with-counts.json']?.(),
      'search-playbook-alerts-empty.json': async () => {
        given('search-playbook-alerts-empty.json');
        expect(await run('getPlaybookAlerts', {})).toEqual({ items: [], total: null, cut: null, omitted: 0 });
      },
      'playbook-alert-error-400.json': async () => {
        given('playbook-alert-error-400.json', 400);
        expect(await refused(run('getPlaybookAlerts', {}))).toMatchObject({ code: 'BadRequest', status: 400 });
      },
      'soar-enrichment-ip.json': async () => {
        given('soar-enrichment-ip.json');
        const indicators = ['42.194.199.231', '192.0.2.1'].map((value) => ({ kind: 'ip', value }) as const);
        const [found, missing] = await enrichmentGroup.ask(indicators, context());
        expect(found).toMatchObject({ found: true, score: 99, criticality: 4, criticality_label: 'Very Malicious' });
        expect(found?.rules).toEqual(['Validated C&C Server', 'Historically Reported in Threat List']);
        // The reply says nothing about it, so it is asked alone.
        expect(missing).toBeNull();
      },
      'lookup-ip.json': async () => {
        given('lookup-ip.json');
        const result = await run('getEnrichment', { kind: 'ip', value: '93.184.216.34' });
        expect(result).toMatchObject({ found: true, score: 58, criticality_label: 'Suspicious', last_seen: '2022-04-08T10:57:07.595Z' });
        expect(result.rules).toEqual(['Historically Linked to Intrusion Method', 'Historically Linked to Cyber Attack']);
      },
      'lookup-domain.json': async () => {
        given('lookup-domain.json');
        expect(await run('getEnrichment', { kind: 'domain', value: 'coffee-break.pl' })).toMatchObject({
          found: true,
          score: 0,
          rules: [],
        });
      },
      'lookup-hash.json': async () => {
        given('lookup-hash.json');
        const result = await run('getEnrichment', { kind: 'hash', value: '44d88612fea8a8f36de82e1278abb02f' });
        expect(result).toMatchObject({ found: true, entity: { type: 'Hash' }, first_seen: '2013-10-07T07:56:14.576Z' });
      },
      'lookup-not-found-404.json': async () => {
        given('lookup-not-found-404.json', 404);
        expect(await run('getEnrichment', { kind: 'ip', value: '192.0.2.1' })).toMatchObject({ found: false, score: null });
      },
    };
    /** Responses to calls that this connector does not make: search by range. */
    const NOT_CALLED = ['search-ip.json'];

    it('each have a skill that receives them', () => {
      expect([...Object.keys(fed), ...NOT_CALLED].sort()).toEqual(recorded.names.toSorted());
    });
    it.each(Object.entries(fed))('%s', (_, feed) => feed());
  });
});
