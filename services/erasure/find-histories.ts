import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Db } from '../../db/client.js';
import { listForeignWorkflows, type Matcher } from '../../db/lifecycle/erase-person.js';
import { openPayloads } from '../../platform/payload-sealer.js';
import { listRuns, type WorkflowRun } from '../../platform/temporal-histories.js';

const RUNS_AT_ONCE = 50;

/** Reads every history of the namespace: a run can contain data that the database no longer has. */
export async function findHistories(db: Db, client: Client, organizationUuid: string, matcher: Matcher): Promise<WorkflowRun[]> {
  const found: WorkflowRun[] = [];
  let page: WorkflowRun[] = [];
  const searchPage = async () => {
    const foreign = await listForeignWorkflows(
      db,
      organizationUuid,
      page.map(({ workflowId }) => workflowId),
    );
    for (const run of page) {
      if (foreign.has(run.workflowId)) continue;
      if (await hasIdentifier(client, run, matcher)) found.push(run);
    }
    page = [];
  };
  for await (const run of listRuns(client, '')) {
    page.push(run);
    if (page.length === RUNS_AT_ONCE) await searchPage();
  }
  await searchPage();
  return found;
}

async function hasIdentifier(client: Client, { workflowId, runId }: WorkflowRun, matcher: Matcher): Promise<boolean> {
  try {
    return containsDeep(await openPayloads(client, await client.workflow.getHandle(workflowId, runId).fetchHistory()), matcher);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function containsDeep(value: unknown, matcher: Matcher): boolean {
  if (typeof value === 'string') return matcher.contains(value);
  if (value instanceof Uint8Array) return matcher.contains(Buffer.from(value).toString('utf8'));
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => containsDeep(each, matcher));
}
