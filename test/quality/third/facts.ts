import { factsOf } from '../company/facts.js';
import { MEDIVARA } from './company.js';

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
  machineRisk,
  ownIndicator,
  reputation,
  trip,
  weakness,
} = factsOf(MEDIVARA);
