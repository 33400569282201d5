import { compact } from './json-walk.js';

/** What an attacker wants, by ATT&CK. An alert that names several belongs to the first one here: the closer to the damage, the sooner. */
export const TACTICS = [
  'impact',
  'exfiltration',
  'command-and-control',
  'lateral-movement',
  'credential-access',
  'collection',
  'privilege-escalation',
  'defense-evasion',
  'persistence',
  'execution',
  'initial-access',
  'discovery',
  'reconnaissance',
] as const;
export type Tactic = (typeof TACTICS)[number];

const IDS: Readonly<Record<string, Tactic>> = {
  TA0040: 'impact',
  TA0010: 'exfiltration',
  TA0011: 'command-and-control',
  TA0008: 'lateral-movement',
  TA0006: 'credential-access',
  TA0009: 'collection',
  TA0004: 'privilege-escalation',
  TA0005: 'defense-evasion',
  TA0003: 'persistence',
  TA0002: 'execution',
  TA0001: 'initial-access',
  TA0007: 'discovery',
  TA0043: 'reconnaissance',
};

/** The techniques of each tactic, without those of several tactics that say little, such as scheduled tasks. */
const TECHNIQUES: Readonly<Record<Tactic, string>> = {
  impact: 'T1485 T1486 T1489 T1490 T1491 T1495 T1496 T1498 T1499 T1529 T1531 T1561 T1565 T1657',
  exfiltration: 'T1011 T1020 T1029 T1030 T1041 T1048 T1052 T1537 T1567',
  'command-and-control': 'T1001 T1008 T1071 T1090 T1092 T1095 T1102 T1104 T1105 T1132 T1219 T1568 T1571 T1572 T1573 T1665',
  'lateral-movement': 'T1021 T1080 T1210 T1534 T1550 T1563 T1570',
  'credential-access': 'T1003 T1040 T1056 T1110 T1111 T1187 T1212 T1528 T1539 T1552 T1555 T1556 T1557 T1558 T1606 T1621 T1649',
  collection: 'T1005 T1025 T1039 T1074 T1113 T1114 T1115 T1119 T1123 T1125 T1185 T1213 T1530 T1560 T1602',
  'privilege-escalation': 'T1068 T1134 T1484 T1548 T1611',
  'defense-evasion':
    'T1006 T1014 T1027 T1036 T1055 T1070 T1112 T1127 T1140 T1197 T1202 T1207 T1211 T1216 T1218 T1220 T1221 T1222 T1480 T1497 T1553 T1562 T1564 T1578 T1600 T1601 T1620 T1622',
  persistence: 'T1037 T1098 T1136 T1137 T1176 T1505 T1542 T1543 T1546 T1547 T1554 T1574',
  execution: 'T1047 T1059 T1072 T1106 T1129 T1203 T1204 T1559 T1569 T1609 T1610 T1648 T1651',
  'initial-access': 'T1091 T1133 T1189 T1190 T1195 T1199 T1200 T1566 T1659',
  discovery:
    'T1007 T1010 T1012 T1016 T1018 T1033 T1046 T1049 T1057 T1069 T1082 T1083 T1087 T1120 T1124 T1135 T1201 T1217 T1482 T1518 T1526 T1538 T1580 T1613 T1614 T1615 T1619',
  reconnaissance: 'T1589 T1590 T1591 T1592 T1593 T1594 T1595 T1596 T1597 T1598',
};
const BY_TECHNIQUE = new Map(TACTICS.flatMap((tactic) => TECHNIQUES[tactic].split(' ').map((technique) => [technique, tactic] as const)));
const BY_NAME = new Map<string, Tactic>(TACTICS.map((tactic) => [compact(tactic), tactic]));

/** The words of a rule or an alert type that indicate a tactic. */
const WORDS: Readonly<Record<Tactic, RegExp>> = {
  impact: /\bimpact\b|defacement|wiper|data destruction|denial.of.service|\bd?dos\b|cryptomin|coin.?min/i,
  exfiltration: /exfiltrat/i,
  'command-and-control': /command.(?:and|&).control|\bc2\b/i,
  'lateral-movement': /lateral.?movement|pass.the.(?:hash|ticket)|\bpsexec\b|remote service creat/i,
  'credential-access':
    /credential.?(?:access|dump|theft|steal|harvest)|\blsass\b|mimikatz|kerberoast|as-?rep.?roast|dcsync|ntds\.dit|\bsam (?:hive|dump)/i,
  collection: /screen capture|clipboard|keylog|email collection/i,
  'privilege-escalation': /privilege.?escalat|elevation of privilege|uac bypass|token (?:theft|manipulation)/i,
  'defense-evasion':
    /defen[cs]e.?evasion|tamper|(?:log|event).?(?:clear|delet)|disabl\w+ (?:of )?(?:the )?(?:antivirus|defender|security|logging|edr)|obfuscat|process (?:injection|hollowing)|masquerad/i,
  persistence: /persistence|autorun|run key|startup folder|web ?shell/i,
  execution: /(?:suspicious|malicious|encoded) (?:\w+ )?(?:script|command|execution|powershell)|\blolbin/i,
  'initial-access': /initial.?access|drive-by/i,
  discovery: /\bdiscovery\b|enumerat|bloodhound/i,
  reconnaissance: /reconnaissance|port.?scan|network scan/i,
};

/** What an alert states about itself. */
export interface StatedTactics {
  readonly ruleName: string | null;
  readonly tactics: readonly Tactic[];
  readonly techniques: readonly string[];
}

/** The tactics that a field names, alone or in a list: `Credential Access`, `CredentialAccess`, `TA0006`. */
export function readTactics(value: string): Tactic[] {
  return value
    .slice(0, MAX_FIELD_LENGTH)
    .split(/[,;|]/)
    .flatMap((part) => IDS[part.trim().toUpperCase()] ?? BY_NAME.get(compact(part)) ?? []);
}

const MAX_FIELD_LENGTH = 500;

/** Null: the text indicates none. */
export function findTacticByWords(text: string): Tactic | null {
  return TACTICS.find((tactic) => WORDS[tactic].test(text)) ?? null;
}

/** The fields come first, then the name of the rule, then the techniques. */
export function findTactic({ ruleName, tactics, techniques }: StatedTactics): Tactic | null {
  const named = new Set(tactics);
  const byTechnique = new Set(techniques.map((technique) => BY_TECHNIQUE.get(technique.slice(0, 5))));
  return (
    TACTICS.find((tactic) => named.has(tactic)) ??
    (ruleName === null ? null : findTacticByWords(ruleName)) ??
    TACTICS.find((tactic) => byTechnique.has(tactic)) ??
    null
  );
}
