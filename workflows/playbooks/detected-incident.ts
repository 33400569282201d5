import { enrich, isPublicAddress, limitItems, listValues, machineName, weighReputation } from '../lib/playbook-helpers.js';
import { playbook } from '../playbook.js';

const MAX_ALERTS = 20;
/** The incident categories of the extended-detection platform. */
const CATEGORIES = [
  ...['Collection', 'Command and control', 'Credential access', 'Defense evasion', 'Discovery', 'Execution', 'Exfiltration', 'Exploit'],
  ...['Impact', 'Initial access', 'Lateral movement', 'Malware', 'Persistence', 'Phishing', 'Privilege escalation', 'Ransomware'],
  ...['Suspicious activity', 'Unwanted software', 'Uncategorized'],
];

/** Checks the devices, files, addresses and links of each alert of an incident. */
export const detectedIncident = playbook(
  {
    alertTypes: [
      'Detected incident',
      'Incident',
      'Incident detected',
      'Security incident',
      'Multi-stage incident',
      'XDR incident',
      'Extended detection incident',
      'Microsoft 365 Defender incident',
      'Microsoft Defender XDR incident',
      'Defender incident',
      ...CATEGORIES.map((category) => `Incident: ${category}`),
    ],
    severity: 'high',
  },
  async ({ entities, skills, evidence }) => {
    const numbers = listValues(entities, 'incident-id').filter((id) => /^\d{1,20}$/.test(id));
    const [incidentId] = limitItems(evidence, 'incident', numbers, 1);
    if (incidentId === undefined) evidence.gap('No incident ID', 'The alert contains no incident number.');
    const asked = incidentId === undefined ? null : await skills.incidentSource.getIncident({ incident_id: incidentId });
    const redirect = asked?.redirectIncidentId ?? null;
    const incident = redirect === null ? asked : await skills.incidentSource.getIncident({ incident_id: redirect });
    const alerts = limitItems(evidence, 'alert of the incident', incident?.alerts ?? [], MAX_ALERTS);
    const parts = alerts.flatMap((alert) => alert.entities);
    const present = (values: (string | null)[]) => values.flatMap((value) => (value ? [value] : []));
    const devices = limitItems(evidence, 'device', present(alerts.flatMap((alert) => alert.devices.map((device) => device.mdatpDeviceId))));
    // The incident may be unavailable, so the entities of the alert count too.
    const hashes = [...present(parts.map(({ sha256, sha1 }) => sha256 ?? sha1)), ...listValues(entities, 'hash')];
    const addresses = [...present(parts.map(({ ipAddress }) => ipAddress)), ...listValues(entities, 'ip')].filter(isPublicAddress);
    const [machines, logons, aboutHashes, aboutAddresses, aboutUrls] = await Promise.all([
      Promise.all(devices.map((machine_id) => skills.endpointDetection.getMachine({ machine_id }))),
      Promise.all(devices.map((machine_id) => skills.endpointDetection.listMachineLogonUsers({ machine_id, max_items: 50 }))),
      enrich({ skills }, 'hash', limitItems(evidence, 'file', hashes)),
      enrich({ skills }, 'ip', limitItems(evidence, 'IP address', addresses)),
      enrich({ skills }, 'url', limitItems(evidence, 'link', [...present(parts.map(({ url }) => url)), ...listValues(entities, 'url')])),
    ]);

    const about = [...aboutHashes, ...aboutAddresses, ...aboutUrls];
    const repute = weighReputation(evidence, about, { what: 'file, IP address or link', bad: 45, doubtful: 15, good: -10 });
    if (incident) {
      const { incidentName, severity, status, classification } = incident;
      const techniques = [...new Set(alerts.flatMap((alert) => alert.mitreTechniques))].filter((id) => /^T\d{4}(\.\d{3})?$/.test(id));
      const points = severity === 'High' ? 25 : severity === 'Medium' ? 15 : 0;
      const name = `${incidentName ?? 'Incident'} (${incident.incidentId}): ${severity} severity, ${alerts.length} alerts.`;
      evidence.finding(points, 'Severity at the source', name, { from: incident, techniques: techniques.slice(0, 50) });
      if (classification === 'TruePositive')
        evidence.finding(40, 'Confirmed at the source', 'An analyst classified the incident as a true positive.', { from: incident });
      const isJudgedBenign = classification === 'FalsePositive' || classification === 'InformationalExpectedActivity';
      // The analyst at the source may not have known the malicious reputation.
      if (isJudgedBenign && status === 'Resolved')
        evidence.finding(repute === 'bad' ? -10 : -60, 'Resolved as benign at the source', `Resolved as ${classification}.`, {
          from: incident,
        });
    }

    const risky = machines.filter((machine) => machine?.riskScore === 'High' || machine?.riskScore === 'Medium');
    if (risky.length > 0) {
      const reason = risky.map((machine) => `${machine ? machineName(machine) : ''} (${machine?.riskScore})`).join(', ');
      evidence.finding(15, 'Devices of the incident at risk', reason, { from: risky[0] ?? null });
    }
    const spread = new Set(
      alerts
        .filter((alert) => alert.entities.some(({ sha256 }) => sha256))
        .flatMap((alert) => alert.devices.map((device) => device.mdatpDeviceId)),
    );
    if (spread.size > 1)
      evidence.finding(15, 'The incident spread', `Files of the incident are on ${spread.size} devices.`, {
        from: incident,
        techniques: ['T1570'],
      });
    for (const [index, logon] of logons.entries()) {
      const machine = machines[index];
      const admins = (logon?.items ?? []).filter((user) => user.isDomainAdmin).map((user) => user.accountName);
      if (machine && admins.length > 0)
        evidence.note(`Domain administrator on ${machineName(machine)}`, `${admins.join(', ')}. Their credentials may be compromised.`, {
          from: logon,
        });
    }
  },
);
