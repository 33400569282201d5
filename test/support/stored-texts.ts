import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { TestService } from './service.js';

/** All rows of all tables, to search them for a secret. */
export async function dumpTables({ database: { pg } }: Pick<TestService, 'database'>): Promise<string> {
  const tables = await pg<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  const rows = await Promise.all(tables.map(({ name }) => pg`select to_jsonb(each) as row from ${pg(name)} as each`));
  return JSON.stringify(rows);
}

/** All histories with decoded payloads, so that base64 hides no secret. */
export async function readHistories({ temporal: { workflow } }: Pick<TestService, 'temporal'>): Promise<string> {
  const texts: string[] = [];
  for await (const { workflowId, runId } of workflow.list()) {
    const text = JSON.stringify(historyToJSON(await workflow.getHandle(workflowId, runId).fetchHistory()));
    const decoded = [...text.matchAll(/"data":"([A-Za-z0-9+/=]+)"/g)].map(([, data]) => Buffer.from(data ?? '', 'base64').toString());
    texts.push(text, ...decoded);
  }
  return texts.join('\n');
}
