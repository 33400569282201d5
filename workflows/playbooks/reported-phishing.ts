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

/** Checks the content, the sender, the links and similar reports of an email that a person reported. */
export const reportedPhishing = playbook(
  { alertTypes: ['Reported phishing', 'User reported phishing', 'Phishing report'], severity: 'medium' },
  async ({ alert, entities, skills, evidence, correlate }) => {
    const urls = listValues(entities, 'url');
    if (urls.length > 0) evidence.finding(15, 'The email contains links', urls.slice(0, 5).join(', '), { techniques: ['T1566.002'] });
    const byAddress = urls.filter((url) => /^https?:\/\/(\d{1,3}(\.\d{1,3}){3}|\[)/.test(url));
    if (byAddress.length > 0)
      evidence.finding(25, 'A link contains an IP address instead of a host name', byAddress.join(', '), { techniques: ['T1566.002'] });
    const hasPressure = PRESSURE.some((pattern) => pattern.test(alert.content));
    const hasRequest = CREDENTIALS.some((pattern) => pattern.test(alert.content));
    if (hasPressure) evidence.finding(15, 'The email creates time pressure', 'It threatens or sets a deadline.');
    if (hasRequest) {
      evidence.finding(20, 'The email asks for credentials or money', 'It mentions passwords, sign-ins or payments.', {
        techniques: ['T1598'],
      });
    }

    const domains = listValues(entities, 'domain');
    const senders = findDomains(SENDER, alert.content);
    const recipientDomains = findDomains(RECIPIENT, alert.content);
    if (urls.length === 0 && listValues(entities, 'hash').length === 0) {
      const isInternal = !hasPressure && !hasRequest && senders.every((sender) => recipientDomains.includes(sender));
      const reason = `The email contains no link and no attachment${isInternal ? ', has an internal sender and makes no request' : ''}.`;
      evidence.finding(isInternal ? -40 : -20, 'No link or attachment', reason);
    }
    const sentFrom = domains.filter((domain) => senders.includes(domain));
    const leadsTo = domains.filter((domain) => !sentFrom.includes(domain) && urls.some((url) => new URL(url).hostname === domain));
    const [shared, aboutUrls, aboutDomains, aboutSenders] = await Promise.all([
      correlate({ by: ['url', 'domain', 'email', 'hash'], withinDays: 14 }),
      enrich({ skills }, 'url', limitItems(evidence, 'link', urls)),
      enrich({ skills }, 'domain', limitItems(evidence, 'domain of a link', leadsTo)),
      enrich({ skills }, 'domain', limitItems(evidence, "sender's domain", sentFrom)),
    ]);
    // A link and its domain count once, with the worse reputation.
    const repute = weighReputation(evidence, [...aboutUrls, ...aboutDomains], {
      what: 'link',
      bad: 55,
      doubtful: 20,
      good: -30,
      techniques: ['T1566.002'],
    });
    weighReputation(evidence, aboutSenders, { what: "sender's domain", bad: 30, doubtful: 15, good: -10, techniques: ['T1566'] });

    if (repute === 'good' && !hasPressure && !hasRequest)
      evidence.finding(-10, 'The email makes no request', 'It mentions neither credentials nor money, and sets no deadline.');

    // Every reported email names the recipient's domain. A campaign shares a sender or a link.
    const [widest] = shared.filter(
      ({ kind, value }) => !(kind === 'domain' || kind === 'email') || !recipientDomains.includes(readDomain(value)),
    );
    if (widest)
      evidence.finding(
        Math.min(30, 10 + 2 * widest.alertCount),
        'Part of a campaign',
        `${widest.kind} ${widest.value} is in ${widest.alertCount} earlier alerts: ${widest.alertIds.join(', ')}`,
      );
  },
);

/** Normalizes domains like the entity extractor does, so that both spellings match. */
function findDomains(header: RegExp, content: string): string[] {
  return [...content.matchAll(header)].flatMap(([, domain = '']) =>
    URL.canParse(`http://${domain}/`) ? [new URL(`http://${domain}/`).hostname] : [],
  );
}

function readDomain(addressOrDomain: string): string {
  return addressOrDomain.split('@').at(-1) ?? '';
}
