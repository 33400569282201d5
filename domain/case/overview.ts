import { z } from 'zod';
import { ConnectionState } from '../connection/connection.js';
import { Verdict } from '../verdict/evidence.js';

const MeanTime = z.object({ mean_seconds: z.number(), cases: z.int() }).nullable();

/** The figures of the overview page. Alert counts cover the window only. */
export const Overview = z.object({
  since: z.int(),
  bucket_seconds: z.int(),
  alerts: z.array(
    z.object({ at: z.int(), created: z.int(), submitted: z.int(), in_progress: z.int(), completed: z.int(), failed: z.int() }),
  ),
  counted_at: z.int().describe('When the counts were taken: at most 30 seconds ago.'),
  time_to_verdict: z.object({ p50_seconds: z.number(), p95_seconds: z.number(), investigations: z.int() }).nullable(),
  verdicts: z.array(z.object({ verdict: Verdict, cases: z.int() })),
  open_cases: z.int().describe('Cases with the status `open`. At most 10,000 are counted.'),
  unassigned_cases: z.int().describe('Open cases without an assignee.'),
  proposals_waiting: z.int(),
  skill_runs_waiting: z.int().describe('Manually requested changes that need the approval of a second person.'),
  sla: z
    .object({
      acknowledged: MeanTime.describe(
        'MTTA: the mean time from the opening of a case to its acknowledgement, of cases acknowledged in the window.',
      ),
      closed: MeanTime.describe(
        'MTTR: the mean time that a case was open, of cases closed in the window. The time between closing and reopening does not count.',
      ),
      breaches: z
        .object({ breached: z.int(), decided: z.int() })
        .describe('The breach rate is breached ÷ decided. A clock with a target is decided when it breaches, or when it stops in time.'),
    })
    .describe('Elapsed time, also outside working hours. Merged cases do not count.'),
  connections: z.array(
    z.object({
      connection_id: z.uuid(),
      organization_code: z.string().describe('The organization that owns the connection.'),
      connector: z.string(),
      instance_name: z.string(),
      state: ConnectionState,
      reason: z.string().nullable(),
      waiting: z.int().describe('Investigations that wait for this connection.'),
    }),
  ),
  expiring_secrets: z
    .array(
      z.object({
        connection_id: z.uuid(),
        organization_code: z.string().describe('The organization that owns the connection.'),
        connector: z.string(),
        instance_name: z.string(),
        secret_expires_on: z.iso.date(),
      }),
    )
    .describe('Connections whose secret has expired or expires within 30 days, the first day first.'),
});
export type Overview = z.infer<typeof Overview>;
