import { listValues } from '../lib/playbook-helpers.js';
import { askStandardQuestions } from '../lib/standard-questions.js';
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
/** Checks the content, the sender, the links and similar reports of an email that a person reported. */
export const reportedPhishing = playbook(
  {
    title: 'Reported phishing',
    alertTypes: ['Reported phishing', 'User reported phishing', 'Phishing report'],
    categories: ['phishing'],
    severity: 'medium',
  },
  async (context) => {
    const { alert, entities, evidence } = context;
    // The sender wrote the content: it can only raise the score.
    const urls = listValues(entities, 'url');
    if (urls.length > 0) evidence.finding(5, 'The email contains links', urls.slice(0, 5).join(', '), { techniques: ['T1566.002'] });
    const byAddress = urls.filter((url) => /^https?:\/\/(\d{1,3}(\.\d{1,3}){3}|\[)/.test(url));
    if (byAddress.length > 0)
      evidence.finding(25, 'A link contains an IP address instead of a host name', byAddress.join(', '), { techniques: ['T1566.002'] });
    if (PRESSURE.some((pattern) => pattern.test(alert.content)))
      evidence.finding(15, 'The email creates time pressure', 'It threatens or sets a deadline.');
    if (CREDENTIALS.some((pattern) => pattern.test(alert.content)))
      evidence.finding(20, 'The email asks for credentials or money', 'It mentions passwords, sign-ins or payments.', {
        techniques: ['T1598'],
      });
    await askStandardQuestions(context, 'phishing');
  },
);
