import { CHANNELS } from '../../domain/notification/channel.js';
import { type EventName, findMatter, type NotificationEvent } from '../../domain/notification/event.js';
import { requireAccepted, type Send } from './channel.js';

const GOOD_NEWS: readonly string[] = ['connection.restored', 'proposal.decided', 'run.decided'] satisfies readonly EventName[];

/**
 * Events API v2, which other products of alerting accept too. An event of the same matter has the same key, so that it changes the
 * incident, and the good news resolves it. https://developer.pagerduty.com/docs/send-alert-event
 */
export const sendPagerDuty: Send = async ({ channel, event, message, http }) => {
  const { url } = CHANNELS.pagerduty.settings.parse(channel.settings);
  const isOver = GOOD_NEWS.includes(event.name);
  const reply = await http.request({
    method: 'POST',
    url,
    json: {
      routing_key: channel.secrets.get('routing_key') ?? '',
      event_action: isOver ? 'resolve' : 'trigger',
      dedup_key: findMatter(event) ?? event.id,
      client: 'Alert Investigator',
      client_url: message.link,
      links: [{ href: message.link, text: message.title }],
      payload: {
        summary: message.title,
        source: event.organization,
        severity: toSeverity(event),
        timestamp: new Date(event.at * 1000).toISOString(),
      },
    },
  });
  requireAccepted(reply);
};

const SEVERITIES: Readonly<Record<string, string>> = {
  critical: 'critical',
  high: 'error',
  medium: 'warning',
  low: 'info',
  informational: 'info',
};

function toSeverity({ data }: NotificationEvent): string {
  const severity = 'severity' in data ? data.severity : null;
  return SEVERITIES[severity ?? ''] ?? 'warning';
}
