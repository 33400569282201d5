import type { catalogue } from './catalogue.js';
import { endpointDetectionImplementation } from './endpoint-detection/skills.js';
import { incidentSourceImplementation } from './incident-source/skills.js';
import type { Implementation } from './kit/implement.js';
import { malwareProtectionImplementation } from './malware-protection/skills.js';
import { threatIntelligenceImplementation } from './threat-intelligence/skills.js';
import { travelBookingImplementation } from './travel-booking/skills.js';
import { vulnerabilityInvestigationImplementation } from './vulnerability-investigation/skills.js';

/** The compiler finds a connector without an implementation. */
export const implementations = {
  endpointDetection: endpointDetectionImplementation,
  incidentSource: incidentSourceImplementation,
  malwareProtection: malwareProtectionImplementation,
  vulnerabilityInvestigation: vulnerabilityInvestigationImplementation,
  travelBooking: travelBookingImplementation,
  threatIntelligence: threatIntelligenceImplementation,
} satisfies { [Name in keyof typeof catalogue]: Implementation<(typeof catalogue)[Name]> };
