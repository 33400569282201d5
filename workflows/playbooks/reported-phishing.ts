import { enrich, limitItems, listValues, weighReputation } from '../lib/playbook-helpers.js';
import { playbook } from '../playbook.js';

const PRESSURE = [/\burgent(ly)?\b/i, /\bimmediate(ly)?\b/i, /\bwithin \d+ hours?\b/i, /\bsuspend(ed)?\b/i, /\bfinal (notice|warning)\b/i];
const CREDENTIALS = [
  /\bpasswords?\b/i,
  /\bverify your (account|identity)\b/i,
  /\bsign[ -]?in\b/i,
  /\blog[ -]?in\b/i,
  /\bgift cards?\b/i,
  /\bwire transfer\b/i,
  /\bpayments?\b/i,
  /\b(?:bank (?:account|details)|iban)\b/i,
  /\bfavou?r\b/i,
  /\bare you (?:available|free|at your desk)\b/i,
];
/** `From: Parcel service <notice@parcel.example>`, `"sender": "notice@parcel.example"`. */
const SENDER = /\b(?:from|sender|return-path|reply-to)\b["']?\s{0,3}[:=][^\n@]{0,200}@([\p{L}\p{N}.-]{1,253}[\p{L}\p{N}])/giu;

/** `To: dana@harbour-reed.example`, `"recipients": ["dana@harbour-reed.example"]`. */
const RECIPIENT = /\b(?:to|cc|recipients?|delivered-to)\b["']?\s{0,3}[:=][^\n@]{0,200}@([\p{L}\p{N}.-]{1,253}[\p{L}\p{N}])/giu;

/** A person reported a mail: what it asks for, who sent it, where it leads, and who else got one like it. */
export const reportedPhishing = playbook(
  { alertTypes: ['Reported phishing', 'User reported phishing', 'Phishing report'], severity: 'medium' },
  async ({ alert, entities, skills, evidence, correlate }) => {
    const urls = listValues(entities, 'url');
    if (urls.length > 0) evidence.finding(15, 'The mail carries links', urls.slice(0, 5).join(', '), { techniques: ['T1566.002'] });
    const byAddress = urls.filter((url) => /^https?:\/\/(\d{1,3}(\.\d{1,3}){3}|\[)/.test(url));
    if (byAddress.length > 0)
      evidence.finding(25, 'A link names an address instead of a host', byAddress.join(', '), { techniques: ['T1566.002'] });
    const presses = PRESSURE.some((pattern) => pattern.test(alert.content));
    const asks = CREDENTIALS.some((pattern) => pattern.test(alert.content));
    if (presses) evidence.finding(15, 'The mail presses for time', 'It threatens or sets a deadline.');
    if (asks) {
      evidence.finding(20, 'The mail asks for credentials or money', 'It speaks of passwords, signing in or payments.', {
        techniques: ['T1598'],
      });
    }

    const domains = listValues(entities, 'domain');
    const senders = domainsAt(SENDER, alert.content);
    const homes = domainsAt(RECIPIENT, alert.content);
    if (urls.length === 0 && listValues(entities, 'hash').length === 0) {
      const isOurs = !presses && !asks && senders.every((sender) => homes.includes(sender));
      const reason = `The mail carries neither a link nor an attachment${isOurs ? ', comes from nobody outside and asks for nothing' : ''}.`;
      evidence.finding(isOurs ? -40 : -20, 'Nothing to click or open', reason);
    }
    const sentFrom = domains.filter((domain) => senders.includes(domain));
    const leadsTo = domains.filter((domain) => !sentFrom.includes(domain) && urls.some((url) => new URL(url).hostname === domain));
    const [shared, aboutUrls, aboutDomains, aboutSenders] = await Promise.all([
      correlate({ by: ['url', 'domain', 'email', 'hash'], withinDays: 14 }),
      enrich({ skills }, 'url', limitItems(evidence, 'link', urls)),
      enrich({ skills }, 'domain', limitItems(evidence, 'domain of a link', leadsTo)),
      enrich({ skills }, 'domain', limitItems(evidence, "sender's domain", sentFrom)),
    ]);
    // A link and its domain are one place: whichever is worse counts.
    const repute = weighReputation(evidence, [...aboutUrls, ...aboutDomains], {
      what: 'link',
      bad: 55,
      doubtful: 20,
      good: -30,
      techniques: ['T1566.002'],
    });
    weighReputation(evidence, aboutSenders, { what: "sender's domain", bad: 30, doubtful: 15, good: -10, techniques: ['T1566'] });

    if (repute === 'good' && !presses && !asks)
      evidence.finding(-10, 'The mail asks for nothing', 'It speaks neither of credentials nor of money, and sets no deadline.');

    // Everybody's mail goes to our own domain: a wave has a sender or a link in common.
    const [widest] = shared.filter(({ kind, value }) => !(kind === 'domain' || kind === 'email') || !homes.includes(readDomain(value)));
    if (widest)
      evidence.finding(
        Math.min(30, 10 + 2 * widest.alertCount),
        'Part of a wave',
        `${widest.kind} ${widest.value} is in ${widest.alertCount} earlier alerts: ${widest.alertIds.join(', ')}`,
      );
  },
);

/** In the spelling that entities have: a name with a foreign letter is another name. */
function domainsAt(header: RegExp, content: string): string[] {
  return [...content.matchAll(header)].flatMap(([, domain = '']) =>
    URL.canParse(`http://${domain}/`) ? [new URL(`http://${domain}/`).hostname] : [],
  );
}

function readDomain(addressOrDomain: string): string {
  return addressOrDomain.split('@').at(-1) ?? '';
}
