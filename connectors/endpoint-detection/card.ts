import type { CardRule } from '../../domain/alert/entity-cards.js';

const MACHINE = {
  card: 'device',
  titles: ['computerDnsName', 'id'],
  fields: {
    osPlatform: 'Operating system',
    healthStatus: 'Health',
    riskScore: 'Risk',
    exposureLevel: 'Exposure',
    deviceValue: 'Value',
    onboardingStatus: 'Onboarding',
    lastIpAddress: 'Address',
    lastExternalIpAddress: 'External address',
    firstSeen: 'First seen',
    lastSeen: 'Last seen',
    'machineTags[]': 'Tags',
  },
} as const satisfies CardRule;

export const endpointCards = {
  listMachines: { ...MACHINE, list: 'items' },
  getMachine: MACHINE,
  listVulnerabilities: {
    card: 'vulnerability',
    list: 'items',
    titles: ['id', 'name'],
    fields: {
      severity: 'Severity',
      cvssV3: 'CVSS',
      epss: 'EPSS',
      exposedMachines: 'Exposed machines',
      publicExploit: 'Public exploit',
      exploitVerified: 'Exploit verified',
      publishedOn: 'Published',
      description: 'Description',
    },
  },
} as const satisfies Record<string, CardRule>;
