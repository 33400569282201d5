import { z } from 'zod';
import { SkillKey } from '../skill-key.js';
import { clip, storable, text } from '../text.js';
import { ConnectionTestReport } from './connection.js';
import {
  InvalidSkillInput,
  OutcomeUnknown,
  ReplyTooLarge,
  SkillError,
  SkillTimedOut,
  THIRD_PARTY_ERRORS,
  ThirdPartyError,
  type ThirdPartyErrorCode,
  UnexpectedReply,
} from './skill-errors.js';

/** The version that an agent reports. A test compares it with package.json. */
export const AGENT_VERSION = '1.0.0';
/** An agent without a heartbeat for this time loses the step that it holds. */
export const AGENT_SILENCE_SECONDS = 60;
/** An agent without any call for this time is away. It asks for work several times a minute. */
export const AGENT_AWAY_AFTER_SECONDS = 300;

/** The only activity of an agent that is not a skill. */
export const CONNECTION_TEST = { skillKey: SkillKey.parse('testConnection'), skillId: 'Test of the connection' } as const;

/** The reason for which a step waits for its agent. */
export function describeAgentWait({ name, isRevoked }: { readonly name: string; readonly isRevoked: boolean }): string {
  return isRevoked
    ? `The remote agent ${name} was revoked. Choose another agent for the connection.`
    : `The remote agent ${name} has not claimed this step yet.`;
}

/** `broken`: the third party refused the credentials, so the connection is broken for every caller. */
export const TestedConnection = ConnectionTestReport.extend({ broken: z.boolean() });
export type TestedConnection = z.infer<typeof TestedConnection>;

export const ClaimRequest = z.object({
  version: text(50),
  /** The agent asks immediately before the request of a write leaves. An older agent does not. */
  asks_before_sending: z.boolean().default(false),
});

export type ClaimRequest = z.infer<typeof ClaimRequest>;

/** A step for an agent. This is the only message that sends credentials to an agent. */
export const ClaimedStep = z.object({
  step_id: z.uuid(),
  /** Distinguishes this claim from other claims of the same step. */
  claim: z.string().max(50),
  activity_name: z.string(),
  input: z.unknown(),
  operation_key: z.string(),
  /** `lookup`: an earlier attempt may have succeeded, so the agent looks for its effect first. `test`: a connection test. */
  mode: z.enum(['perform', 'lookup', 'test']),
  /** Before this time, a lookup that finds nothing does not prove that the write had no effect. */
  settles_in_seconds: z.number(),
  /** The time that the step may spend at the third party. null: only the limit of the skill counts. */
  effort_seconds: z.number().nullable().default(null),
  /** The service has the route `sending`. An older service does not. */
  asks_before_sending: z.boolean().default(false),
  connection: z.object({
    id: z.uuid(),
    connector: z.string(),
    generation: z.int(),
    settings: z.record(z.string(), z.unknown()),
    credentials: z.record(z.string(), z.unknown()),
  }),
});
export type ClaimedStep = z.infer<typeof ClaimedStep>;

const Claim = z.string().regex(/^\d{1,15}$/);
export const Heartbeat = z.object({ claim: Claim });

export const ReportedError = z.object({
  code: storable(50),
  message: storable(2000),
  status: z.int().nullable(),
  resolution: storable(2000).nullable(),
  retryAfterSeconds: z.number().min(0).max(86_400).nullable(),
  mayHaveHappened: z.boolean(),
});
export type ReportedError = z.infer<typeof ReportedError>;

/** The API refuses a larger report before it reads it. */
export const STEP_REPORT_BYTES = 16 * 1024 * 1024;

export const StepReport = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('ok'), claim: Claim, output: z.unknown(), duration_ms: z.int().min(0).max(86_400_000) }),
  z.object({ outcome: z.literal('failed'), claim: Claim, error: ReportedError }),
]);
export type StepReport = z.infer<typeof StepReport>;

/** Converts an error to the form that an agent sends. An error that is not a SkillError gets no code of its own. */
export function reportedError(error: unknown): ReportedError {
  const thirdParty = error instanceof ThirdPartyError ? error : null;
  return {
    code: error instanceof SkillError ? error.code : 'UnexpectedError',
    message: clip(error instanceof Error ? error.message : String(error), 2000),
    status: thirdParty?.status ?? null,
    resolution: thirdParty?.resolution === undefined ? null : clip(thirdParty.resolution, 2000),
    retryAfterSeconds: thirdParty?.retryAfterSeconds ?? null,
    mayHaveHappened: thirdParty?.mayHaveHappened ?? true,
  };
}

/** Restores the error in the service. */
export function toError({ code, message, status, resolution, retryAfterSeconds, mayHaveHappened }: ReportedError): Error {
  if (isThirdPartyCode(code))
    return new ThirdPartyError(code, message, {
      mayHaveHappened,
      ...(status === null ? {} : { status }),
      ...(resolution === null ? {} : { resolution }),
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    });
  const named = [InvalidSkillInput, UnexpectedReply, ReplyTooLarge, SkillTimedOut, OutcomeUnknown].map((Named) => new Named(message));
  return named.find((error) => error.code === code) ?? new Error(message);
}

function isThirdPartyCode(code: string): code is ThirdPartyErrorCode {
  return Object.hasOwn(THIRD_PARTY_ERRORS, code);
}
