import { endpointDetection } from './endpoint-detection/contract.js';
import { incidentSource } from './incident-source/contract.js';
import type { Catalogue } from './kit/define.js';
import { malwareProtection } from './malware-protection/contract.js';
import { threatIntelligence } from './threat-intelligence/contract.js';
import { travelBooking } from './travel-booking/contract.js';
import { vulnerabilityInvestigation } from './vulnerability-investigation/contract.js';

/** All connectors. A new one needs a line here and in implementations.ts. */
export const catalogue = {
  endpointDetection,
  incidentSource,
  malwareProtection,
  vulnerabilityInvestigation,
  travelBooking,
  threatIntelligence,
} as const satisfies Catalogue;
