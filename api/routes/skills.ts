import { z } from 'zod';
import { skillSlug } from '../../connectors/kit/define.js';
import { findConnection } from '../../db/connections/connections.js';
import { findHold } from '../../db/response/allow-write.js';
import { findResult } from '../../db/skills/skill-results.js';
import {
  type AskedSkillRun,
  askForSkill,
  decideSkillRun,
  findSkillRun,
  listSkillRuns,
  type SkillRunRow,
} from '../../db/skills/skill-runs.js';
import { RunSkill, SkillOutcome, SkillRun, SkillRunListItem, SkillRunState } from '../../domain/connection/connection.js';
import { describeSkillRun, skillRunWorkflowId, WRITES_RELEASED } from '../../domain/connection/skill.js';
import type { Principal } from '../../domain/identity/identity.js';
import { explainRunDecision } from '../../domain/response/run-result.js';
import { storable } from '../../domain/text.js';
import { truncateJson } from '../../domain/truncate-json.js';
import { checkFields } from '../../services/connections/fields.js';
import { requireConnector } from '../../services/connections/setup.js';
import { CommandError, conflict, invalid, notFound } from '../../services/errors.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { ConnectionPath } from './connections.js';

const tags = ['skills'];
const RUN_WAIT_MS = 30_000;
/** The workflow needs about this long to record why it holds the write. */
const HELD_WAIT_MS = 2_000;
const OUTPUT_IN_REPLY_BYTES = 1024 * 1024;

const SkillResult = z.object({
  result_id: z.uuid(),
  connection_id: z.uuid(),
  connector: z.string(),
  skill_id: z.string(),
  status: z.enum(['started', 'done', 'failed']),
  input: z.unknown(),
  output: z.unknown(),
  truncated: z.boolean(),
  request_digest: z.string(),
  reply_digest: z.string().nullable(),
  attempts: z.int(),
  started_at: z.int(),
  duration_ms: z.int().nullable(),
});

const RunProblem = SkillRun.shape.problem.unwrap();

function toOutcome(run: SkillRunRow): SkillOutcome | null {
  if (run.state !== 'done') return null;
  const { output, truncated } = truncateJson(run.output, OUTPUT_IN_REPLY_BYTES);
  const whole = z.record(z.string(), z.unknown()).parse(output ?? {});
  return { skill_id: run.skillId, output: whole, truncated, attempts: run.attempts ?? 1, duration_ms: run.durationMs ?? 0 };
}

function toRun(run: SkillRunRow): SkillRun {
  return { ...toAsked(run), outcome: toOutcome(run) };
}

function toAsked(run: AskedSkillRun): Omit<SkillRun, 'outcome'> {
  const problem = RunProblem.safeParse(run.error);
  return {
    run_id: run.runUuid,
    skill_id: run.skillId,
    connection_id: run.connectionUuid,
    input: run.input,
    state: run.state,
    asked_by: run.askedBy,
    asked_at: run.askedAt,
    decided_by: run.decidedBy,
    problem: problem.success ? problem.data : null,
  };
}

