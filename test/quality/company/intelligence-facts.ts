import { ago, type Company, type Employee } from './company.js';
import type { Fact } from './fact.js';

const TYPES = {
  ip: 'IpAddress',
  domain: 'InternetDomainName',
  url: 'URL',
  hash: 'Hash',
  vulnerability: 'CyberVulnerability',
} as const;

type PlaybookStatus = 'New' | 'InProgress' | 'Dismissed' | 'Resolved';

/** Facts of the intelligence platform. */
export function intelligenceFacts({ digest, toGuid }: Company) {
  /** What the intelligence platform says about an indicator; 0 means that it is known and has no risk. */
  function reputation(kind: keyof typeof TYPES, value: string, score: number, rule = 'Recently Reported'): Fact {
    return ({ threatIntelligence: { state } }) => {
      const criticality = score >= 65 ? 3 : score >= 25 ? 2 : 1;
      const evidence = score === 0 ? [] : [{ rule, criticality, text: 'Sightings by the sources of the platform.' }];
      state.known.set(`${kind}/${value}`, { type: TYPES[kind], score, evidence });
    };
  }

  function playbookAlert(index: 0 | 1, entity: string, status: string, priority: string, daysAgo: number): Fact {
    return ({ threatIntelligence: { state } }) => {
      const template = state.playbookAlerts[index];
      if (!template) throw new Error('the stand-in has no playbook alert to start from');
      state.playbookAlerts.push({
        ...template,
        playbook_alert_id: `task:${toGuid(entity)}`,
        entity,
        title: entity.slice(entity.indexOf(':') + 1),
        status,
        priority,
        created: ago(24 * daysAgo),
        updated: ago(24 * Math.max(0, daysAgo - 1)),
        panels: { panel_status: { status, priority, entity_id: entity }, panel_evidence_summary: {} },
      });
    };
  }

  /** Leaked credentials of a person. */
  function exposure({ email }: Employee, status: PlaybookStatus, priority = 'High', daysAgo = 2): Fact {
    return playbookAlert(0, `email:${email}`, status, priority, daysAgo);
  }

  function domainAbuse(domain: string, status: PlaybookStatus, priority = 'High', daysAgo = 2): Fact {
    return playbookAlert(1, `idn:${domain}`, status, priority, daysAgo);
  }

  /** An alert of the intelligence platform whose reference names the entity. */
  function intelligenceAlert(title: string, name: string, type: string, statusInPortal = 'New', hoursAgo = 12): Fact {
    return ({ threatIntelligence: { state } }) => {
      state.alerts.push({
        id: digest(title, 'md5').slice(0, 8),
        title,
        triggeredMs: Date.parse(ago(hoursAgo)),
        statusInPortal,
        hits: [{ fragment: title, entities: [{ id: `${type}:${name}`, name, type }] }],
      });
    };
  }

  return { reputation, exposure, domainAbuse, intelligenceAlert };
}
