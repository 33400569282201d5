import type { StandInRecord } from '../../../connectors/endpoint-detection/stand-in-data.js';
import type { Computer } from '../../../connectors/kit/stand-in/company.js';
import { malwareEvent } from '../../../connectors/malware-protection/stand-in.js';
import { ago, type Company, type Employee } from './company.js';
import type { Fact } from './fact.js';
import type { Conclusion } from './records.js';

/** Facts of the endpoint platform and the malware platform. */
export function endpointFacts({ profile, digest, endpointAlertId }: Company) {
  const account = ({ account: accountName, upn }: Employee): StandInRecord => ({
    entityType: 'User',
    accountName,
    domainName: profile.netbios,
    userPrincipalName: upn,
  });

  /** An alert of the endpoint platform; without a conclusion it is open. */
  function endpointAlert(
    on: Computer,
    given: {
      readonly title: string;
      readonly severity: 'Informational' | 'Low' | 'Medium' | 'High';
      readonly hoursAgo: number;
      readonly concluded?: Conclusion;
      readonly concludedHoursAgo?: number;
      readonly evidence?: readonly StandInRecord[];
      readonly techniques?: readonly string[];
      readonly incidentId?: number;
      readonly id?: string;
    },
  ): Fact {
    return ({ endpointDetection: { state } }) => {
      const changedHoursAgo = given.concludedHoursAgo ?? Math.max(0.2, given.hoursAgo - 1);
      state.alerts.unshift({
        ...state.alerts[0],
        id: given.id ?? endpointAlertId(`${on.name} ${given.title}`),
        incidentId: given.incidentId ?? null,
        title: given.title,
        description: given.title,
        severity: given.severity,
        category: 'SuspiciousActivity',
        status: 'New',
        classification: null,
        determination: null,
        ...given.concluded,
        assignedTo: given.concluded ? `soc@${profile.domain}` : null,
        alertCreationTime: ago(given.hoursAgo),
        firstEventTime: ago(given.hoursAgo + 0.2),
        lastEventTime: ago(given.hoursAgo + 0.1),
        lastUpdateTime: ago(changedHoursAgo),
        resolvedTime: given.concluded?.status === 'Resolved' ? ago(changedHoursAgo) : null,
        machineId: on.machineId,
        computerDnsName: on.dnsName,
        threatFamilyName: null,
        mitreTechniques: given.techniques ?? [],
        relatedUser: { userName: on.user, domainName: profile.netbios },
        evidence: given.evidence ?? [],
      });
    };
  }

  /** One row of a table that hunting queries read. */
  function huntingRow(table: string, on: Computer, hoursAgo: number, row: StandInRecord): Fact {
    return ({ endpointDetection: { state } }) => {
      state.tables[table] ??= [];
      state.tables[table].push({ Timestamp: ago(hoursAgo), DeviceId: on.machineId, DeviceName: on.dnsName, AccountName: on.user, ...row });
    };
  }

  /** An indicator that the company itself allows or blocks on its endpoints. */
  function ownIndicator(indicatorType: string, indicatorValue: string, action: 'Allowed' | 'Block', title: string): Fact {
    return ({ endpointDetection: { state } }) => {
      state.indicators.push({
        ...state.indicators[0],
        id: digest(indicatorValue, 'md5').slice(0, 6),
        indicatorType,
        indicatorValue,
        action,
        title,
        description: title,
        severity: action === 'Block' ? 'High' : 'Informational',
      });
    };
  }

  function alsoUsedBy(on: Computer, who: Employee): Fact {
    return ({ endpointDetection: { state } }) => {
      const known = state.logonUsers[on.machineId] ?? [];
      state.logonUsers[on.machineId] = [...known, { ...known[0], id: `${profile.netbios}\\${who.account}`, accountName: who.account }];
    };
  }

  function machineRisk(on: Computer, riskScore: string): Fact {
    return ({ endpointDetection: { state } }) => {
      const machine = state.machines.find(({ id }) => id === on.machineId);
      if (machine) machine['riskScore'] = riskScore;
    };
  }

  function detection(
    on: Computer,
    type: 'Threat Detected' | 'Threat Quarantined' | 'Quarantine Failure' | 'Executed malware',
    sha256: string,
    hoursAgo: number,
    name = 'W32.Agent.Generic',
  ): Fact {
    return ({ malwareProtection: { state } }) => {
      const id = BigInt(`0x${digest(`${on.name} ${type} ${sha256}`).slice(0, 15)}`);
      const file = { disposition: 'Malicious', file_name: 'setup.exe', identity: { sha256 } };
      const at = Math.floor(Date.now() / 1000 - hoursAgo * 3600);
      const detection_id = digest(`${on.name} ${sha256}`, 'md5').slice(0, 18);
      const more = { detection: name, detection_id, severity: type === 'Threat Quarantined' ? 'Medium' : 'High', file };
      state.events = [malwareEvent({ id, type, at, computer: on, more }), ...state.events];
    };
  }

  return { account, endpointAlert, huntingRow, ownIndicator, alsoUsedBy, machineRisk, detection };
}
