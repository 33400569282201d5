import { SKILLS } from '../../connectors/skill-index.js';
import type { Transaction } from '../../db/client.js';
import { checkPlan } from '../../domain/playbook/plan-check.js';
import type { Plan } from '../../domain/playbook/playbook.js';
import { type CommandError, conflict, invalid, MAX_WRONG_FIELDS } from '../errors.js';
import { lockGeneratedPlaybook } from './require-playbook.js';
import type { EditPlan } from './wire.js';

export function requireRunnable(plan: Plan): void {
  const wrong = checkPlan(plan, (name) => SKILLS.get(name)?.contract ?? null);
  if (wrong.length === 0) return;
  throw invalid(wrong.slice(0, MAX_WRONG_FIELDS).map(({ pointer, detail }) => ({ pointer: `#/plan${pointer}`, detail })));
}

/** Refuses an edit of an older version than the newest. */
export async function lockForEdit(db: Transaction, scope: string | null, playbookUuid: string, { made_from }: EditPlan) {
  const playbook = await lockGeneratedPlaybook(db, scope, playbookUuid);
  if (playbook.version !== made_from) throw outdated(playbook.version);
  return playbook;
}

export function outdated(newestVersion: number): CommandError {
  return conflict(`Version ${newestVersion} is newer. Read it, apply your edit to it, and send its number as made_from.`);
}
