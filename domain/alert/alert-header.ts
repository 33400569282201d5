import { clip } from '../text.js';
import type { Severity } from '../verdict/evidence.js';
import { compact, type Field } from './json-walk.js';
import { readTactics, type Tactic } from './tactics.js';

/** What the source of an alert states about it. */
export interface AlertHeader {
  readonly severity: Severity | null;
  readonly ruleName: string | null;
  /** ATT&CK techniques: `T1059.001`. */
  readonly techniques: readonly string[];
  /** ATT&CK tactics that fields of the alert name. */
  readonly tactics: readonly Tactic[];
}

const MAX_TECHNIQUES = 20;
const MAX_RULE_NAME_LENGTH = 200;
const TECHNIQUE = /(?<![\w.-])T1\d{3}(?:\.\d{3})?(?![\w-])/g;

/** The techniques that a text names, each once, in the order of the text. */
export function findTechniques(text: string): string[] {
  const found = new Set<string>();
  for (const [technique] of text.matchAll(TECHNIQUE)) {
    found.add(technique);
    if (found.size === MAX_TECHNIQUES) break;
  }
  return [...found];
}

/** Collects the header while the fields of an alert are read. The first field of the best rank counts. */
export class HeaderReader {
  #severity: Severity | null = null;
  #syslogSeverity: Severity | null = null;
  #ruleName: { readonly rank: number; readonly name: string } | null = null;
  readonly #tactics = new Set<Tactic>();

  readField(field: Field, value: string): void {
    const joined = field.owner + field.name;
    if (SEVERITY_NAMES.has(field.name) || SEVERITY_NAMES.has(joined)) this.#severity ??= parseSeverity(value, field.name, joined);
    const rank = RULE_NAME_RANKS.get(joined) ?? RULE_NAME_RANKS.get(field.name);
    if (rank !== undefined) this.readRuleName(value, rank);
    if (TACTIC_NAMES.has(joined) || TACTIC_NAMES.has(field.name)) for (const tactic of readTactics(value)) this.#tactics.add(tactic);
  }

  readRuleName(value: string, rank = NAME_IN_LOG_HEADER): void {
    const name = clip(value.replace(/\s+/g, ' ').trim(), MAX_RULE_NAME_LENGTH);
    if (!/\p{L}/u.test(name) || value.length > 10 * MAX_RULE_NAME_LENGTH) return;
    if (this.#ruleName === null || rank < this.#ruleName.rank) this.#ruleName = { rank, name };
  }

  readSeverity(value: string): void {
    this.#severity ??= parseSeverity(value, 'severity', 'severity');
  }

  /** Most programs log with the same priority, so only a serious one states something about the alert. */
  readSyslogSeverity(severity: number): void {
    if (severity <= 2) this.#syslogSeverity ??= 'critical';
    else if (severity === 3) this.#syslogSeverity ??= 'high';
  }

  result(techniques: readonly string[]): AlertHeader {
    return {
      severity: this.#severity ?? this.#syslogSeverity,
      ruleName: this.#ruleName?.name ?? null,
      techniques,
      tactics: [...this.#tactics],
    };
  }
}

function names(...lines: string[]): string[] {
  return lines.flatMap((line) => line.split(', ')).map(compact);
}

const SEVERITY_NAMES = new Set(
  names(
    'severity, sev, alert severity, event severity, severity id, severity level, severity name, severity label, rule level, rule severity',
    'risk level, urgency, criticality, threat severity, kibana alert severity, signal rule severity, incident severity',
    'Schweregrad, gravité, sévérité, gravedad, severidad, severidade, gravità, ernst, серьезность, критичность, уровень опасности',
    '重大度, 深刻度, 重要度, 严重性, 严重程度, 严重级别, 嚴重性, 심각도, الخطورة',
  ),
);

const WORDS: Readonly<Record<Severity, readonly string[]>> = {
  critical: names(
    'critical, crit, fatal, severe, emergency, very high, kritisch, critique, crítica, crítico, критический, критичный, 緊急, 重大, 严重, 嚴重, 紧急, 심각, حرج',
  ),
  high: names('high, hoch, élevée, élevé, haute, alta, alto, hoog, высокий, высокая, високий, 高, 높음, عالية, yüksek, wysoki, vysoká'),
  medium: names(
    'medium, moderate, mittel, moyenne, moyen, media, medio, média, médio, gemiddeld, средний, средняя, середній, 中, 보통, متوسطة, orta, średni, střední',
  ),
  low: names(
    'low, minor, niedrig, gering, faible, baja, bajo, baixa, baixo, bassa, laag, низкий, низкая, низький, 低, 낮음, منخفضة, düşük, niski, nízká',
  ),
  informational: names(
    'informational, information, info, informativ, hinweis, informatif, informativa, информационный, 情報, 信息, 資訊, 정보',
  ),
};
const SEVERITY_BY_WORD = new Map(Object.entries(WORDS).flatMap(([severity, words]) => words.map((word) => [word, severity] as const)));

function isSeverity(word: string | undefined): word is Severity {
  return word !== undefined && Object.hasOwn(WORDS, word);
}

function parseSeverity(value: string, name: string, joined: string): Severity | null {
  if (value.length > 40) return null;
  const word = SEVERITY_BY_WORD.get(compact(value));
  if (isSeverity(word)) return word;
  const level = /^\s*(\d{1,3}(?:\.\d{1,3})?)\s*(?:\/\s*10+)?\s*$/.exec(value)?.[1];
  if (level === undefined) return null;
  if (joined.endsWith('rulelevel')) return atLeast(Number(level), [15, 12, 7, 3]);
  // OCSF: 1 informational to 5 critical, 6 fatal.
  if (name === 'severityid') return Number(level) === 0 ? null : atLeast(Number(level), [5, 4, 3, 2]);
  return Number(level) <= 10 ? atLeast(Number(level), [9, 7, 4, 1]) : atLeast(Number(level), [90, 70, 40, 11]);
}

function atLeast(level: number, [critical = 0, high = 0, medium = 0, low = 0]: readonly number[]): Severity {
  if (level >= critical) return 'critical';
  if (level >= high) return 'high';
  if (level >= medium) return 'medium';
  return level >= low ? 'low' : 'informational';
}

const NAME_IN_LOG_HEADER = 1;
const RULE_NAME_RANKS = new Map<string, number>([
  ...names(
    'rule name, rule title, rule description, detection rule name, correlation rule name, analytics rule name, signature name, signature, search name',
    'alert rule name, alert rule, kibana alert rule name, signal rule name, Regel, Regelname, nom de la règle, nombre de la regla, имя правила, правило, ルール名, 规则名称, 規則名稱',
  ).map((name) => [name, 0] as const),
  ...names('rule, alert name, alert display name, alert title, detection name, event name, finding info title, threat name').map(
    (name) => [name, 1] as const,
  ),
  ...names('title, display name, cat, incident name, category').map((name) => [name, 2] as const),
]);

/** The category of an endpoint alert is a tactic. */
const TACTIC_NAMES = new Set(
  names(
    'tactic, tactics, tactic name, tactic id, tactics name, tactics id, mitre tactic, mitre tactics, mitre attack tactic, attack tactic, attack tactics',
    'kill chain phase, kill chain phases, kill chain phase name, phase name, category, alert category, threat category',
  ),
);

/** All names of fields that belong to the header, in the form of `compact`. */
export const HEADER_NAMES: readonly string[] = [...SEVERITY_NAMES, ...RULE_NAME_RANKS.keys(), ...TACTIC_NAMES];
