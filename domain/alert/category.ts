import type { Severity } from '../case/evidence.js';
import { SEVERITIES_DESCENDING } from '../investigation/priority.js';

/** The planner asks first the questions that fit the categories of the alert type. */
export const CATEGORIES = [
  'phishing',
  'malware',
  'ransomware',
  'command-and-control',
  'sign-in',
  'vulnerability',
  'data-loss',
  'insider',
  'cloud',
  'incident',
  'leaked-credential',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** The words in an alert type that indicate a category. */
export const CATEGORY_WORDS: Readonly<Record<Category, RegExp>> = {
  phishing: /phish|spoof|suspicious (e-?)?mail|business email|spam|impersonat/i,
  malware: /malware|virus|trojan|worm|infect|malicious (file|software|code)|quarantin|exploit kit|dropper|backdoor|rootkit/i,
  ransomware: /ransom|encrypt(ed|ion) of files|shadow cop/i,
  'command-and-control': /command.?(and|&).?control|\bc2\b|\bc&c\b|beacon|dns tunnel|callback|odd dns|suspicious (traffic|connection|dns)/i,
  'sign-in': /sign.?in|log.?on|log.?in|travel|authenticat|brute.?force|password spray|mfa|credential stuff/i,
  vulnerability: /vulnerab|\bcve\b|exposed (host|service)|unpatched|missing patch|weakness/i,
  'data-loss': /exfiltrat|data.?(loss|leak|transfer)|\bdlp\b|mass download|upload/i,
  insider: /insider|privilege (misuse|abuse)|unusual access|after.?hours|departing/i,
  cloud: /cloud|bucket|\bs3\b|iam|azure|aws|gcp|storage account|role assign/i,
  incident: /incident|\bxdr\b|extended.?detection/i,
  'leaked-credential': /leak|credential|brand|look.?alike|typosquat|domain abuse|dark.?web|exposed (password|credential)/i,
};

/** All matching categories, in a fixed order; empty for an unknown type. */
export function findCategories(alertType: string): Category[] {
  return CATEGORIES.filter((category) => CATEGORY_WORDS[category].test(alertType));
}

const SEVERITIES: Readonly<Record<Category, Severity>> = {
  ransomware: 'critical',
  malware: 'high',
  'command-and-control': 'high',
  'leaked-credential': 'high',
  'data-loss': 'high',
  incident: 'high',
  phishing: 'medium',
  'sign-in': 'medium',
  insider: 'medium',
  cloud: 'medium',
  vulnerability: 'medium',
};

/** The severity of a type before its investigation; null for an unknown type. */
export function chooseSeverityForType(alertType: string): Severity | null {
  const severities = findCategories(alertType).map((category) => SEVERITIES[category]);
  return SEVERITIES_DESCENDING.find((severity) => severities.includes(severity)) ?? null;
}
