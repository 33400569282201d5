import { z } from 'zod';
import type { HttpReply, Implementation } from '../kit/implement.js';
import { collectPages, omittedItem, PageSize } from '../kit/paging.js';
import { requireApi } from '../kit/require-api.js';
import {
  anything,
  ask,
  buildUrl,
  type Context,
  Entity,
  group,
  identity,
  lenientList,
  MAX_LIST,
  maybeEntity,
  maybeNumber,
  maybeText,
  read,
  refusal,
  send,
  withoutSecrets,
} from './api.js';
import { MAX_DETAILS, threatIntelligence } from './contract.js';
import { EnrichmentReply, enrichmentGroup, toEnrichment, UNKNOWN } from './enrichment.js';

type Alert = z.output<typeof threatIntelligence.skills.listAlerts.output>['items'][number];
type PlaybookAlert = z.output<typeof threatIntelligence.skills.getPlaybookAlerts.output>['items'][number];
type AlertFound = z.output<typeof AlertReply>;
type AlertFilter = Pick<z.output<typeof threatIntelligence.skills.listAlerts.input>, 'entity' | 'status' | 'priority'>;

const PAGE_SIZE = 100;
/** The platform replies 400 to a page beyond this offset. */
const WINDOW_ITEMS = 1000;
/** The smallest window that can be split. */
const WINDOW_MS = 1000;
const DAY_MS = 24 * 3600 * 1000;
const MAX_HITS = 20;
/** One alert can have megabytes, mostly hits that we leave out. */
const PAGE_BYTES = 64 * 1024 * 1024;
/** Categories whose path differs from their name. */
const SEGMENTS: Readonly<Record<string, string>> = { cyber_vulnerability: 'vulnerability' };

const AlertReply = z.object({
  id: identity,
  title: maybeText,
  type: maybeText,
  priority: maybeText,
  review: group({ note: maybeText, status_in_portal: maybeText, assignee: maybeText, status: maybeText }),
  owner_organisation_details: group({
    organisations: lenientList(z.object({ organisation_id: maybeText, organisation_name: maybeText })),
    enterprise_id: maybeText,
    enterprise_name: maybeText,
  }),
  url: group({ api: maybeText, portal: maybeText }),
  rule: group({ use_case_deprecation: anything, name: maybeText, id: maybeText, url: group({ portal: maybeText }) }),
  hits: lenientList(
    z.object({
      id: maybeText,
      entities: lenientList(Entity),
      document: group({ source: maybeEntity, title: maybeText, url: maybeText, authors: lenientList(Entity) }),
      fragment: maybeText,
      language: maybeText,
      primary_entity: anything,
      analyst_note: anything,
    }),
  ),
  enriched_entities: lenientList(anything),
  ai_insights: group({ comment: maybeText, text: maybeText }),
  log: group({ note_author: maybeText, note_date: maybeText, status_date: maybeText, triggered: maybeText, status_change_by: maybeText }),
  triggered_by: lenientList(anything),
});

const listReply = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), counts: group({ total: maybeNumber }) });
const AlertsReply = listReply(AlertReply);
const PlaybookAlertsReply = listReply(
  z.object({
    playbook_alert_id: identity,
    category: maybeText,
    title: maybeText,
    status: maybeText,
    priority: maybeText,
    created: maybeText,
    updated: maybeText,
    owner_name: maybeText,
    organisation_name: maybeText,
    actions_taken: lenientList(anything),
  }),
);
const PanelsReply = z.object({ data: z.record(z.string(), z.unknown()) });
interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}
interface Cursor {
  readonly window: Window;
  /** The windows after this one, newest first. */
  readonly later: readonly Window[];
  readonly offset: number;
}

const PLAYBOOK_ALERTS = '/playbook-alert/search';

