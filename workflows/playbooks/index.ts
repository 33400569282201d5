// Made from the files of this folder at every start, build and test run.
export { detectedIncident } from './detected-incident.js';
export { impossibleTravel } from './impossible-travel.js';
export { leakedCredential } from './leaked-credential.js';
export { malwareOnHost } from './malware-on-host.js';
export { reportedPhishing } from './reported-phishing.js';
export { vulnerableHost } from './vulnerable-host.js';
