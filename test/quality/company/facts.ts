import { describeComputer } from '../../../connectors/malware-protection/stand-in.js';
import type { ThirdParties } from '../../../connectors/stand-ins.js';
import type { Company } from './company.js';
import { endpointFacts } from './endpoint-facts.js';
import type { Fact } from './fact.js';
import { incidentFacts } from './incident-facts.js';
import { intelligenceFacts } from './intelligence-facts.js';
import { travelFacts } from './travel-facts.js';
import { weaknessFacts } from './weakness-facts.js';

export function factsOf(company: Company) {
  return {
    ...endpointFacts(company),
    ...incidentFacts(company),
    ...intelligenceFacts(company),
    ...weaknessFacts(company),
    ...travelFacts(company),
  };
}

/** Loads the whole company: its computers and people, then the facts of the alerts. */
export function loadCompany(
  { profile, computers, people, digest }: Company,
  standIns: ThirdParties['standIns'],
  facts: readonly Fact[],
): void {
  const { endpointDetection, malwareProtection, vulnerabilityInvestigation, travelBooking } = standIns;
  const [machine] = endpointDetection.state.machines;
  const [users] = Object.values(endpointDetection.state.logonUsers);
  const [asset] = vulnerabilityInvestigation.state.assets;
  if (!asset) throw new Error('the stand-in has no asset to start from');
  for (const computer of computers) {
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
      rbacGroupName: profile.name,
      machineTags: [],
    });
    endpointDetection.state.logonUsers[computer.machineId] = [
      {
        ...users?.[0],
        id: `${profile.netbios}\\${computer.user}`,
        accountName: computer.user,
        accountDomain: profile.netbios,
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
  for (const { id, travelName, email, employeeNumber, givenName, familyName } of people)
    travelBooking.state.users.push({
      id,
      userName: travelName,
      emails: [{ value: email, primary: true }],
      active: true,
      ...(employeeNumber === undefined ? {} : { externalId: employeeNumber, name: { givenName, familyName } }),
    });
  for (const add of facts) add(standIns);
}
