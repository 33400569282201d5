import { describe, expect, it } from 'vitest';
import { reportedPhishing } from '../../../workflows/playbooks/reported-phishing.js';
import { answersWith, enrichment, investigateWith, record, traveller, whole } from '../../support/playbook-kit.js';

const RECIPIENT = 'dana.vries@harbour-reed.example';
const SENDER = 'notice@parcel.example';
const alert = (link: string) => ({
  type: 'Reported phishing',
  content: `From: Parcel service <${SENDER}>\nTo: ${RECIPIENT}\nSubject: Your parcel\n\nFrom our scanner: ${link}`,
});
/** A person judged the sender. */
const reviewed = record({ shared: ['parcel.example'], conclusion: 'benign', isOpen: false, state: 'Resolved, FalsePositive' });

function investigate(link: string, { knowsRecipient = false, likelyOwn = [] as string[] } = {}) {
  const skills = answersWith({
    threatIntelligence: { getEnrichment: async (question: { kind: string; value: string }) => enrichment(question, null) },
    travelBooking: {
      getUsers: async ({ email }: { email?: string | undefined }) =>
        knowsRecipient && email === RECIPIENT ? whole(traveller(RECIPIENT)) : whole(),
    },
  });
  return investigateWith(reportedPhishing, { alert: alert(link), skills, records: [reviewed], likelyOwn });
}

describe('a link without a reputation', () => {
  it('leaves the alert open if its domain is foreign', async () => {
    const { conclusion } = await investigate('https://intranet.unknown.example/report', { knowsRecipient: true });
    expect(conclusion.verdict).toBe('inconclusive');
  });

  it('says nothing if it is at the domain of an account that a third party knows', async () => {
    const link = 'https://intranet.harbour-reed.example/report';
    expect((await investigate(link, { knowsRecipient: true })).conclusion.verdict).toBe('benign');
  });

  it('says nothing if several machines or people of the organization use its domain', async () => {
    const link = 'https://scan.reed-group.example/report';
    expect((await investigate(link)).conclusion.verdict).toBe('inconclusive');
    expect((await investigate(link, { likelyOwn: ['scan.reed-group.example'] })).conclusion.verdict).toBe('benign');
  });
});
