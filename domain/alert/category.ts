import type { Severity } from '../verdict/evidence.js';
import { SEVERITIES_DESCENDING } from '../verdict/priority.js';

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
  'sign-in':
    /connexion|anmeldung|inicio de sesi|logowani|accesso|вход в|サインイン|ログイン|登录|sign.?in|log.?on|log.?in|travel|authenticat|brute.?force|password spray|mfa|credential stuff/i,
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

/**
 * The words that leave no doubt about a category, in common languages. Other words of `CATEGORY_WORDS` occur in alerts of other
 * kinds too: a quarantined file is malware, a quarantined mail is not.
 */
const CLEAR_WORDS: Readonly<Partial<Record<Category, RegExp>>> = {
  phishing:
    /phish|(?:suspicious|malicious) e?-?mail|business e?-?mail compromise|e?-?mail (?:spoof|impersonat)|hameçonnage|correo (?:sospechoso|malicioso)|фишинг|フィッシング|钓鱼|釣魚|피싱/i,
  malware:
    /malware|\bvirus|trojan|\bworm\b|malicious (?:file|software|code)|rootkit|schadsoftware|schadprogramm|maliciel|logiciel malveillant|software (?:malicioso|maligno)|código malicioso|вредонос|вирус|マルウェア|ウイルス|恶意(?:软件|文件|程序)|病毒|惡意(?:軟體|程式)|악성/i,
  ransomware: /ransom|rançongiciel|erpressungstrojaner|вымогател|ランサム|勒索|랜섬/i,
  vulnerability: /vulnerab|unpatched|missing (?:patch|update)|schwachstelle|уязвимост|脆弱性|漏洞|취약점/i,
  'leaked-credential':
    /(?:leak|expos|breach|stolen|dark.?web)\w* (?:\w+ )?(?:credential|password|account|identit)|(?:credential|password|account|identity)s? (?:leak|expos|breach|dark.?web)|typosquat|look.?alike domain|domain abuse|brand abuse/i,
};
/** An attack on a weakness is not a report about it, and a stolen session is not a leaked list. */
const UNCLEAR_WORDS: Readonly<Partial<Record<Category, RegExp>>> = {
  vulnerability: /exploit(?:ed|ation|ing| attempt)|attack|attempt|intrusion|angriff|attaque|ataque|атак|攻撃|攻击/i,
  'leaked-credential': /stuff|dump|spray|brute|phish/i,
};

/** All categories of a text, where its words leave no doubt about at least one of them; otherwise none. */
export function findClearCategories(text: string): Category[] {
  const clear = CATEGORIES.filter((category) => CLEAR_WORDS[category]?.test(text) && !UNCLEAR_WORDS[category]?.test(text));
  return clear.length === 0 ? [] : CATEGORIES.filter((category) => clear.includes(category) || CATEGORY_WORDS[category].test(text));
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
  return chooseSeverity(findCategories(alertType));
}

/** The severity of alerts of these categories before their investigation; null without a category. */
export function chooseSeverity(categories: readonly Category[]): Severity | null {
  const severities = categories.map((category) => SEVERITIES[category]);
  return SEVERITIES_DESCENDING.find((severity) => severities.includes(severity)) ?? null;
}
