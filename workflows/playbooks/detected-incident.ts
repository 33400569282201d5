import { listValues } from '../lib/playbook-helpers.js';
import { askStandardQuestions } from '../lib/standard-questions.js';
import { playbook } from '../playbook.js';

/** The incident categories of the extended-detection platform. */
const CATEGORIES = [
  ...['Collection', 'Command and control', 'Credential access', 'Defense evasion', 'Discovery', 'Execution', 'Exfiltration', 'Exploit'],
  ...['Impact', 'Initial access', 'Lateral movement', 'Malware', 'Persistence', 'Phishing', 'Privilege escalation', 'Ransomware'],
  ...['Suspicious activity', 'Unwanted software', 'Uncategorized'],
];

/** Checks the devices, files, addresses and links of each alert of an incident. */
export const detectedIncident = playbook(
  {
    title: 'Detected incident',
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
  async (context) => {
    if (listValues(context.entities, 'incident-id').length === 0)
      context.evidence.gap('No incident ID', 'The alert contains no incident number.');
    await askStandardQuestions(context, 'incident');
  },
);
