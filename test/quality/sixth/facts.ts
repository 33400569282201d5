import { factsOf } from '../company/facts.js';
import { IPE_ROXO } from './company.js';

export { CONCLUDED, file, ip, link } from '../company/records.js';
export const {
  account,
  alsoUsedBy,
  detection,
  domainAbuse,
  endpointAlert,
  exposure,
  huntingRow,
  incident,
  intelligenceAlert,
  investigation,
  itinerary,
  machineRisk,
  ownIndicator,
  reputation,
  trip,
  weakness,
} = factsOf(IPE_ROXO);