export function skillRoutes(app: ZodApp, { database: { db }, runner }: RouteDeps): void {
  async function findRun(principal: Principal, runId: string): Promise<SkillRunRow> {
    const run = await findSkillRun(db, principal.organizationUuid, runId);
    if (!run) throw notFound('run with this id');
    return run;
  }

  async function start(run: SkillRunRow, waitMs: number): Promise<{ ended: boolean }> {
    const { runUuid } = run;
    return runner.run({
      type: 'runSkill',
      workflowId: skillRunWorkflowId(runUuid),
      input: { runId: runUuid },
      ...describeSkillRun(run),
      waitMs,
    });
  }

  /** The workflow that asked for the approval may not have ended yet. It does not send the write, so another one must. */
  async function startApproved(run: SkillRunRow): Promise<void> {
    const earlier = await start(run, RUN_WAIT_MS);
    if (!earlier.ended) return;
    const { state } = (await findSkillRun(db, run.organizationUuid, run.runUuid)) ?? run;
    if (state === 'running') await start(run, RUN_WAIT_MS);
  }

  app.post(
    '/platformapi/connections/:connection_id/skills/:skill',
    {
      config: { access: ['analyst', 'admin'], changes: ['proposals', 'connections', 'settings'], boundsItself: true },
      schema: {
        operationId: 'runSkillAPI',
        tags,
        summary: 'Run a skill now',
        description:
          "A run that takes longer than 30 seconds returns 202 with a `Location` for its result. A write needs `confirm: true`. If the connection requires a second person, or the write affects a protected asset, the write becomes a proposal (202). If the organization's rules hold the write, it waits (202). The schemas `<connector>.<skill>.input` and `.output` of this document describe the `input` and the `output` of each skill.",
        params: ConnectionPath.extend({ skill: z.string().max(100).describe('Slug of the skill, such as `list-machine-logon-users`') }),
        body: RunSkill.meta({ examples: [{ input: { kind: 'ip', value: '203.0.113.66' } }] }),
        response: { 200: SkillOutcome, 202: SkillRun, ...problems(404, 413, 415, 502) },
      },
    },
    async ({ params, body, principal }, reply) => {
      const connection = await findConnection(db, principal.organizationUuid, params.connection_id);
      if (!connection) throw notFound('connection with this id');
      const { name, contract } = requireConnector(connection.connectorKind);
      const found = Object.entries(contract.skills).find(([, skill]) => skillSlug(skill) === params.skill);
      if (!found)
        throw new CommandError('not-found', `The ${contract.title} has no such skill. GET /platformapi/connectors lists the skills.`);
      const [verb, skill] = found;
      const input = checkFields(skill.input, body.input, 'input');
      if (skill.effect === 'write' && body.confirm !== true)
        throw invalid([{ pointer: '#/confirm', detail: `${skill.title} changes data at the third party. Send confirm: true to run it.` }]);
      const proposed = skill.effect === 'write' && connection.needsSecondPerson;
      const runUuid = await askForSkill(db, principal, {
        connectionUuid: connection.connectionUuid,
        organizationUuid: connection.organizationUuid,
        connectorKey: name,
        verb,
        skillId: skill.title,
        input,
        state: proposed ? 'proposed' : 'running',
      });
      const held = skill.effect === 'write' ? await findHold(db, connection.organizationUuid, runUuid) : null;
      if (!proposed) await start(await findRun(principal, runUuid), held === null ? RUN_WAIT_MS : HELD_WAIT_MS);
      const run = await findRun(principal, runUuid);
      const outcome = toOutcome(run);
      if (outcome !== null) return reply.status(200).send(outcome);
      if (run.state === 'failed') {
        const problem = RunProblem.parse(run.error);
        const { code, third_party_status, resolution } = problem;
        throw new CommandError('third-party', `${skill.title}: ${problem.message}`, {
          thirdParty: { code, third_party_status, resolution },
        });
      }
      return reply.status(202).header('location', `/platformapi/skill-runs/${runUuid}`).send(toRun(run));
    },
  );

  app.get(
    '/platformapi/skill-runs',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getSkillRunListAPI',
        tags,
        summary: 'List skill runs that people started, newest first',
        querystring: PageQuery.extend({
          state: SkillRunState.optional().describe('`proposed` means that the run waits for a second person.'),
          connector: storable(100).optional(),
        }),
        response: { 200: pageSchema(SkillRunListItem), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const { items, next } = await listSkillRuns(
        db,
        principal.organizationUuid,
        { state: query.state, connectorKind: query.connector },
        pageRequest(query),
      );
      const listed = items.map((run) => ({
        ...toAsked(run),
        organization_code: run.organizationCode,
        connector: run.connectorKind,
        instance_name: run.instanceName,
      }));
      return toListReply({ items: listed, next });
    },
  );

  const RunPath = z.object({ run_id: z.uuid() });

  app.get(
    '/platformapi/skill-runs/:run_id',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getSkillRunAPI',
        tags,
        summary: 'Read one skill run',
        params: RunPath,
        response: { 200: SkillRun, ...problems(404) },
      },
    },
    async ({ params, principal }) => toRun(await findRun(principal, params.run_id)),
  );

  app.post(
    '/platformapi/skill-runs/:run_id/decision',
    {
      config: { access: ['analyst', 'admin'], changes: ['proposals', 'cases', 'settings'], boundsItself: true },
      schema: {
        operationId: 'decideSkillRunAPI',
        tags,
        summary: 'Approve a write that another person proposed, or refuse a proposed or held write',
        params: RunPath,
        body: z.strictObject({ approve: z.boolean() }).meta({ examples: [{ approve: true }] }),
        response: { 200: SkillRun, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, principal }) => {
      const run = await findRun(principal, params.run_id);
      if (!(await decideSkillRun(db, principal, run, body.approve)))
        throw conflict(explainRunDecision(await findRun(principal, params.run_id)));
      if (body.approve) await startApproved(run);
      // The waiting workflow finds the refusal and ends.
      else await runner.signal([skillRunWorkflowId(run.runUuid)], WRITES_RELEASED);
      return toRun(await findRun(principal, params.run_id));
    },
  );

  app.get(
    '/platformapi/skill-results/:result_id',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getSkillResultAPI',
        tags,
        summary: 'Read the full answer behind an entry of the evidence',
        params: z.object({ result_id: z.uuid() }),
        response: { 200: SkillResult, ...problems(404) },
      },
    },
    async ({ params, principal }) => {
      const row = await findResult(db, params.result_id);
      if (!row || (principal.organizationUuid !== null && row.organizationUuid !== principal.organizationUuid))
        throw notFound('result with this id');
      return {
        result_id: row.resultUuid,
        connection_id: row.connectionUuid,
        connector: row.connectorKind,
        skill_id: row.skillId,
        status: row.status,
        input: row.input,
        ...truncateJson(row.output, 8 * OUTPUT_IN_REPLY_BYTES),
        request_digest: row.requestDigest,
        reply_digest: row.replyDigest,
        attempts: row.attempts,
        started_at: row.startedAt,
        duration_ms: row.durationMs,
      };
    },
  );
}
