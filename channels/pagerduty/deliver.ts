import { type EventName, findCorrelationKey, type NotificationEvent } from '../../domain/notification/event.js';
import { type Deliver, requireAccepted } from '../kit/deliver.js';
import type { pagerduty } from './contract.js';

const GOOD_NEWS: readonly string[] = ['connection.restored', 'proposal.decided', 'run.decided'] satisfies readonly EventName[];

/**
 * Events API v2, which other products of alerting accept too. Events with the same correlation key change one incident, and the
 * good news resolves it. https://developer.pagerduty.com/docs/send-alert-event
 */
export const deliverPagerDuty: Deliver<typeof pagerduty> = async ({ settings: { url }, secrets, event, message, http }) => {
  const isOver = GOOD_NEWS.includes(event.name);
  const reply = await http.request({
    method: 'POST',
    url,
    json: {
      routing_key: secrets.routing_key,
      event_action: isOver ? 'resolve' : 'trigger',
      dedup_key: findCorrelationKey(event) ?? event.id,
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
  return null;
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
