import type { StandInRecord } from '../../../connectors/endpoint-detection/stand-in-data.js';
import type { Computer, Person } from '../../../connectors/kit/stand-in/company.js';
import { describeComputer, malwareEvent } from '../../../connectors/malware-protection/stand-in.js';
import type { ThirdParties } from '../../../connectors/stand-ins.js';
import { buildBooking, type Place } from '../../../connectors/travel-booking/stand-in.js';
import { ago, COMPUTERS, digest, MEDIVARA, PLACES, STAFF, toGuid } from './company.js';

/** Adds one fact to the stand-ins. */
export type Fact = (standIns: ThirdParties['standIns']) => void;

const DAY_MS = 24 * 3_600_000;
const CLOSED = { status: 'Resolved', assignedTo: `soc@${MEDIVARA.domain}` };

/** A person's conclusion, in the words of the endpoint platform and the incident source. */
export const CONCLUDED = {
  malware: { ...CLOSED, classification: 'TruePositive', determination: 'Malware' },
  phishing: { ...CLOSED, classification: 'TruePositive', determination: 'Phishing' },
  compromisedAccount: { ...CLOSED, classification: 'TruePositive', determination: 'CompromisedUser' },
  falsePositive: { ...CLOSED, classification: 'FalsePositive', determination: 'NotMalicious' },
  securityTest: { ...CLOSED, classification: 'InformationalExpectedActivity', determination: 'SecurityTesting' },
  expected: { ...CLOSED, classification: 'InformationalExpectedActivity', determination: 'LineOfBusinessApplication' },
} as const;
type Conclusion = (typeof CONCLUDED)[keyof typeof CONCLUDED];

export const file = (sha256: string, fileName = 'setup.exe', sha1: string | null = null): StandInRecord => ({
  entityType: 'File',
  sha256,
  sha1,
  fileName,
  filePath: 'C:\\ProgramData',
});
export const ip = (ipAddress: string): StandInRecord => ({ entityType: 'Ip', ipAddress });
export const link = (url: string): StandInRecord => ({ entityType: 'Url', url });
export const account = ({ account: accountName, email }: Person): StandInRecord => ({
  entityType: 'User',
  accountName,
  domainName: MEDIVARA.netbios,
  userPrincipalName: email,
});

export function endpointAlertId(name: string): string {
  return `da${BigInt(`0x${digest(name).slice(0, 14)}`)}_${BigInt(`0x${digest(name).slice(20, 27)}`)}`;
}

/** An alert of the endpoint platform; without a conclusion it is open. */
export function endpointAlert(
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
      assignedTo: null,
      classification: null,
      determination: null,
      ...given.concluded,
      alertCreationTime: ago(given.hoursAgo),
      firstEventTime: ago(given.hoursAgo + 0.2),
      lastEventTime: ago(given.hoursAgo + 0.1),
      lastUpdateTime: ago(changedHoursAgo),
      resolvedTime: given.concluded ? ago(changedHoursAgo) : null,
      machineId: on.machineId,
      computerDnsName: on.dnsName,
      threatFamilyName: null,
      mitreTechniques: given.techniques ?? [],
      relatedUser: { userName: on.user, domainName: MEDIVARA.netbios },
      evidence: given.evidence ?? [],
    });
  };
}

export function incident(
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
    const verdict = given.concluded ?? { status: 'Active', classification: 'Unknown', determination: 'NotAvailable', assignedTo: null };
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
                status: given.concluded ? 'Resolved' : 'New',
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
export function investigation(
  title: string,
  disposition: 'BENIGN' | 'MALICIOUS' | 'SECURITY_TEST' | 'UNDECIDED' | 'NOT_APPLICABLE',
  hoursAgo: number,
  priority: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' = 'MEDIUM',
): Fact {
  return ({ vulnerabilityInvestigation: { state } }) => {
    const status = disposition === 'UNDECIDED' ? 'OPEN' : 'CLOSED';
    const rrn = `rrn:investigation:eu:${toGuid(MEDIVARA.name)}:investigation:${digest(title).slice(0, 12).toUpperCase()}`;
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
      assignee: { name: 'SOC', email: CLOSED.assignedTo },
    });
  };
}

