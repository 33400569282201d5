import { recordAudit } from '../../db/identity/audit.js';
import { findRules, listHeld, type StoredRules, storeRules } from '../../db/response/response-rules.js';
import { needsSecondPerson } from '../../db/response/rule-changes.js';
import { lockRules } from '../../db/response/write-rules.js';
import { WRITES_RELEASED } from '../../domain/connection/skill.js';
import type { PendingRuleChange, RuleChangeKind } from '../../domain/response/rule-change.js';
import type { Context, Inside } from '../context.js';
import { confirmRuleChange } from './confirm-rule-change.js';
import { recordRuleEvent } from './record-rule-event.js';

interface RulesChange {
  readonly organizationUuid: string;
  readonly changed: Partial<Omit<StoredRules, 'organizationUuid'>>;
  readonly audit: { action: string; details: Record<string, unknown> };
  /** For a change that can relax the rules: whether it does, compared with the current ones. */
  readonly relaxes?: {
    readonly change: RuleChangeKind;
    readonly value: number | null;
    from(current: StoredRules | null): boolean;
  };
}

/** Returns the request if it waits for a second person; null where the change took effect. */
export async function changeRules(
  inside: Inside<Context>,
  { organizationUuid, changed, audit, relaxes }: RulesChange,
): Promise<PendingRuleChange | null> {
  const { db, by } = inside;
  await lockRules(db, organizationUuid);
  if (relaxes?.from(await findRules(db, organizationUuid))) {
    const asked = { organizationUuid, change: relaxes.change, target: organizationUuid, value: relaxes.value };
    const pending = (await needsSecondPerson(db, organizationUuid)) ? await confirmRuleChange(inside, asked) : null;
    if (pending !== null) return pending;
    recordRuleEvent(inside, 'rule.relaxed', asked);
  }
  await storeRules(db, organizationUuid, changed);
  await recordAudit(db, { by, organizationUuid, target: organizationUuid, ...audit });
  return null;
}

/** Call it after the commit: a write that was held a moment ago is found too. Each workflow checks the rules again when it wakes. */
export async function releaseHeld({ db, runner }: Context, organizationUuid: string): Promise<void> {
  await runner.signal(await listHeld(db, organizationUuid), WRITES_RELEASED);
}
