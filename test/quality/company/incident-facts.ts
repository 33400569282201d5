import type { StandInRecord } from '../../../connectors/endpoint-detection/stand-in-data.js';
import type { Computer } from '../../../connectors/kit/stand-in/company.js';
import { ago, type Company } from './company.js';
import type { Fact } from './fact.js';
import type { Conclusion } from './records.js';

/** Facts of the incident source and the investigations of the vulnerability platform. */
export function incidentFacts({ profile, digest, toGuid, endpointAlertId }: Company) {
  const analyst = `soc@${profile.domain}`;

  function incident(
    incidentId: number,
    given: {
      readonly name: string;
      readonly severity: string;
      readonly hoursAgo: number;
      readonly concluded?: Conclusion;
      readonly on?: readonly Computer[];
      readonly entities?: readonly StandInRecord[];
      readonly mergedInto?: number;
      readonly alertId?: string;
    },
  ): Fact {
    return ({ incidentSource: { state } }) => {
      const verdict = given.concluded ?? { classification: 'Unknown', determination: 'NotAvailable' };
      state.incidents.push({
        ...state.incidents[0],
        incidentId,
        incidentName: given.name,
        severity: given.severity,
        createdTime: ago(given.hoursAgo),
        lastUpdateTime: ago(Math.max(0.2, given.hoursAgo - 1)),
        redirectIncidentId: null,
        tags: [],
        comments: [],
        ...verdict,
        status: given.concluded?.status === 'Resolved' ? 'Resolved' : 'Active',
        assignedTo: given.concluded ? analyst : null,
        ...(given.mergedInto === undefined ? {} : { status: 'Redirected', redirectIncidentId: given.mergedInto }),
        alerts:
          given.mergedInto === undefined
            ? [
                {
                  incidentId,
                  alertId: given.alertId ?? endpointAlertId(`incident ${incidentId}`),
                  title: given.name,
                  description: given.name,
                  severity: given.severity,
                  category: 'SuspiciousActivity',
                  serviceSource: 'MicrosoftDefenderATP',
                  detectionSource: 'WindowsDefenderAtp',
                  creationTime: ago(given.hoursAgo),
                  lastUpdatedTime: ago(given.hoursAgo),
                  status: given.concluded?.status === 'Resolved' ? 'Resolved' : 'New',
                  classification: given.concluded?.classification ?? null,
                  determination: given.concluded?.determination ?? null,
                  mitreTechniques: [],
                  devices: (given.on ?? []).map(({ machineId, dnsName, os }) => ({
                    mdatpDeviceId: machineId,
                    deviceDnsName: dnsName,
                    osPlatform: os,
                  })),
                  entities: given.entities ?? [],
                },
              ]
            : [],
      });
    };
  }

  /** An investigation of the vulnerability platform. It names its entities in the title only. */
  function investigation(
    title: string,
    disposition: 'BENIGN' | 'MALICIOUS' | 'SECURITY_TEST' | 'UNDECIDED' | 'NOT_APPLICABLE',
    hoursAgo: number,
    priority: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' = 'MEDIUM',
  ): Fact {
    return ({ vulnerabilityInvestigation: { state } }) => {
      const status = disposition === 'UNDECIDED' ? 'OPEN' : 'CLOSED';
      const rrn = `rrn:investigation:eu:${toGuid(profile.name)}:investigation:${digest(title).slice(0, 12).toUpperCase()}`;
      const [template] = state.investigations;
      if (!template) throw new Error('the stand-in has no investigation to start from');
      state.investigations.unshift({
        ...template,
        rrn,
        title,
        disposition,
        status,
        priority,
        source: 'ALERT',
        created_time: ago(hoursAgo),
        last_accessed: ago(Math.max(0.2, hoursAgo - 1)),
        first_alert_time: ago(hoursAgo),
        latest_alert_time: ago(hoursAgo),
        assignee: { name: 'SOC', email: analyst },
      });
    };
  }

  return { incident, investigation };
}
