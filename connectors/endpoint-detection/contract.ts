import { defineConnector } from '../kit/define.js';
import {
  governmentPreset,
  microsoftCredentials,
  microsoftErrors,
  microsoftHosts,
  microsoftRotation,
  microsoftSettings,
  publicPreset,
} from '../kit/microsoft-app.js';
import { endpointCards } from './card.js';
import { actionResultSkills } from './contract/action-results.js';
import { alertSkills } from './contract/alerts.js';
import { huntingSkills } from './contract/hunting.js';
import { indicatorSkills } from './contract/indicators.js';
import { machineSkills } from './contract/machines.js';
import { responseSkills } from './contract/response.js';
import { vulnerabilitySkills } from './contract/vulnerabilities.js';
import { endpointAlertIntake } from './intake.js';
import { endpointAlertRecords, indicatorRecords } from './records.js';

/** The resource of tokens in the public cloud. */
const RESOURCE = 'https://api.securitycenter.microsoft.com';

export const endpointDetection = defineConnector({
  kind: 'endpoint-detection',
  title: 'Endpoint detection platform',
  products: ['Microsoft Defender for Endpoint', 'Microsoft Defender ATP', 'MDE'],
  icon: 'device',
  purpose: 'Alerts and machines of the endpoint platform, and response actions on machines.',
  setup: [
    'Create an app registration in Microsoft Entra ID, with the account type multitenant. Copy its tenant ID and client ID.',
    'Add API permissions of the type application for the resource WindowsDefenderATP. Alert.ReadWrite.All is mandatory. The other permissions of the skills are recommended.',
    'Grant admin consent for the permissions.',
    'Create a client secret and copy its value. The value is displayed once.',
    'The tenant needs an eligible licence of the endpoint platform.',
  ],
  mandatoryPermissions: ['Alert.ReadWrite.All'],
  credentials: microsoftCredentials,
  settings: microsoftSettings(RESOURCE, 'The API of the endpoint platform in your cloud.'),
  presets: [
    publicPreset('Public cloud', RESOURCE, RESOURCE),
    publicPreset('Public cloud, unified host', 'https://api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host us', 'https://us.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host eu', 'https://eu.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host uk', 'https://uk.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host au', 'https://au.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host swa', 'https://swa.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host ina', 'https://ina.api.security.microsoft.com', RESOURCE),
    governmentPreset('GCC', 'https://login.microsoftonline.com', 'https://api-gcc.securitycenter.microsoft.us'),
    governmentPreset('GCC High and DoD', 'https://login.microsoftonline.us', 'https://api-gov.securitycenter.microsoft.us'),
  ],
  rotation: microsoftRotation,
  routable: true,
  requestsPerMinute: 100,
  errors: microsoftErrors,
  hosts: microsoftHosts,
  intake: endpointAlertIntake,
  records: [endpointAlertRecords, indicatorRecords],
  cards: endpointCards,
  ownNames: { machines: ['lax $.items[*].computerDnsName', 'lax $.computerDnsName'] },
  skills: {
    ...alertSkills,
    ...machineSkills,
    ...responseSkills,
    ...huntingSkills,
    ...indicatorSkills,
    ...vulnerabilitySkills,
    ...actionResultSkills,
  },
});
