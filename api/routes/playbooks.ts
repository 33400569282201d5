import { z } from 'zod';
import { isWrite } from '../../connectors/skill-index.js';
import { listRunCalls } from '../../db/investigations/run-calls.js';
import { findPlan, listPlanVersions, listPlaybooks } from '../../db/playbooks/playbooks.js';
import { StepsAsRun, stepsAsRun } from '../../domain/investigation/run-steps.js';
import { PlanEffect } from '../../domain/playbook/comparison.js';
import type { Plan } from '../../domain/playbook/playbook.js';
import { CommandError } from '../../services/errors.js';
import { createOwnPlaybook } from '../../services/playbooks/create-own.js';
import { deletePlaybook } from '../../services/playbooks/delete.js';
import { editPlan } from '../../services/playbooks/edit-plan.js';
import { pinPlan } from '../../services/playbooks/pin-plan.js';
import { requirePlanned, requirePlaybook } from '../../services/playbooks/require-playbook.js';
import { tryPlan } from '../../services/playbooks/try-plan.js';
import {
  CreatePlaybook,
  EditPlan,
  PinPlan,
  PlanVersion,
  PlanVersionSummary,
  Playbook,
  PlaybookSummary,
} from '../../services/playbooks/wire.js';
import { problems } from '../http/openapi.js';
import { NumberedPageQuery, PageQuery, pageRequest, pageSchema, toListReply, wholeNumber } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['playbooks'];
const PlaybookId = z.object({ playbook_id: z.uuid() });

const EXAMPLE_PLAN: Plan = {
  steps: [
    { do: 'extract-indicators', why: 'Lists the indicators in the alert.', of: ['ip', 'domain'] },
    {
      do: 'ask',
      id: 'reputation-of-address',
      why: 'Checks the reputation of the address.',
      skill: 'threatIntelligence.getEnrichment',
      each: { of: 'entity', kind: 'ip', atMost: 5 },
      input: { kind: { take: 'value', value: 'ip' }, value: { take: 'item' } },
      proves: [{ when: [{ path: 'score', is: 'at-least', value: 65 }], points: 45, says: 'Malicious reputation', techniques: ['T1071'] }],
      shows: ['score', 'rules[]'],
    },
    { do: 'summarise', why: 'States the verdict and the deciding evidence.' },
  ],
};

