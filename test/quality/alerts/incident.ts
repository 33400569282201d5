import { attack, harmless } from '../labelled.js';
import { FILES, IPS } from '../truth/reputation.js';

const INCIDENT = 'Detected incident';
const CATEGORY = 'Incident: Lateral movement';

export const incident = [
  attack(INCIDENT, 'confirmed by an analyst', 'Incident id: 3001, Hands-on-keyboard attack', 'malicious', 'Confirmed, with a known file.'),
  attack(
    INCIDENT,
    'merged into the confirmed one',
    JSON.stringify({ incidentId: 3006, incidentName: 'Credential theft' }),
    'malicious',
    'It was merged into one that is confirmed.',
  ),
  attack(
    CATEGORY,
    'ransomware on several machines',
    'incident_id=3004 severity=High',
    'malicious',
    'Known file and address, spread over machines at risk.',
  ),
  harmless(
    INCIDENT,
    'judged false, with a known web shell in it',
    'Incident number: 3007',
    ['benign', 'suspicious'],
    'The judgement of a person about the same file and machine outweighs its reputation.',
  ),
  attack(INCIDENT, 'a doubtful address', 'incident=3008', 'suspicious', 'Medium severity, doubtful address, machine of medium risk.'),
  harmless(
    INCIDENT,
    'judged a false positive',
    'Incident id: 3002, Remote administration tool',
    'benign',
    'Resolved as a false positive, the tool is known and good.',
  ),
  harmless(
    CATEGORY,
    'a penetration test',
    '{"incident": {"id": "3003", "title": "Penetration test"}}',
    'benign',
    'Resolved as expected activity.',
  ),
  harmless(INCIDENT, 'small and open', 'Incident id: 3005', 'inconclusive', 'Low severity, nothing known.'),
  harmless(
    INCIDENT,
    'the backup agent',
    'Incident id: 3009',
    ['inconclusive', 'benign'],
    'Its file is known and good by one source alone.',
  ),
  harmless(INCIDENT, 'no incident of this number', 'Incident id: 999999', 'inconclusive', 'The source knows no such incident.'),
  attack(
    INCIDENT,
    'gone at the source, but the alert names the file',
    `Incident id: 999998, file ${FILES.bad.loader} called ${IPS.bad.commandServer}`,
    ['suspicious', 'malicious'],
    'What the alert itself names is known.',
  ),
];
