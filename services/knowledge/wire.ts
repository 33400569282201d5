import { z } from 'zod';
import { canonicalKnowledge, explainKnowledgeKind, KnowledgeKind, MAX_KNOWLEDGE_LENGTH } from '../../domain/organization/knowledge.js';
import { storable, text } from '../../domain/text.js';

/** The value is any spelling that the kind accepts: `canonicalKnowledge` gives the one to store. */
export const SaveKnowledge = z
  .strictObject({
    kind: KnowledgeKind,
    value: text(MAX_KNOWLEDGE_LENGTH).describe(
      'A domain, a network (CIDR) or address, the name of a host, or an account, as the kind needs it.',
    ),
    note: storable(500).default('').describe('Why it belongs to the organization. Analysts see it.'),
  })
  .superRefine(({ kind, value }, context) => {
    if (canonicalKnowledge(kind, value) === null)
      context.addIssue({ code: 'custom', path: ['value'], message: explainKnowledgeKind(kind), input: value });
  });
export type SaveKnowledge = z.output<typeof SaveKnowledge>;

export const Knowledge = z.object({
  knowledge_id: z.uuid(),
  organization_code: z.string(),
  kind: KnowledgeKind,
  value: z.string(),
  note: z.string(),
  created_by: z.string(),
  created_at: z.int(),
});
export type Knowledge = z.infer<typeof Knowledge>;
