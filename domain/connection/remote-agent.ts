import { z } from 'zod';
import { clip, storable, text } from '../text.js';
import { ConnectionTestReport } from './connection.js';
import {
  InvalidSkillInput,
  OutcomeUnknown,
  SkillError,
  SkillTimedOut,
  THIRD_PARTY_ERRORS,
  ThirdPartyError,
  type ThirdPartyErrorCode,
  UnexpectedReply,
} from './skill-errors.js';

/** What an agent says of itself; the same as package.json's. */
export const AGENT_VERSION = '1.0.0';
/** An agent that was not heard of for so long has lost the step it held. */
export const AGENT_SILENCE_SECONDS = 60;

/** The activity that is no skill. */
export const CONNECTION_TEST = { activityName: 'testConnection', skillId: 'Test of the connection' } as const;

/** `broken`: the third party refused the credentials, which is told to everyone who uses the connection. */
export const TestedConnection = ConnectionTestReport.extend({ broken: z.boolean() });
export type TestedConnection = z.infer<typeof TestedConnection>;

export const CreateRemoteAgent = z.strictObject({
  organization_code: storable(32),
  name: text(100).describe('Unique within the organization.'),
});

export const RemoteAgent = z.object({
  agent_id: z.uuid().describe("What a connection's `remote_agent` takes."),
  organization_code: z.string(),
  name: z.string(),
  version: z.string().nullable().describe('What the agent said of itself when it last called.'),
  last_seen_at: z.int().nullable(),
  waiting_steps: z.int().describe('Steps of its connections that nobody performs yet.'),
  waiting_since: z.int().nullable(),
  created_at: z.int(),
  revoked_at: z.int().nullable(),
});
export type RemoteAgent = z.infer<typeof RemoteAgent>;

export const CreatedRemoteAgent = RemoteAgent.extend({ token: z.string().describe('Shown this once: only its hash is kept.') });
export type CreatedRemoteAgent = z.infer<typeof CreatedRemoteAgent>;

export const ClaimRequest = z.object({ version: text(50) });

/** A step as an agent gets it: the only place where a credential leaves the service for it. */
export const ClaimedStep = z.object({
  step_id: z.uuid(),
  /** Tells this claim from an earlier or later one of the same step. */
  claim: z.string().max(50),
  activity_name: z.string(),
  input: z.unknown(),
  operation_key: z.string(),
  /** `lookup`: it may have been performed before, so look for it first. `test`: no skill, but the test of the connection. */
  mode: z.enum(['perform', 'lookup', 'test']),
  /** Before then, not to find it is no proof that it did not happen. */
  settles_in_seconds: z.number(),
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

const ReportedError = z.object({
  code: storable(50),
  message: storable(2000),
  status: z.int().nullable(),
  resolution: storable(2000).nullable(),
  retryAfterSeconds: z.number().min(0).max(86_400).nullable(),
  mayHaveHappened: z.boolean(),
});
type ReportedError = z.infer<typeof ReportedError>;

export const StepReport = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('ok'), claim: Claim, output: z.unknown(), duration_ms: z.int().min(0).max(86_400_000) }),
  z.object({ outcome: z.literal('failed'), claim: Claim, error: ReportedError }),
]);
export type StepReport = z.infer<typeof StepReport>;

/** An error as it travels from an agent; what the skill's code never named stays unnamed. */
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

/** The same error again, on our side. */
export function toError({ code, message, status, resolution, retryAfterSeconds, mayHaveHappened }: ReportedError): Error {
  if (isThirdPartyCode(code))
    return new ThirdPartyError(code, message, {
      mayHaveHappened,
      ...(status === null ? {} : { status }),
      ...(resolution === null ? {} : { resolution }),
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    });
  const named = [InvalidSkillInput, UnexpectedReply, SkillTimedOut, OutcomeUnknown].map((Named) => new Named(message));
  return named.find((error) => error.code === code) ?? new Error(message);
}

function isThirdPartyCode(code: string): code is ThirdPartyErrorCode {
  return Object.hasOwn(THIRD_PARTY_ERRORS, code);
}