export function detection(
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

const TYPES = {
  ip: 'IpAddress',
  domain: 'InternetDomainName',
  url: 'URL',
  hash: 'Hash',
  vulnerability: 'CyberVulnerability',
} as const;

/** What the intelligence platform says about an indicator; 0 means that it is known and has no risk. */
export function reputation(kind: keyof typeof TYPES, value: string, score: number, rule = 'Recently Reported'): Fact {
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

type PlaybookStatus = 'New' | 'InProgress' | 'Dismissed' | 'Resolved';

/** Leaked credentials of a person. */
export function exposure({ email }: Person, status: PlaybookStatus, priority = 'High', daysAgo = 2): Fact {
  return playbookAlert(0, `email:${email}`, status, priority, daysAgo);
}

export function domainAbuse(domain: string, status: PlaybookStatus, priority = 'High', daysAgo = 2): Fact {
  return playbookAlert(1, `idn:${domain}`, status, priority, daysAgo);
}

/** An alert of the intelligence platform whose reference names the entity. */
export function intelligenceAlert(title: string, name: string, type: string, statusInPortal = 'New', hoursAgo = 12): Fact {
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

export function weakness(
  cve: string,
  given: { readonly severity: string; readonly exploited: 'no' | 'public' | 'verified'; readonly on?: readonly Computer[] },
): Fact {
  return ({ endpointDetection, vulnerabilityInvestigation }) => {
    const id = `medivara-${cve.toLowerCase()}`;
    const isPublic = given.exploited !== 'no';
    const isVerified = given.exploited === 'verified';
    endpointDetection.state.vulnerabilities.push({
      ...endpointDetection.state.vulnerabilities[0],
      id: cve,
      name: cve,
      description: `A vulnerability of an instrument controller: ${cve}.`,
      severity: given.severity,
      cvssV3: given.severity === 'Critical' ? 9.8 : given.severity === 'High' ? 8.1 : 3.4,
      exposedMachines: given.on?.length ?? 0,
      publicExploit: isPublic,
      exploitVerified: isVerified,
      exploitInKit: isVerified,
      epss: isVerified ? 0.93 : isPublic ? 0.3 : 0.01,
    });
    const [, known] = vulnerabilityInvestigation.state.vulnerabilities;
    vulnerabilityInvestigation.state.vulnerabilities.push({
      ...known,
      id,
      title: `Instrument controller: ${cve}`,
      cves: cve,
      severity: given.severity === 'Critical' ? 'critical' : given.severity === 'High' ? 'severe' : 'moderate',
      exploits: isPublic ? [{ id: digest(cve, 'md5').slice(0, 5), name: 'controller', source: 'exploit' }] : [],
      malware_kits: isVerified ? [{ id: '1', name: 'kit' }] : [],
    });
    for (const on of given.on ?? []) {
      endpointDetection.state.machineVulnerabilities.push({
        ...endpointDetection.state.machineVulnerabilities[0],
        id: `${on.machineId}-_-${cve}`,
        cveId: cve,
        machineId: on.machineId,
        productName: 'instrument-controller',
        severity: given.severity,
      });
      const asset = vulnerabilityInvestigation.state.assets.find(({ host_name }) => host_name === on.dnsName);
      const [sample] = vulnerabilityInvestigation.state.assets[0]?.same ?? [];
      if (!asset || !sample) throw new Error(`no asset for ${on.dnsName}`);
      const changed = { ...asset, same: [...asset.same, { ...sample, vulnerability_id: id }] };
      vulnerabilityInvestigation.state.assets = vulnerabilityInvestigation.state.assets.map((each) => (each === asset ? changed : each));
    }
  };
}

/** One row of a table that hunting queries read. */
export function huntingRow(table: string, on: Computer, hoursAgo: number, row: StandInRecord): Fact {
  return ({ endpointDetection: { state } }) => {
    state.tables[table] ??= [];
    state.tables[table].push({ Timestamp: ago(hoursAgo), DeviceId: on.machineId, DeviceName: on.dnsName, AccountName: on.user, ...row });
  };
}

/** An indicator that the company itself allows or blocks on its endpoints. */
export function ownIndicator(indicatorType: string, indicatorValue: string, action: 'Allowed' | 'Block', title: string): Fact {
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

export function alsoUsedBy(on: Computer, who: Person): Fact {
  return ({ endpointDetection: { state } }) => {
    const known = state.logonUsers[on.machineId] ?? [];
    state.logonUsers[on.machineId] = [...known, { ...known[0], id: `${MEDIVARA.netbios}\\${who.account}`, accountName: who.account }];
  };
}

export function machineRisk(on: Computer, riskScore: string): Fact {
  return ({ endpointDetection: { state } }) => {
    const machine = state.machines.find(({ id }) => id === on.machineId);
    if (machine) machine['riskScore'] = riskScore;
  };
}

export function trip(who: Person, to: Place, startsInDays: number, days: number, status: 'TICKETED' | 'CANCELED' = 'TICKETED'): Fact {
  return ({ travelBooking: { state } }) => {
    const startMs = Date.now() - (Date.now() % DAY_MS) + startsInDays * DAY_MS;
    const booked = { id: toGuid(`${who.account} ${to.city}`), name: `${to.city} plant` };
    state.bookings.push(
      buildBooking(who, { type: 'FLIGHT', status, from: PLACES.lyon, to, startMs, days: 1, trip: booked }),
      buildBooking(who, {
        type: 'HOTEL',
        status: status === 'TICKETED' ? 'CONFIRMED' : status,
        from: to,
        to,
        startMs,
        days,
        trip: booked,
      }),
    );
  };
}

/** Loads the whole company: its computers and people, then the facts of the alerts. */
export function loadCompany(standIns: ThirdParties['standIns'], facts: readonly Fact[]): void {
  const { endpointDetection, malwareProtection, vulnerabilityInvestigation, travelBooking } = standIns;
  const [machine] = endpointDetection.state.machines;
  const [users] = Object.values(endpointDetection.state.logonUsers);
  const [asset] = vulnerabilityInvestigation.state.assets;
  if (!asset) throw new Error('the stand-in has no asset to start from');
  for (const computer of COMPUTERS) {
    endpointDetection.state.machines.push({
      ...machine,
      id: computer.machineId,
      computerDnsName: computer.dnsName,
      osPlatform: computer.os,
      lastIpAddress: computer.internalIp,
      lastExternalIpAddress: computer.externalIp,
      ipAddresses: [
        { ipAddress: computer.internalIp, macAddress: digest(computer.name).slice(0, 12), type: 'Ethernet', operationalStatus: 'Up' },
      ],
      aadDeviceId: computer.connectorGuid,
      riskScore: 'None',
      exposureLevel: 'Low',
      rbacGroupName: MEDIVARA.name,
      machineTags: [],
    });
    endpointDetection.state.logonUsers[computer.machineId] = [
      {
        ...users?.[0],
        id: `${MEDIVARA.netbios}\\${computer.user}`,
        accountName: computer.user,
        accountDomain: MEDIVARA.netbios,
        isDomainAdmin: false,
      },
    ];
    malwareProtection.state.computers.push(describeComputer(computer));
    vulnerabilityInvestigation.state.assets.push({
      ...asset,
      id: `asset-${computer.name}`,
      host_name: computer.dnsName,
      ip: computer.internalIp,
      same: [],
    });
  }
  for (const who of STAFF)
    travelBooking.state.users.push({ id: who.id, userName: who.account, emails: [{ value: who.email, primary: true }], active: true });
  for (const add of facts) add(standIns);
}
