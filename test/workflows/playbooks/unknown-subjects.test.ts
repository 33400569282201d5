import { describe, expect, it } from 'vitest';
import { detectedIncident } from '../../../workflows/playbooks/detected-incident.js';
import { impossibleTravel } from '../../../workflows/playbooks/impossible-travel.js';
import { malwareOnHost } from '../../../workflows/playbooks/malware-on-host.js';
import { reportedPhishing } from '../../../workflows/playbooks/reported-phishing.js';
import { answersWith, enrichment, expectVerdict, investigateWith, record, traveller, whole } from '../../support/playbook-kit.js';

const CLEAN = '203.0.113.66';
const clean = { getEnrichment: async (question: { kind: string; value: string }) => enrichment(question, 0) };
/** Nothing is known to be open, and the address is clean: alone this makes an alert benign. */
const harmless = { records: [], skills: answersWith({ threatIntelligence: clean }) };

describe('an unknown machine', () => {
  const alert = { type: 'Suspicious outbound connection', content: `host=ws-999 connected to ${CLEAN}` };

  it('is not cleared by the clean address that it met', async () => {
    expectVerdict(await investigateWith(reportedPhishing, { alert, ...harmless }), 'inconclusive', { because: /Unknown machine: ws-999/ });
  });

  it('is named in the reasons of the verdict', async () => {
    const { conclusion } = await investigateWith(reportedPhishing, { alert, ...harmless });
    expect(conclusion.summary).toContain('Unknown machine: ws-999');
  });

  it('is known if a third party has it under any of its names', async () => {
    const skills = answersWith({
      threatIntelligence: clean,
      endpointDetection: {
        listMachines: async ({ computer_dns_name: name }: { computer_dns_name?: string | undefined }) =>
          name === 'ws-999.hr.example' ? whole({ id: 'm1', computerDnsName: 'ws-999.hr.example' }) : whole(),
      },
    });
    const given = { ...alert, content: `host=ws-999 fqdn=ws-999.hr.example connected to ${CLEAN}` };
    expectVerdict(await investigateWith(reportedPhishing, { alert: given, records: [], skills }), 'benign');
  });

  it('does not matter if the alert is about a domain, or if a firewall reports it', async () => {
    const domain = { ...alert, content: 'host=ws-999 asked for clean.example' };
    expectVerdict(await investigateWith(reportedPhishing, { alert: domain, ...harmless }), 'benign');
    const firewall = { ...alert, content: `host=fw-01 blocked a connection to ${CLEAN}` };
    expectVerdict(await investigateWith(reportedPhishing, { alert: firewall, ...harmless }), 'benign');
  });

  it('is not the number of an asset', async () => {
    const asset = { ...alert, content: `device id=073, address ${CLEAN}` };
    const { evidence } = await investigateWith(reportedPhishing, { alert: asset, ...harmless });
    expect(evidence.some(({ title }) => title.startsWith('Unknown'))).toBe(false);
  });

  it('is cleared by a person whose conclusion names it', async () => {
    const records = [record({ shared: ['ws-999'], conclusion: 'benign', isOpen: false })];
    expectVerdict(await investigateWith(reportedPhishing, { alert, ...harmless, records }), 'benign');
    const other = [record({ shared: [CLEAN], conclusion: 'benign', isOpen: false })];
    expectVerdict(await investigateWith(reportedPhishing, { alert, ...harmless, records: other }), 'inconclusive');
  });
});

it('an unknown account that signed in is not cleared by its clean address', async () => {
  const alert = { type: 'Unfamiliar sign-in', content: `user=visitor@agency.example signed in from ${CLEAN}` };
  expectVerdict(await investigateWith(impossibleTravel, { alert, ...harmless }), 'inconclusive', {
    because: /Unknown account: visitor@agency\.example/,
  });
  const skills = answersWith({
    threatIntelligence: clean,
    travelBooking: { getUsers: async () => whole(traveller('visitor@agency.example')) },
  });
  expectVerdict(await investigateWith(impossibleTravel, { alert, records: [], skills }), 'benign');
});

it('a file that has only a name is not cleared by its sender or its machine', async () => {
  const skills = answersWith({
    threatIntelligence: clean,
    endpointDetection: { listMachines: async () => whole({ id: 'm1', computerDnsName: 'ws-014' }) },
  });
  const alert = { type: 'Malware detected', content: `host=ws-014 file=invoice.exe downloaded from ${CLEAN}` };
  expectVerdict(await investigateWith(malwareOnHost, { alert, records: [], skills }), 'inconclusive', {
    because: /Known only by its name: invoice\.exe/,
  });
});

it('a file that has only a name is cleared by a person who looked at the activity', async () => {
  const alert = { type: 'Malware detected', content: `host=ws-014 file=invoice.exe downloaded from ${CLEAN}` };
  const records = [record({ shared: ['ws-014', CLEAN], conclusion: 'benign', isOpen: false })];
  expectVerdict(await investigateWith(malwareOnHost, { alert, ...harmless, records }), 'benign');
});

it('a service account is not missing in the directory of the people', async () => {
  const alert = { type: 'Unfamiliar sign-in', content: `user=svc_backup signed in from ${CLEAN}` };
  const { evidence } = await investigateWith(impossibleTravel, { alert, ...harmless });
  expect(evidence.some(({ title }) => title.startsWith('Unknown account'))).toBe(false);
});

describe('an incident that does not exist', () => {
  const alert = { type: 'Detected incident', content: `incident=99999 on host=ws-014, address ${CLEAN}` };
  const given = {
    records: [],
    skills: answersWith({ threatIntelligence: clean, incidentSource: { getIncident: async () => 'unknown' as const } }),
  };

  it('leaves the verdict open, whatever is recorded about the other names', async () => {
    for (const conclusion of ['benign', 'malicious'] as const) {
      const records = [record({ shared: [CLEAN], conclusion, isOpen: false })];
      expectVerdict(await investigateWith(detectedIncident, { alert, ...given, records }), 'inconclusive', {
        because: /The incident id 99999 does not exist there/,
      });
    }
  });

  it('is the number of another product if a person looked at the same activity', async () => {
    const records = [record({ shared: ['ws-014', CLEAN], conclusion: 'benign', isOpen: false })];
    expectVerdict(await investigateWith(detectedIncident, { alert, ...given, records }), 'benign');
  });

  it('is not the number of another product', async () => {
    const ticket = { ...alert, content: `incident=INC0099999 asked about clean.example` };
    const { evidence } = await investigateWith(detectedIncident, { alert: ticket, ...given });
    expect(evidence.some(({ title }) => title.includes('does not exist'))).toBe(false);
  });
});

it('a device that came to the network is not cleared by a clean page next to it', async () => {
  const alert = { type: 'Unknown device joined network', content: 'deviceId=cam-0077 asked for clean.example' };
  expectVerdict(await investigateWith(reportedPhishing, { alert, ...harmless }), 'inconclusive', { because: /Unknown machine: cam-0077/ });
});
