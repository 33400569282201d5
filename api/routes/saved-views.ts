import { z } from 'zod';
import { listViews } from '../../db/saved-views/queries.js';
import { ViewedList } from '../../domain/case/viewed-list.js';
import { createView } from '../../services/saved-views/create.js';
import { deleteView } from '../../services/saved-views/delete.js';
import { updateView } from '../../services/saved-views/update.js';
import { CreateSavedView, SavedView, UpdateSavedView } from '../../services/saved-views/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['saved views'];
const ViewPath = z.object({ view_id: z.uuid() });
const EXAMPLE = { list: 'cases', name: 'Open and critical', filters: { status: 'open', severity: 'critical' }, is_shared: true } as const;

/** Filters of a list under a name: private to an API key, or shared in its organization. */
export function savedViewRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/saved-views',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getSavedViewListAPI',
        tags,
        summary: 'List the own and the shared views, oldest first',
        querystring: PageQuery.extend({ list: ViewedList.optional() }),
        response: { 200: pageSchema(SavedView), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listViews(db, principal, query.list, pageRequest(query))),
  );

  app.post(
    '/platformapi/saved-views',
    {
      config: { access: ['analyst', 'admin'], changes: ['settings'] },
      schema: {
        operationId: 'createSavedViewAPI',
        tags,
        summary: 'Save the filters of a list as a view',
        body: CreateSavedView.meta({ examples: [EXAMPLE] }),
        response: { 201: SavedView, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => reply.status(201).send(await createView(context, body)),
  );

  app.patch(
    '/platformapi/saved-views/:view_id',
    {
      config: { access: ['analyst', 'admin'], changes: ['settings'] },
      schema: {
        operationId: 'updateSavedViewAPI',
        tags,
        summary: 'Rename, share or replace a view',
        params: ViewPath,
        body: UpdateSavedView.meta({ examples: [{ name: 'Critical cases' }] }),
        response: { 200: SavedView, ...problems(404, 413, 415) },
      },
    },
    async ({ params, body, context }) => updateView(context, params.view_id, body),
  );

  app.delete(
    '/platformapi/saved-views/:view_id',
    {
      config: { access: ['analyst', 'admin'], changes: ['settings'] },
      schema: {
        operationId: 'deleteSavedViewAPI',
        tags,
        summary: 'Delete a view',
        params: ViewPath,
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      await deleteView(context, params.view_id);
      return reply.status(204).send(null);
    },
  );
}