export function playbookRoutes(app: ZodApp, { database: { db }, runner }: RouteDeps): void {
  app.get(
    '/platformapi/playbooks',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getPlaybookListAPI',
        tags,
        summary: 'List playbooks, written and generated, without their plans',
        querystring: PageQuery,
        response: { 200: pageSchema(PlaybookSummary), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listPlaybooks(db, principal.organizationUuid, pageRequest(query))),
  );

  app.get(
    '/platformapi/playbooks/:playbook_id',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getPlaybookAPI',
        tags,
        summary: 'Read a playbook',
        params: PlaybookId,
        response: { 200: Playbook, ...problems(404) },
      },
    },
    async ({ params, principal }) => requirePlaybook(db, principal.organizationUuid, params.playbook_id),
  );

  app.post(
    '/platformapi/playbooks',
    {
      config: { access: ['admin'], changes: ['playbooks'] },
      schema: {
        operationId: 'createPlaybookAPI',
        tags,
        summary: 'Give the playbook of an alert type a plan of its own',
        description:
          'The playbook of an alert type uses the plan of its category. Its own plan starts with a copy of it; edit it to investigate this type in another way. An edit or a pin of the playbook does the same.',
        body: CreatePlaybook.meta({ examples: [{ organization_code: 'DEMO', alert_type: 'Odd sign-in' }] }),
        response: { 201: Playbook, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => reply.status(201).send(await createOwnPlaybook(context, body)),
  );

  app.delete(
    '/platformapi/playbooks/:playbook_id',
    {
      config: { access: ['admin'], changes: ['playbooks'] },
      schema: {
        operationId: 'deletePlaybookAPI',
        tags,
        summary: 'Delete a generated playbook',
        description:
          'Running investigations keep their plan. The next alert of one of its types gets a newly generated playbook. With the playbook of a category, those of its alert types are deleted.',
        params: PlaybookId,
        response: { 204: z.null(), ...problems(404, 409) },
      },
    },
    async ({ params, context }, reply) => {
      await deletePlaybook(context, params.playbook_id);
      return reply.status(204).send(null);
    },
  );

  app.get(
    '/platformapi/playbooks/:playbook_id/plan',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getPlaybookPlanAPI',
        tags,
        summary: 'Read the plan of a generated playbook',
        params: PlaybookId,
        querystring: z.object({ version: wholeNumber().optional().describe('Default: the version that new investigations use.') }),
        response: { 200: PlanVersion, ...problems(404) },
      },
    },
    async ({ params, query, principal }) => {
      const { playbook_id: playbookId, version } = await requirePlanned(db, principal.organizationUuid, params.playbook_id);
      const isPossible = query.version === undefined || query.version <= version;
      const plan = isPossible ? await findPlan(db, principal.organizationUuid, playbookId, query.version ?? null) : null;
      if (!plan) throw new CommandError('not-found', `The plan has no version ${query.version}. The newest version is ${version}.`);
      return plan;
    },
  );

  app.get(
    '/platformapi/playbooks/:playbook_id/plan/versions',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getPlanVersionListAPI',
        tags,
        summary: 'List the versions of a plan, newest first',
        params: PlaybookId,
        querystring: NumberedPageQuery,
        response: { 200: pageSchema(PlanVersionSummary), ...problems(404) },
      },
    },
    async ({ params, query, principal }) => {
      const { playbook_id: playbookId } = await requirePlanned(db, principal.organizationUuid, params.playbook_id);
      return toListReply(await listPlanVersions(db, playbookId, pageRequest(query)));
    },
  );

  app.get(
    '/platformapi/playbooks/:playbook_id/steps',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getPlaybookStepsAPI',
        tags,
        summary: 'Read the steps of a playbook as its newest completed investigations ran them',
        description: 'Works for written and generated playbooks. Lists questions and proposals with their order, durations and gaps.',
        params: PlaybookId,
        querystring: z.object({
          version: wholeNumber().optional().describe('Only investigations with this version of the plan.'),
        }),
        response: { 200: StepsAsRun, ...problems(404) },
      },
    },
    async ({ params, query, principal }) => {
      const { playbook_id: playbookId } = await requirePlaybook(db, principal.organizationUuid, params.playbook_id);
      const runs = await listRunCalls(db, principal.organizationUuid, playbookId, query.version ?? null);
      return { playbook_id: playbookId, investigations: runs.length, steps: stepsAsRun(runs, isWrite) };
    },
  );

  app.put(
    '/platformapi/playbooks/:playbook_id/plan',
    {
      config: { access: ['admin'], changes: ['playbooks'] },
      schema: {
        operationId: 'updatePlaybookPlanAPI',
        tags,
        summary: 'Edit the plan of a generated playbook; creates its next version',
        description: 'Running investigations keep their version. After an edit, the service no longer updates the plan itself.',
        params: PlaybookId,
        querystring: z.object({
          dry_run: z
            .stringbool()
            .optional()
            .describe('true: stores nothing. The reply has `effect`: the results of past investigations that the plan would change.'),
        }),
        body: EditPlan.meta({ examples: [{ made_from: 1, plan: EXAMPLE_PLAN }] }),
        response: { 200: PlanVersion.extend({ effect: PlanEffect.optional() }), ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, query, body, context }) =>
      query.dry_run === true ? tryPlan(context, runner, params.playbook_id, body) : editPlan(context, params.playbook_id, body),
  );

  app.put(
    '/platformapi/playbooks/:playbook_id/pin',
    {
      config: { access: ['admin'], changes: ['playbooks'] },
      schema: {
        operationId: 'pinPlaybookPlanAPI',
        tags,
        summary: 'Pin new investigations to one version of the plan, or unpin them',
        params: PlaybookId,
        body: PinPlan.meta({ examples: [{ version: 1 }] }),
        response: { 200: Playbook, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => pinPlan(context, params.playbook_id, body.version),
  );
}