export const threatIntelligenceImplementation: Implementation<typeof threatIntelligence> = {
  groups: { getEnrichment: enrichmentGroup },
  skills: {
    async getPlaybookAlerts({ details, max_items, ...filter }, context) {
      const size = new PageSize(PAGE_SIZE, 'offset', { connection: context.connection, path: PLAYBOOK_ALERTS });
      const { items, ...rest } = await collectPages(0, { maxItems: max_items }, async (offset) => {
        const asked = await size.read(offset, async (limit) => ({
          limit,
          reply: await ask(context, {
            method: 'POST',
            url: buildUrl(context, PLAYBOOK_ALERTS),
            json: buildSearch(filter, offset, limit),
          }),
        }));
        if (asked === null) return { ...omittedItem(offset + 1), items: [] };
        const { reply, limit } = asked;
        const { data, counts } = read(PlaybookAlertsReply, reply);
        const end = offset + data.length;
        const hasMore = data.length > 0 && (counts.total === null ? data.length >= limit : end < counts.total);
        return { items: data, next: hasMore ? end : null, total: counts.total, bytes: Buffer.byteLength(reply.text) };
      });
      const alerts: PlaybookAlert[] = [];
      // A row that moves during paging appears twice.
      for (const { playbook_alert_id: id, ...row } of new Map(items.map((item) => [item.playbook_alert_id, item])).values()) {
        const panels = details && alerts.length < MAX_DETAILS ? await readPanels(context, row.category, id) : null;
        alerts.push({ id, ...row, panels });
      }
      return { items: alerts, ...rest };
    },

    async listAlerts({ from, to, max_items, ...filter }, context) {
      const toMs = to === undefined ? Date.now() : to * 1000;
      const fromMs = from === undefined ? toMs - DAY_MS : from * 1000;
      const seen = new Set<string>();
      const { connection } = context;
      const size = new PageSize(PAGE_SIZE, 'offset', { connection, path: connection.settings.alert_path });
      const undecided = { entity: 0, priority: 0 };
      const paging: Paging = { byWindows: false, problem: null, isSeen: ({ id }) => seen.has(id) };
      const collected = await collectPages<Alert, Cursor>(
        { window: { fromMs, toMs }, later: [], offset: 0 },
        { maxItems: max_items, maxBytes: PAGE_BYTES },
        async (cursor) => {
          const page = await readAlerts(context, cursor, filter, size, paging);
          if (page === null) return omittedItem({ ...cursor, offset: cursor.offset + 1 });
          const { alerts: read, total, bytes, next } = page;
          const alerts = read.filter(({ id }) => !seen.has(id)).filter((alert) => isWanted(alert, filter, undecided));
          for (const { id } of read) seen.add(id);
          const isFiltered = filter.entity !== undefined || filter.priority !== undefined;
          const isFullWindow = cursor.window.fromMs === fromMs && cursor.window.toMs === toMs && !isFiltered;
          return { items: alerts.map(boundAlert), next, bytes, ...(isFullWindow ? { total } : {}) };
        },
      );
      const reasons = [collected.cut ?? paging.problem, ...describeUndecided(undecided)].filter((reason) => reason !== null);
      // A platform that ignores the page may ignore the order too.
      const items = paging.byWindows ? collected.items.toSorted((one, other) => triggeredMs(other) - triggeredMs(one)) : collected.items;
      return { ...collected, items, cut: reasons.length === 0 ? null : reasons.join(' ') };
    },

    async getEnrichment({ kind, value }, context) {
      const isDomainOfCompany = kind === 'company' && /^[^\s:/]+\.[a-z]{2,}$/i.test(value);
      const path = `/v2/${kind}/${isDomainOfCompany ? 'by_domain/' : ''}${encodeURIComponent(value)}`;
      const fields = ['entity', 'risk', 'timestamps', ...(kind === 'vulnerability' ? VULNERABILITY_FIELDS : [])].join(',');
      const reply = await send(context, { method: 'GET', url: buildUrl(context, path), query: { fields } });
      if (reply.status === 404) {
        await requireEnrichment(context, reply);
        return { ...UNKNOWN, kind, value };
      }
      if (reply.status !== 200) throw refusal(reply);
      return { ...toEnrichment(read(EnrichmentReply, reply)), kind, value };
    },
  },

  async test(context) {
    const { getPlaybookAlerts, listAlerts, getEnrichment } = threatIntelligence.skills;
    const alerts = await probeAlerts(context);
    const date = alerts.headers['date'] ?? null;
    const describePermissions = (granted: readonly [boolean | null, boolean | null, boolean | null]) =>
      [getPlaybookAlerts, listAlerts, getEnrichment].map(({ title, permission }, index) => ({
        skill_id: title,
        permission,
        granted: granted[index] ?? null,
      }));
    if (alerts.status === 401) {
      const { message, resolution } = refusal(alerts);
      return {
        credentials: { ok: false, detail: `${message}. ${resolution}` },
        permissions: describePermissions([null, null, null]),
        date,
      };
    }
    if (alerts.status !== 200 && alerts.status !== 403) throw refusal(alerts);
    const playbookAlerts = await probePlaybookAlerts(context);
    const domain = await send(context, { method: 'GET', url: buildUrl(context, '/v2/domain/example.com'), query: { fields: 'entity' } });
    const isGranted = ({ status }: HttpReply) => (status === 403 ? false : status === 200 ? true : null);
    return {
      credentials: { ok: true, detail: 'The platform accepts the key.' },
      permissions: describePermissions([isGranted(playbookAlerts), isGranted(alerts), domain.status === 404 ? true : isGranted(domain)]),
      date,
    };
  },
};

