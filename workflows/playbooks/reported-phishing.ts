import type { Entity } from '../../domain/entity.js';
import { playbook } from '../playbook.js';

const PRESSURE = [/\burgent(ly)?\b/i, /\bimmediate(ly)?\b/i, /\bwithin \d+ hours?\b/i, /\bsuspend(ed)?\b/i, /\bfinal (notice|warning)\b/i];
const CREDENTIALS = [
  /\bpasswords?\b/i,
  /\bverify your (account|identity)\b/i,
  /\bsign[ -]?in\b/i,
  /\blog[ -]?in\b/i,
  /\bgift cards?\b/i,
  /\bwire transfer\b/i,
];

/** A person reported a mail: what it asks for, where it leads, and who else got one like it. */
export const reportedPhishing = playbook(
  { alertTypes: ['Reported phishing', 'User reported phishing', 'Phishing report'] },
  async ({ alert, entities, evidence, correlate }) => {
    const urls = valuesOf(entities, 'url');
    if (urls.length > 0) evidence.finding(15, 'The mail carries links', urls.slice(0, 5).join(', '), { techniques: ['T1566.002'] });
    const byAddress = urls.filter((url) => /^https?:\/\/(\d{1,3}(\.\d{1,3}){3}|\[)/.test(url));
    if (byAddress.length > 0)
      evidence.finding(25, 'A link names an address instead of a host', byAddress.join(', '), { techniques: ['T1566.002'] });
    if (PRESSURE.some((pattern) => pattern.test(alert.content)))
      evidence.finding(15, 'The mail presses for time', 'It threatens or sets a deadline.');
    if (CREDENTIALS.some((pattern) => pattern.test(alert.content))) {
      evidence.finding(20, 'The mail asks for credentials or money', 'It speaks of passwords, signing in or payments.', {
        techniques: ['T1598'],
      });
    }
    if (urls.length === 0 && valuesOf(entities, 'hash').length === 0) {
      evidence.finding(-20, 'Nothing to click or open', 'The mail carries neither a link nor an attachment that could do harm.');
    }
    const shared = await correlate({ by: ['url', 'domain', 'email', 'hash'], withinDays: 14 });
    const [widest] = shared;
    if (widest)
      evidence.finding(
        Math.min(30, 10 + 2 * widest.alertCount),
        'Part of a wave',
        `${widest.kind} ${widest.value} is in ${widest.alertCount} earlier alerts: ${widest.alertIds.join(', ')}`,
      );
  },
);

function valuesOf(entities: readonly Entity[], kind: Entity['kind']): string[] {
  return entities.filter((entity) => entity.kind === kind).map((entity) => entity.value);
}
