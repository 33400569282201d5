import { playbook } from '../playbook.js';
import { enrich, upTo, valuesOf, weighReputation } from '../questions.js';

const PRESSURE = [/\burgent(ly)?\b/i, /\bimmediate(ly)?\b/i, /\bwithin \d+ hours?\b/i, /\bsuspend(ed)?\b/i, /\bfinal (notice|warning)\b/i];
const CREDENTIALS = [
  /\bpasswords?\b/i,
  /\bverify your (account|identity)\b/i,
  /\bsign[ -]?in\b/i,
  /\blog[ -]?in\b/i,
  /\bgift cards?\b/i,
  /\bwire transfer\b/i,
];
/** `From: Parcel service <notice@parcel.example>`, `"sender": "notice@parcel.example"`. */
const SENDER = /\b(?:from|sender|return-path|reply-to)\b["']?\s{0,3}[:=][^\n@]{0,200}@([a-z0-9.-]{1,253}[a-z0-9])/gi;

/** A person reported a mail: what it asks for, who sent it, where it leads, and who else got one like it. */
export const reportedPhishing = playbook(
  { alertTypes: ['Reported phishing', 'User reported phishing', 'Phishing report'] },
  async ({ alert, entities, skills, evidence, correlate }) => {
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

    const domains = valuesOf(entities, 'domain');
    const senders = [...alert.content.matchAll(SENDER)].map(([, domain = '']) => domain.toLowerCase());
    const sentFrom = domains.filter((domain) => senders.includes(domain));
    const leadsTo = domains.filter((domain) => !sentFrom.includes(domain) && urls.some((url) => new URL(url).hostname === domain));
    const [shared, aboutUrls, aboutDomains, aboutSenders] = await Promise.all([
      correlate({ by: ['url', 'domain', 'email', 'hash'], withinDays: 14 }),
      enrich({ skills }, 'url', upTo(evidence, 'link', urls)),
      enrich({ skills }, 'domain', upTo(evidence, 'domain of a link', leadsTo)),
      enrich({ skills }, 'domain', upTo(evidence, "sender's domain", sentFrom)),
    ]);
    // A link and its domain are one place: whichever is worse counts.
    weighReputation(evidence, [...aboutUrls, ...aboutDomains], {
      what: 'link',
      bad: 55,
      doubtful: 20,
      good: -30,
      techniques: ['T1566.002'],
    });
    weighReputation(evidence, aboutSenders, { what: "sender's domain", bad: 30, doubtful: 15, good: -10, techniques: ['T1566'] });

    const [widest] = shared;
    if (widest)
      evidence.finding(
        Math.min(30, 10 + 2 * widest.alertCount),
        'Part of a wave',
        `${widest.kind} ${widest.value} is in ${widest.alertCount} earlier alerts: ${widest.alertIds.join(', ')}`,
      );
  },
);