function probeAlerts(context: Context): Promise<HttpReply> {
  const now = Date.now();
  return send(context, {
    method: 'GET',
    url: buildUrl(context, context.connection.settings.alert_path),
    query: { triggered: triggered({ fromMs: now - 3_600_000, toMs: now }), limit: 1 },
  });
}

function probePlaybookAlerts(context: Context): Promise<HttpReply> {
  return send(context, { method: 'POST', url: buildUrl(context, PLAYBOOK_ALERTS), json: { from: 0, limit: 1 } });
}

/** The API replies 404 to an indicator that it does not know, and a wrong host to each path. The alert path can be wrong alone. */
async function requireEnrichment(context: Context, reply: HttpReply): Promise<void> {
  const { connection } = context;
  const probes = [() => probePlaybookAlerts(context), () => probeAlerts(context)];
  await requireApi({ connection, baseUrl: connection.settings.api_host, probes, refusal }, reply);
}

const VULNERABILITY_FIELDS = ['cvss', 'cvssv3', 'nvdDescription'];

/** What the pages of one list have shown about the platform. */
interface Paging {
  /** The platform repeats its first page, so each window must fit on one page. */
  byWindows: boolean;
  /** Why the list is incomplete. */
  problem: string | null;
  isSeen(alert: AlertFound): boolean;
}

/** Reads one page of a window. If the window has too many items, its halves come next. null: the alert at the offset is too large. */
async function readAlerts(
  context: Context,
  { window, later, offset }: Cursor,
  filter: Pick<AlertFilter, 'status'>,
  size: PageSize,
  paging: Paging,
) {
  const asked = await size.read(offset, async (limit) => ({
    limit,
    reply: await ask(context, {
      method: 'GET',
      url: buildUrl(context, context.connection.settings.alert_path),
      query: {
        triggered: triggered(window),
        limit: Math.min(limit, WINDOW_ITEMS - offset),
        from: offset,
        orderBy: 'triggered',
        direction: 'desc',
        statusInPortal: filter.status,
      },
      maxBytes: PAGE_BYTES,
    }),
  }));
  if (asked === null) return null;
  const { reply, limit } = asked;
  const { data, counts } = read(AlertsReply, reply);
  const end = offset + data.length;
  const hasMore = data.length > 0 && (counts.total === null ? data.length >= Math.min(limit, WINDOW_ITEMS - offset) : end < counts.total);
  paging.byWindows ||= offset > 0 && data.length > 0 && data.every(paging.isSeen);
  const isOverLimit = counts.total === null ? hasMore && end >= WINDOW_ITEMS : counts.total > WINDOW_ITEMS;
  const isTooMuch = paging.byWindows ? hasMore || offset > 0 : isOverLimit;
  const isDivisible = window.toMs - window.fromMs > WINDOW_MS;
  const [following, ...others] = later;
  const afterwards: Cursor | null = following ? { window: following, later: others, offset: 0 } : null;
  const page = { alerts: data, total: counts.total, bytes: Buffer.byteLength(reply.text) };
  if (paging.byWindows && data.some((alert) => isOutside(window, alert))) {
    paging.problem = 'The platform ignores the page and the time range of the question, so only its first page was read.';
    return { ...page, next: null };
  }
  if (isTooMuch && isDivisible) {
    const middleMs = Math.floor((window.fromMs + window.toMs) / 2);
    const newer = { fromMs: middleMs + 1, toMs: window.toMs };
    return { ...page, next: { window: newer, later: [{ fromMs: window.fromMs, toMs: middleMs }, ...later], offset: 0 } };
  }
  if (isTooMuch && (paging.byWindows || end >= WINDOW_ITEMS)) {
    const most = paging.byWindows ? data.length : WINDOW_ITEMS;
    paging.problem = `More than ${most} alerts were triggered within one second; the platform returns only the first.`;
    return { ...page, next: afterwards };
  }
  return { ...page, next: hasMore ? { window, later, offset: end } : afterwards };
}

