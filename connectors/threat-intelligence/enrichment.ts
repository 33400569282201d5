import { z } from 'zod';
import type { QuestionGroup } from '../kit/implement.js';
import { ask, buildUrl, type Context, Entity, group, lenientList, maybeEntity, maybeNumber, maybeText, read } from './api.js';
import type { threatIntelligence } from './contract.js';

type Skill = typeof threatIntelligence.skills.getEnrichment;
type Enrichment = z.output<Skill['output']>;

const MAX_EVIDENCE = 50;

export const EnrichmentReply = z.object({
  data: z.object({
    entity: maybeEntity,
    risk: group({
      score: maybeNumber,
      criticality: maybeNumber,
      criticalityLabel: maybeText,
      riskSummary: maybeText,
      evidenceDetails: lenientList(
        z.object({
          rule: maybeText,
          criticality: maybeNumber,
          criticalityLabel: maybeText,
          evidenceString: maybeText,
          timestamp: maybeText,
        }),
      ),
    }),
    timestamps: group({ firstSeen: maybeText, lastSeen: maybeText }),
    cvss: group({ score: maybeNumber }),
    cvssv3: group({ baseScore: maybeNumber, score: maybeNumber }),
    nvdDescription: maybeText,
  }),
});

export const UNKNOWN: Omit<Enrichment, 'kind' | 'value'> = {
  found: false,
  entity: null,
  score: null,
  criticality: null,
  criticality_label: null,
  summary: null,
  rules: [],
  evidence: [],
  first_seen: null,
  last_seen: null,
  cvss_score: null,
  description: null,
};

export function toEnrichment({ data }: z.output<typeof EnrichmentReply>): Omit<Enrichment, 'kind' | 'value'> {
  const { entity, risk, timestamps, cvss, cvssv3, nvdDescription } = data;
  // A reply without entity and risk says that the platform does not know the indicator.
  if (entity === null && risk.score === null && risk.criticality === null && risk.evidenceDetails.length === 0) return UNKNOWN;
  const byWeight = risk.evidenceDetails.toSorted((one, other) => (other.criticality ?? 0) - (one.criticality ?? 0));
  return {
    found: true,
    entity,
    score: risk.score === null ? null : Math.min(100, Math.max(0, risk.score)),
    criticality: risk.criticality,
    criticality_label: risk.criticalityLabel,
    summary: risk.riskSummary,
    rules: [...new Set(byWeight.flatMap(({ rule }) => rule ?? []))],
    evidence: byWeight.slice(0, MAX_EVIDENCE).map((detail) => ({
      rule: detail.rule,
      criticality: detail.criticalityLabel,
      text: detail.evidenceString,
      at: detail.timestamp,
    })),
    first_seen: timestamps.firstSeen,
    last_seen: timestamps.lastSeen,
    cvss_score: cvssv3.baseScore ?? cvssv3.score ?? cvss.score,
    description: nvdDescription,
  };
}

/** The kinds that the platform looks up together. Its answer lacks the CVSS score of a vulnerability. */
const GROUPED = ['ip', 'domain', 'url', 'hash'] as const;
const MAX_GROUPED = 100;
/** The labels of the platform, by criticality. */
const LABELS = ['None', 'Unusual', 'Suspicious', 'Malicious', 'Very Malicious'];

const SeveralReply = z.object({
  data: z.object({
    results: z.array(
      z.object({
        entity: Entity,
        risk: group({
          score: maybeNumber,
          level: maybeNumber,
          rule: group({
            count: maybeNumber,
            maxCount: maybeNumber,
            // By the id of the rule.
            evidence: z
              .record(z.string(), z.object({ rule: maybeText, level: maybeNumber, description: maybeText, timestamp: maybeText }))
              .nullish()
              .catch(null)
              .transform((evidence) => Object.values(evidence ?? {})),
          }),
        }),
      }),
    ),
  }),
});
type Result = z.output<typeof SeveralReply>['data']['results'][number];

/** Looks up several indicators with one call. */
export const enrichmentGroup: QuestionGroup<z.output<Skill['input']>, z.input<Skill['output']>, Context> = {
  maxQuestions: MAX_GROUPED,
  keyOf: ({ kind }) => (GROUPED.some((each) => each === kind) ? 'indicators' : null),
  async ask(inputs, context) {
    const json = Object.fromEntries(
      GROUPED.map((kind) => [kind, inputs.filter((input) => input.kind === kind).map(({ value }) => value)] as const).filter(
        ([, values]) => values.length > 0,
      ),
    );
    const url = buildUrl(context, '/soar/v3/enrichment');
    const reply = await ask(context, { method: 'POST', url, json });
    const { results } = read(SeveralReply, reply).data;
    return inputs.map(({ kind, value }) => {
      const result = results.find((each) => isAbout(each, kind, value));
      return result === undefined ? null : { ...toEnrichment(describe(result)), kind, value };
    });
  },
};

const TYPES: Readonly<Record<string, string>> = { ip: 'IpAddress', domain: 'InternetDomainName', url: 'URL', hash: 'Hash' };

/** A domain and a link can have the same name. */
function isAbout({ entity: { name, type } }: Result, kind: string, value: string): boolean {
  return name?.toLowerCase() === value.toLowerCase() && (type === null || type === TYPES[kind]);
}

/** The answer to a single question. The platform writes unknown indicators without an id. */
function describe({ entity, risk: { score, level, rule } }: Result): z.output<typeof EnrichmentReply> {
  const evidenceDetails = rule.evidence.map((found) => ({
    rule: found.rule,
    criticality: found.level,
    criticalityLabel: findLabel(found.level),
    evidenceString: found.description,
    timestamp: found.timestamp,
  }));
  const isKnown = entity.id !== null;
  const count = rule.count ?? evidenceDetails.length;
  return {
    data: {
      entity: isKnown ? entity : null,
      risk: {
        score: isKnown ? score : null,
        criticality: isKnown ? level : null,
        criticalityLabel: isKnown ? findLabel(level) : null,
        riskSummary: isKnown && rule.maxCount !== null ? `${count} of ${rule.maxCount} Risk Rules currently observed.` : null,
        evidenceDetails: isKnown ? evidenceDetails : [],
      },
      timestamps: { firstSeen: null, lastSeen: null },
      cvss: { score: null },
      cvssv3: { baseScore: null, score: null },
      nvdDescription: null,
    },
  };
}

function findLabel(level: number | null): string | null {
  return level === null ? null : (LABELS[level] ?? null);
}
