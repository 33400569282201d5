import type { z } from 'zod';
import { describeIssues, InvalidSkillInput, UnexpectedReply } from './skill-errors.js';

interface SkillSchemas {
  readonly title: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

export function parseSkillInput({ title, input: schema }: Pick<SkillSchemas, 'title' | 'input'>, input: unknown): unknown {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new InvalidSkillInput(`${title}: ${describeIssues(parsed.error)}`);
  return parsed.data;
}

export function parseSkillOutput({ title, output: schema }: Pick<SkillSchemas, 'title' | 'output'>, output: unknown): unknown {
  const parsed = schema.safeParse(output);
  if (!parsed.success) throw new UnexpectedReply(`${title}: ${describeIssues(parsed.error)}`);
  return parsed.data;
}
