import type { CardRule } from '../../domain/alert/entity-cards.js';

export const enrichmentCards = {
  getEnrichment: {
    card: 'reputation',
    titles: ['criticality_label', 'kind'],
    fields: {
      found: 'Known',
      score: 'Risk score',
      cvss_score: 'CVSS',
      'rules[]': 'Rules',
      summary: 'Summary',
      first_seen: 'First seen',
      last_seen: 'Last seen',
    },
  },
} as const satisfies Record<string, CardRule>;
