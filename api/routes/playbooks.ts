import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isWrite, SKILLS } from '../../connectors/skill-index.js';
import { listRunCalls } from '../../db/investigations/run-calls.js';
import { createOwnPlaybook, deletePlaybook } from '../../db/playbooks/playbook-lifecycle.js';
import {
  editPlan,
  findPlan,
  findPlaybook,
  listPlanVersions,
  listPlaybooks,
  type PlanChange,
  pinPlan,
} from '../../db/playbooks/playbooks.js';
import { StepsAsRun, stepsAsRun } from '../../domain/investigation/run-steps.js';
import { PlanEffect } from '../../domain/playbook/comparison.js';
import { checkPlan } from '../../domain/playbook/plan-check.js';
import { CreatePlaybook, EditPlan, PinPlan, type Plan, PlanVersion, PlanVersionSummary, Playbook } from '../../domain/playbook/playbook.js';
import { CommandError, conflict, invalid, MAX_WRONG_FIELDS, notFound } from '../../services/errors.js';
import { requireOrganization } from '../../services/organizations/require-organization.js';
import { problems } from '../http/openapi.js';
import { NumberedPageQuery, PageQuery, pageRequest, pageSchema, toListReply, wholeNumber } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['playbooks'];
const COMPARE_WAIT_MS = 60_000;
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

function requireRunnable(plan: Plan): void {
  const wrong = checkPlan(plan, (name) => SKILLS.get(name)?.contract ?? null);
  if (wrong.length === 0) return;
  throw invalid(wrong.slice(0, MAX_WRONG_FIELDS).map(({ pointer, detail }) => ({ pointer: `#/plan${pointer}`, detail })));
}

function requireChanged<Changed>(change: PlanChange<Changed>): Changed {
  switch (change.outcome) {
    case 'changed':
      return change.changed;
    case 'unknown':
      throw notFound('playbook with this id');
    case 'written':
      throw conflict(`${change.name} is written in TypeScript and has no plan. Change its file in workflows/playbooks.`);
    case 'outdated':
      throw conflict(`Version ${change.newestVersion} is newer. Read it, apply your edit to it, and send its number as made_from.`);
    case 'no-such-version':
      throw invalid([{ pointer: '#/version', detail: `This version does not exist. The newest version is ${change.newestVersion}.` }]);
  }
}

export function playbookRoutes(app: ZodApp, { database: { db }, runner }: RouteDeps): void {
  async function requirePlaybook(scope: string | null, playbookId: string): Promise<Playbook> {
    const playbook = await findPlaybook(db, scope, playbookId);
    if (!playbook) throw notFound('playbook with this id');
    return playbook;
  }

  async function requirePlanned(scope: string | null, playbookId: string): Promise<Playbook> {
    const playbook = await requirePlaybook(scope, playbookId);
    if (playbook.origin === 'written') throw new CommandError('not-found', `${playbook.name} is written in TypeScript and has no plan.`);
    return playbook;
  }

  /** The worker runs the plan, because only the worker has the code of playbooks. */
  async function compare(organizationUuid: string | null, playbookId: string, plan: Plan): Promise<PlanEffect> {
    const outcome = await runner.run<PlanEffect>({
      type: 'comparePlan',
      workflowId: `compare-plan-${playbookId}-${randomUUID()}`,
      input: { playbookId, organizationUuid, plan },
      summary: 'Effect of a plan on past alerts',
      waitMs: COMPARE_WAIT_MS,
    });
    if (outcome.ended && outcome.result !== null) return outcome.result;
    throw new CommandError(
      'unavailable',
      'The plan was not stored. The comparison with past alerts did not end in time. Try again shortly.',
      {
        retryAfterSeconds: 30,
      },
    );
  }

  app.get(
    '/platformapi/playbooks',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getPlaybookListAPI',
        tags,
        summary: 'List playbooks, written and generated',
        querystring: PageQuery,
        response: { 200: pageSchema(Playbook), ...problems() },
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
    async ({ params, principal }) => requirePlaybook(principal.organizationUuid, params.playbook_id),
  );

  app.post(
    '/platformapi/playbooks',
    {
      config: { access: ['admin'], changes: ['playbooks'] },
      schema: {
        operationId: 'createPlaybookAPI',
        tags,
        summary: 'Give an alert type a generated playbook of its own',
        description:
          'Alert types of the same categories share a generated playbook. Its own playbook starts with a copy of the shared plan; edit it to investigate this type in another way.',
        body: CreatePlaybook.meta({ examples: [{ organization_code: 'DEMO', alert_type: 'Odd sign-in' }] }),
        response: { 201: Playbook, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ body, principal }, reply) => {
      const organizationUuid = await requireOrganization(db, principal, body.organization_code);
      const created = await createOwnPlaybook(db, principal, { organizationUuid, alertType: body.alert_type });
      switch (created.outcome) {
        case 'created':
          return reply.status(201).send(await requirePlaybook(principal.organizationUuid, created.playbookUuid));
        case 'unknown':
          throw new CommandError(
            'not-found',
            'The organization has no playbook for this alert type yet. The first alert of the type creates it.',
          );
        case 'written':
          throw conflict('A playbook that is written in TypeScript declares this alert type.');
        case 'own':
          throw conflict('This alert type shares its playbook with no other type. Edit its plan.');
      }
    },
  );

  app.delete(
    '/platformapi/playbooks/:playbook_id',
    {
      config: { access: ['admin'], changes: ['playbooks'] },
      schema: {
        operationId: 'deletePlaybookAPI',
        tags,
        summary: 'Delete a generated playbook',
        description: 'Running investigations keep their plan. The next alert of one of its types gets a newly generated plan.',
        params: PlaybookId,
        response: { 204: z.null(), ...problems(404, 409) },
      },
    },
    async ({ params, principal }, reply) => {
      requireChanged(await deletePlaybook(db, principal, params.playbook_id));
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
      const { playbook_id: playbookId, version } = await requirePlanned(principal.organizationUuid, params.playbook_id);
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
      const { playbook_id: playbookId } = await requirePlanned(principal.organizationUuid, params.playbook_id);
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
      const { playbook_id: playbookId } = await requirePlaybook(principal.organizationUuid, params.playbook_id);
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
    async ({ params, query, body: { made_from: madeFrom, plan }, principal }) => {
      requireRunnable(plan);
      const isDryRun = query.dry_run === true;
      const version = requireChanged(await editPlan(db, principal, params.playbook_id, { madeFrom, plan, isDryRun }));
      return isDryRun ? { ...version, effect: await compare(principal.organizationUuid, params.playbook_id, plan) } : version;
    },
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
    async ({ params, body, principal }) => {
      requireChanged(await pinPlan(db, principal, params.playbook_id, body.version));
      return requirePlaybook(principal.organizationUuid, params.playbook_id);
    },
  );
}
