import { findSkillRun, type SkillRunRow } from '../../db/skills/skill-runs.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';

export async function requireRun({ db, by }: Pick<Context, 'db' | 'by'>, runUuid: string): Promise<SkillRunRow> {
  const run = await findSkillRun(db, by.organizationUuid, runUuid);
  if (run === null) throw notFound('run with this id');
  return run;
}
