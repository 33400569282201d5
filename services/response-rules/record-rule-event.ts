import type { RuleChange } from '../../db/response/rule-changes.js';
import type { Context, Inside } from '../context.js';
import { recordEvent } from '../events/record-event.js';

/** Tells every admin of the organization about a change that relaxes the rules for writes. */
export function recordRuleEvent(
  { by, beforeCommit }: Pick<Inside<Context>, 'by' | 'beforeCommit'>,
  name: 'rule.change_requested' | 'rule.relaxed',
  { organizationUuid, change, target, value }: RuleChange,
): void {
  const data = { change, target_id: target, value, requested_by: by.name };
  beforeCommit((last) => recordEvent(last, { name, organizationUuid, subjectUuid: organizationUuid, data }));
}
