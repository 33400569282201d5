import { randomBytes, randomInt } from 'node:crypto';
import { z } from 'zod';

/** Credentials of the flood, made before it. */
export const FloodInput = z.object({
  url: z.string(),
  name: z.string(),
  adminKey: z.string(),
  agentToken: z.string(),
  /** A person with two-factor authentication. */
  email: z.string(),
  password: z.string(),
});
export type FloodInput = z.infer<typeof FloodInput>;

/** Counted instead of a status: no reply arrived within the limit of the client. */
export const LATE = 'late';

export interface Flood {
  readonly name: string;
  readonly connections: number;
  /** The flood ends after this many requests, or after its time. */
  readonly requests?: number;
  build(input: FloodInput, n: number): { method: string; path: string; headers: Record<string, string>; body?: string };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const REPORT = JSON.stringify({
  outcome: 'ok',
  claim: '01a1dd78-72e9-7236-aeab-ed7c2436108c',
  output: 'x'.repeat(15 * 1024 * 1024),
  duration_ms: 1,
});
const STEP = '01a1dd78-72e9-7236-aeab-ed7c2436108d';
const TOTP_CODES = 80;

/** The loads that once made the API slow for everyone. */
export const FLOODS: readonly Flood[] = [
  {
    name: 'wrong passwords',
    connections: 100,
    build: (_, n) => ({
      method: 'POST',
      path: '/platformapi/session/password',
      headers: JSON_TYPE,
      body: JSON.stringify({ email: `person${n % 50}@attack.example`, password: `a wrong password ${n}` }),
    }),
  },
  {
    name: 'parallel codes of one authenticator app',
    connections: TOTP_CODES,
    requests: TOTP_CODES,
    build: ({ email, password }) => ({
      method: 'POST',
      path: '/platformapi/session/password',
      headers: JSON_TYPE,
      body: JSON.stringify({ email, password, code: String(randomInt(1_000_000)).padStart(6, '0') }),
    }),
  },
  {
    name: 'sign-outs with random cookies',
    connections: 50,
    build: () => ({
      method: 'DELETE',
      path: '/platformapi/session',
      headers: { cookie: `Session=us_${randomBytes(32).toString('base64url')}` },
    }),
  },
  {
    name: 'agent reports of 15 MiB',
    connections: 20,
    build: ({ agentToken }) => ({
      method: 'POST',
      path: `/agentapi/steps/${STEP}/report`,
      headers: { ...JSON_TYPE, authorization: `Bearer ${agentToken}` },
      body: REPORT,
    }),
  },
  { name: 'GET /metrics', connections: 50, build: () => ({ method: 'GET', path: '/metrics', headers: {} }) },
  { name: 'GET /readyz', connections: 50, build: () => ({ method: 'GET', path: '/readyz', headers: {} }) },
  {
    name: 'GET /playbooks',
    connections: 50,
    build: ({ adminKey }) => ({ method: 'GET', path: '/platformapi/playbooks?limit=100', headers: { cookie: `Session=${adminKey}` } }),
  },
];
