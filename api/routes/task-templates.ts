import { z } from 'zod';
import { listTemplates } from '../../db/cases/task-templates.js';
import { storable } from '../../domain/text.js';
import { requirePathOrganization } from '../../services/organizations/require-organization.js';
import { deleteTemplate } from '../../services/task-templates/delete.js';
import { saveTemplate } from '../../services/task-templates/save.js';
import { SaveTaskTemplate, TaskTemplate } from '../../services/task-templates/wire.js';
import { problems } from '../http/openapi.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['organizations'];
const OrganizationPath = z.object({ organization_code: storable(32) });
const LIST = '/platformapi/organizations/:organization_code/task-templates';

/** The tasks that the cases of an alert type usually need. */
export function taskTemplateRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    LIST,
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getTaskTemplateListAPI',
        tags,
        summary: 'List the task templates of an organization',
        params: OrganizationPath,
        response: { 200: z.object({ items: z.array(TaskTemplate).describe('At most 500.') }), ...problems(404) },
      },
    },
    async ({ params, principal }) => {
      const organizationUuid = await requirePathOrganization(db, principal, params.organization_code);
      return { items: await listTemplates(db, organizationUuid) };
    },
  );

  app.put(
    LIST,
    {
      config: { access: ['admin'], changes: ['settings', 'cases'] },
      schema: {
        operationId: 'saveTaskTemplateAPI',
        tags,
        summary: 'Set the tasks for an alert type',
        description: 'Cases of the type suggest these tasks. A second template for the same type replaces the first.',
        params: OrganizationPath,
        body: SaveTaskTemplate.meta({ examples: [{ alert_type: 'Malware on host', tasks: ['Call the owner', 'Check the backup'] }] }),
        response: { 200: TaskTemplate, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, principal, context }) =>
      saveTemplate(context, await requirePathOrganization(db, principal, params.organization_code), body),
  );

  app.delete(
    `${LIST}/:template_id`,
    {
      config: { access: ['admin'], changes: ['settings', 'cases'] },
      schema: {
        operationId: 'deleteTaskTemplateAPI',
        tags,
        summary: 'Delete a task template; tasks of cases stay',
        params: OrganizationPath.extend({ template_id: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, principal, context }, reply) => {
      const organizationUuid = await requirePathOrganization(db, principal, params.organization_code);
      await deleteTemplate(context, organizationUuid, params.template_id);
      return reply.status(204).send(null);
    },
  );
}
