import { connectDatabase, type PgClient } from '../../db/client.js';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { type Environment, runCommand, type ServiceProcess } from '../processes/service-process.js';
import { until } from '../processes/waiting.js';
import { type Check, check } from './report.js';
import type { Writes } from './writes.js';

const COMPLETION_LIMIT_MS = 420_000;
const ENDED: readonly number[] = [InvestigationStatus.Completed, InvestigationStatus.Failed];

export async function takeBackup(backup: string, env: Environment, signal: AbortSignal): Promise<void> {
  await runCommand(['backup', backup], env, signal);
}

export interface RestoreOptions {
  readonly backup: string;
  /** The alerts that were acknowledged before the backup began. */
  readonly acknowledged: readonly string[];
  /** The settings of the new service: an empty database and a namespace without runs. */
  readonly env: Environment & { readonly DATABASE_URL: string };
  readonly writes: Pick<Writes, 'count'>;
  startService(env: Environment): Promise<readonly ServiceProcess[]>;
  readonly signal: AbortSignal;
}

/** Restores the backup elsewhere, starts a service there, and checks that nothing from before the backup is missing or double. */
export async function rehearseRestore({ backup, acknowledged, env, writes, startService, signal }: RestoreOptions): Promise<Check[]> {
  await runCommand(['restore', backup], env, signal);
  const { pg, close } = connectDatabase(env.DATABASE_URL, { poolSize: 1, name: 'rehearsal' });
  const unfinished = await countUnfinished(pg);
  const unendedWrites = await countUnendedWrites(pg);
  const processes = await startService(env);
  try {
    return [
      await check('no alert from before the backup is missing after the restore', async () => {
        const rows = await pg<{ id: string }[]>`select alert_id as id from alerts`;
        const restored = new Set(rows.map(({ id }) => id));
        const missing = acknowledged.filter((id) => !restored.has(id));
        return {
          ok: missing.length === 0,
          detail: `${acknowledged.length} acknowledged, ${rows.length} restored, ${missing.length} missing`,
        };
      }),
      await check('each restored alert ends (15 or 20), also those in progress', async () => {
        await until(
          async () => {
            const left = await countUnfinished(pg);
            return { seen: left === 0, instead: `${left} alerts have not ended` };
          },
          { limitMs: COMPLETION_LIMIT_MS, signal },
        );
        return { ok: true, detail: `${unfinished} were in progress` };
      }),
      await check('each restored alert has exactly one case', async () => {
        const [found] = await pg<{ count: number }[]>`
          select count(*)::int as count from alerts where 1 <> (select count(*) from case_alerts where case_alerts.alert_uuid = alerts.alert_uuid)`;
        return { ok: found?.count === 0, detail: `${found?.count} alerts do not` };
      }),
      await check('a write in progress during the backup ends after the restore and is not sent again', async () => {
        await until(
          async () => {
            const left = await countUnendedWrites(pg);
            return { seen: left === 0, instead: `${left} writes have not ended` };
          },
          { limitMs: COMPLETION_LIMIT_MS, signal },
        );
        const { performed, repeated } = writes.count();
        return {
          ok: unendedWrites > 0 && repeated.length === 0,
          detail: `${unendedWrites} in progress, ${performed} at the third party, ${repeated.length} of them twice`,
        };
      }),
    ];
  } finally {
    await Promise.all(processes.map((each) => each.stop()));
    await close();
  }
}

async function countUnfinished(pg: PgClient): Promise<number> {
  const [row] = await pg<{ count: number }[]>`
    select count(*)::int as count from alerts where investigation_status <> all(${[...ENDED]}::int[])`;
  return row?.count ?? 0;
}

async function countUnendedWrites(pg: PgClient): Promise<number> {
  const [row] = await pg<{ count: number }[]>`
    select count(*)::int as count from proposals where alert_uuid is null and ended_at is null`;
  return row?.count ?? 0;
}
