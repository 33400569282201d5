import { z } from 'zod';
import { findResult } from '../../db/skills/skill-results.js';
import { type AskedSkillRun, listSkillRuns, type SkillRunRow } from '../../db/skills/skill-runs.js';
import { SkillRunState } from '../../domain/connection/connection.js';
import { SkillKeyText } from '../../domain/skill-key.js';
import { storable } from '../../domain/text.js';
import { truncateJson } from '../../domain/truncate-json.js';
import { CommandError, notFound } from '../../services/errors.js';
import { decideRun } from '../../services/skill-runs/decide.js';
import { requireRun } from '../../services/skill-runs/require-run.js';
import { startRun } from '../../services/skill-runs/start.js';
import { RunSkill, SkillOutcome, SkillRun, SkillRunListItem } from '../../services/skill-runs/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { ConnectionPath } from './connections.js';

const tags = ['skills'];
const OUTPUT_IN_REPLY_BYTES = 1024 * 1024;

const SkillResult = z.object({
  result_id: z.uuid(),
  connection_id: z.uuid(),
  connector: z.string(),
  skill_id: z.string(),
  skill_key: SkillKeyText,
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
  return {
    skill_id: run.skillId,
    skill_key: run.skillKey,
    output: whole,
    truncated,
    attempts: run.attempts ?? 1,
    duration_ms: run.durationMs ?? 0,
  };
}

function toRun(run: SkillRunRow): SkillRun {
  return { ...toAsked(run), outcome: toOutcome(run) };
}

function toAsked(run: AskedSkillRun): Omit<SkillRun, 'outcome'> {
  const problem = RunProblem.safeParse(run.error);
  return {
    run_id: run.runUuid,
    skill_id: run.skillId,
    skill_key: run.skillKey,
    connection_id: run.connectionUuid,
    input: run.input,
    state: run.state,
    asked_by: run.askedBy,
    asked_at: run.askedAt,
    decided_by: run.decidedBy,
    problem: problem.success ? problem.data : null,
  };
}

export function skillRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
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
        params: ConnectionPath.extend({
          skill: z.string().max(100).describe('Slug of the skill, such as `list-machine-logon-users`, or its `skill_key`'),
        }),
        body: RunSkill.meta({ examples: [{ input: { kind: 'ip', value: '203.0.113.66' } }] }),
        response: { 200: SkillOutcome, 202: SkillRun, ...problems(404, 413, 415, 502) },
      },
    },
    async ({ params, body, context }, reply) => {
      const run = await startRun(context, { ...body, connectionUuid: params.connection_id, skill: params.skill });
      const outcome = toOutcome(run);
      if (outcome !== null) return reply.status(200).send(outcome);
      if (run.state === 'failed') {
        const { code, message, third_party_status, resolution } = RunProblem.parse(run.error);
        throw new CommandError('third-party', `${run.skillId}: ${message}`, { thirdParty: { code, third_party_status, resolution } });
      }
      return reply.status(202).header('location', `/platformapi/skill-runs/${run.runUuid}`).send(toRun(run));
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
        description:
          '`GET /platformapi/proposals?manual=true` replaces this route for writes: a manual write is a proposal with the same id.',
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
    async ({ params, context }) => toRun(await requireRun(context, params.run_id)),
  );

  app.post(
    '/platformapi/skill-runs/:run_id/decision',
    {
      config: { access: ['analyst', 'admin'], changes: ['proposals', 'cases', 'settings'], boundsItself: true },
      schema: {
        operationId: 'decideSkillRunAPI',
        tags,
        summary: 'Approve a write that another person proposed, or refuse a proposed or held write',
        description:
          'Replaced by `POST /platformapi/proposals/{proposal_id}/approve` and `refuse`: the id of a manual write is also the id of its proposal.',
        deprecated: true,
        params: RunPath,
        body: z.strictObject({ approve: z.boolean() }).meta({ examples: [{ approve: true }] }),
        response: { 200: SkillRun, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => toRun(await decideRun(context, params.run_id, body)),
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
        skill_key: row.skillKey,
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