function triggeredMs({ log }: Pick<AlertFound, 'log'>): number {
  return Date.parse(log.triggered ?? '') || 0;
}

/** Times of alerts may have no milliseconds. */
function isOutside({ fromMs, toMs }: Window, alert: AlertFound): boolean {
  const at = triggeredMs(alert);
  return at !== 0 && (at < fromMs - WINDOW_MS || at > toMs + WINDOW_MS);
}

function triggered({ fromMs, toMs }: Window): string {
  return `[${new Date(fromMs).toISOString()},${new Date(toMs).toISOString()}]`;
}

/** The alerts that a filter left out because they lack the field that it needs. */
interface Undecided {
  entity: number;
  priority: number;
}

/** The third party filters by status only. */
function isWanted(alert: AlertFound, { entity, status, priority }: AlertFilter, undecided: Undecided): boolean {
  const known = alert.review.status_in_portal ?? alert.review.status;
  if (status !== undefined && known !== null && !isSame(known, status)) return false;
  if (priority !== undefined && !isSame(alert.priority, priority)) {
    if (alert.priority === null) undecided.priority += 1;
    return false;
  }
  if (entity === undefined || concerns(alert, entity)) return true;
  if (alert.hits.length === 0) undecided.entity += 1;
  return false;
}

/** An alert without hits may name the entity in its other fields. */
function concerns({ hits, enriched_entities, triggered_by, title }: AlertFound, entity: string): boolean {
  if (hits.some(({ entities }) => entities.some(({ id, name }) => isSame(id, entity) || isSame(name, entity)))) return true;
  return isSame(title, entity) || [enriched_entities, triggered_by].some((value) => hasText(value, entity));
}

/** Whether one of the texts in the value is the wanted one. */
function hasText(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return isSame(value, wanted);
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => hasText(part, wanted));
}

function describeUndecided({ entity, priority }: Undecided): string[] {
  return [
    ...(priority > 0 ? [`Left out ${priority} alerts without a priority: the platform reports no priority for them.`] : []),
    ...(entity > 0 ? [`Left out ${entity} alerts without hits: they name no entity.`] : []),
  ];
}

/** "In Progress" and "InProgress" both occur. */
function isSame(one: string | null, other: string): boolean {
  const plain = (text: string) => text.replace(/\s/g, '').toLowerCase();
  return one !== null && plain(one) === plain(other);
}

function boundAlert(alert: AlertFound): Alert {
  const hits = alert.hits.slice(0, MAX_HITS);
  return {
    ...alert,
    hits: hits.map((hit) => ({ ...hit, entities: hit.entities.slice(0, MAX_LIST) })),
    hits_total: alert.hits.length,
    enriched_entities: alert.enriched_entities.slice(0, MAX_LIST),
    triggered_by: alert.triggered_by.slice(0, MAX_LIST),
  };
}

function buildSearch(
  filter: Omit<z.output<typeof threatIntelligence.skills.getPlaybookAlerts.input>, 'details' | 'max_items'>,
  offset: number,
  limit: number,
) {
  const range = (from: number | undefined, until: number | undefined) =>
    from === undefined && until === undefined ? undefined : { from: toIsoString(from), until: toIsoString(until) };
  return {
    from: offset,
    limit,
    order_by: 'created',
    direction: 'desc',
    entity: filter.entities,
    statuses: filter.statuses,
    priority: filter.priorities,
    category: filter.categories,
    created_range: range(filter.created_from, filter.created_to),
    updated_range: range(filter.updated_from, filter.updated_to),
  };
}

function toIsoString(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

/** Null if the category has no details or the alert was deleted. */
async function readPanels(context: Context, category: string | null, id: string): Promise<Record<string, unknown> | null> {
  if (category === null) return null;
  const path = `/playbook-alert/${encodeURIComponent(SEGMENTS[category] ?? category)}/${encodeURIComponent(id)}`;
  const reply = await send(context, { method: 'POST', url: buildUrl(context, path), json: {} });
  if (reply.status === 400 || reply.status === 404) return null;
  if (reply.status !== 200) throw refusal(reply);
  const { playbook_alert_id: _, ...panels } = read(PanelsReply, reply).data;
  return Object.fromEntries(Object.entries(panels).map(([name, panel]) => [name, withoutSecrets(panel)]));
}
