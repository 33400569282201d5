import type { Computer } from '../../../connectors/kit/stand-in/company.js';
import type { Company } from './company.js';
import type { Fact } from './fact.js';

/** Vulnerabilities at the endpoint platform and the vulnerability platform. */
export function weaknessFacts({ digest }: Company) {
  function weakness(
    cve: string,
    given: { readonly severity: string; readonly exploited: 'no' | 'public' | 'verified'; readonly on?: readonly Computer[] },
  ): Fact {
    return ({ endpointDetection, vulnerabilityInvestigation }) => {
      const id = `finding-${cve.toLowerCase()}`;
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

  return { weakness };
}
