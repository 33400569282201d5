import { SKILLS } from '../../connectors/skill-index.js';
import { toSkillEnd } from '../../db/skills/skill-calls.js';
import type { SkillEnd } from '../../db/skills/skill-results.js';
import { CONNECTION_TEST, StepReport, TestedConnection } from '../../domain/connection/remote-agent.js';
import { UnexpectedReply } from '../../domain/connection/skill-errors.js';
import { parseSkillOutput } from '../../domain/connection/skill-io.js';
import { parseSafeJson } from '../../platform/safe-json.js';
import { MAX_WRONG_FIELDS, type WrongField } from '../errors.js';

/** A report whose answer is checked and ready to store. */
export type ReadReport = { readonly claim: string } & (
  | Pick<Extract<StepReport, { outcome: 'failed' }>, 'outcome' | 'error'>
  | { readonly outcome: 'answered'; readonly end: SkillEnd }
  | { readonly outcome: 'tested'; readonly tested: TestedConnection | null }
  | { readonly outcome: 'unexpected'; readonly message: string }
);

export type RefusedReport =
  | { readonly outcome: 'malformed'; readonly reason: string }
  | { readonly outcome: 'invalid'; readonly errors: readonly WrongField[] };

export interface ReportToRead {
  readonly bytes: Uint8Array;
  /** null: the agent does not hold the step. */
  readonly skillKey: string | null;
}

/** Does all work whose time grows with the report. A thread runs it for large ones, so it returns data and throws nothing. */
export function readReport({ bytes, skillKey }: ReportToRead): ReadReport | RefusedReport {
  let body: unknown;
  try {
    body = parseSafeJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  } catch (error) {
    // The parser's message ends with a part of the body, which a reply must not repeat.
    const reason = error instanceof SyntaxError ? error.message.replace(/,? ?\.*".*$/s, '').slice(0, 200) : 'it cannot be read';
    return { outcome: 'malformed', reason };
  }
  const { data: report, error } = StepReport.safeParse(body);
  if (report === undefined) {
    const issues = error.issues.slice(0, MAX_WRONG_FIELDS);
    return {
      outcome: 'invalid',
      errors: issues.map(({ path, message }) => ({ pointer: `#/${path.join('/')}`, detail: `${path.join('.')}: ${message}.` })),
    };
  }
  const { claim } = report;
  if (report.outcome === 'failed') return report;
  if (skillKey === CONNECTION_TEST.skillKey)
    return { outcome: 'tested', claim, tested: TestedConnection.safeParse(report.output).data ?? null };
  const skill = SKILLS.get(skillKey ?? '');
  if (skill === undefined) return { outcome: 'unexpected', claim, message: 'The service does not know the skill of this step.' };
  try {
    return { outcome: 'answered', claim, end: toSkillEnd(parseSkillOutput(skill.contract, report.output), report.duration_ms) };
  } catch (problem) {
    if (problem instanceof UnexpectedReply) return { outcome: 'unexpected', claim, message: problem.message };
    throw problem;
  }
}
