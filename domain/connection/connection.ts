import { z } from 'zod';
import { SkillKeyText } from '../skill-key.js';

/** `broken`: the third party refused the credentials; investigations wait for a reconnect. */
export const ConnectionState = z.enum(['untested', 'working', 'broken']);
export type ConnectionState = z.infer<typeof ConnectionState>;

/** `proposed`: a write that waits for a second person. */
export const SkillRunState = z.enum(['proposed', 'running', 'done', 'failed', 'refused']);
export type SkillRunState = z.infer<typeof SkillRunState>;

interface Route {
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly remoteAgent?: string | null | undefined;
}

/**
 * Whether an update can send the stored secrets to another host or agent. Any text of the settings counts, because a path can become part
 * of an address too. Without this rule an admin could read secrets that only the third party may see.
 */
export function sendsSecretsElsewhere(before: Route, update: Route): boolean {
  if (update.remoteAgent !== undefined && update.remoteAgent !== (before.remoteAgent ?? null)) return true;
  if (update.settings === undefined) return false;
  const [old, now] = [before.settings ?? {}, update.settings];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].some(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]) && ![old[name], now[name]].every(isHarmless),
  );
}

function isHarmless(value: unknown): boolean {
  return value === undefined || typeof value === 'number' || typeof value === 'boolean';
}

export const RotationAdvice = z.object({
  state: z.enum(['fresh', 'due', 'overdue']),
  age_days: z.int(),
  advised_days: z.int(),
  advice: z.string(),
});
export type RotationAdvice = z.infer<typeof RotationAdvice>;

const DAY_SECONDS = 86_400;

/** Due a week ahead, to leave time for planning. */
export function adviseRotation(
  secretsSetAt: number,
  rotation: { days: number; advice: string } | null,
  now: number,
): RotationAdvice | null {
  if (rotation === null) return null;
  const ageDays = Math.max(0, Math.floor((now - secretsSetAt) / DAY_SECONDS));
  const state = ageDays >= rotation.days ? 'overdue' : ageDays >= rotation.days - 7 ? 'due' : 'fresh';
  return { state, age_days: ageDays, advised_days: rotation.days, advice: rotation.advice };
}

export const RefusedSkill = z.object({
  skill_id: z.string(),
  skill_key: SkillKeyText,
  reason: z.string(),
  resolution: z.string().nullable(),
  since: z.int(),
});
export type RefusedSkill = z.infer<typeof RefusedSkill>;

export const ConnectionTestReport = z.object({
  ok: z.boolean(),
  summary: z.string(),
  hosts: z.array(z.object({ purpose: z.string(), host: z.string().nullable(), reachable: z.boolean().nullable(), detail: z.string() })),
  credentials: z.object({ ok: z.boolean(), detail: z.string() }),
  permissions: z.array(
    z.object({
      skill_id: z.string(),
      skill_key: SkillKeyText.optional(),
      permission: z.string().nullable(),
      granted: z.boolean().nullable(),
    }),
  ),
  clock_skew_seconds: z.int().nullable(),
});
export type ConnectionTestReport = z.infer<typeof ConnectionTestReport>;

/** A connection that an investigation or a skill run waits for. */
export const Waiting = z.object({
  connection_id: z.uuid(),
  instance_name: z.string(),
  skill_id: z.string(),
  skill_key: SkillKeyText,
  reason: z.string(),
  since: z.int(),
  until: z.int().nullable(),
  remote_agent: z
    .object({ agent_id: z.uuid(), name: z.string(), last_seen_at: z.int().nullable() })
    .nullable()
    .describe('The remote agent that must fetch the step; null if it waits for a reconnect.'),
});
export type Waiting = z.infer<typeof Waiting>;
